"""Containers that Docker or Podman runs, asked over the socket of its API; nothing is changed."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import msgspec

from kit.errors import Unavailable
from nexus.contract import Discovery
from nexus.discovery import MOST, Sight
from nexus.discovery.naming import discovery

_LARGEST = 16 << 20
_TIMEOUT_S = 5.0
_PROJECT, _SERVICE = "com.docker.compose.project", "com.docker.compose.service"


class Container(msgspec.Struct, rename="pascal"):
    """What is read of one container; its environment and mounts are not."""

    names: list[str] = []
    image: str = ""
    state: str = ""
    labels: dict[str, str] | None = None


class _OverSocket(HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_TIMEOUT_S)
        self._path = path

    def connect(self) -> None:
        """Reach the socket."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(_TIMEOUT_S)
        self.sock.connect(str(self._path))


def sockets(environment: Mapping[str, str]) -> dict[str, list[Path]]:
    """Where Docker and Podman usually listen."""
    named = environment.get("DOCKER_HOST", "")
    own = environment.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")
    asked = [Path(named.removeprefix("unix://"))] if named.startswith("unix://") else []
    return {
        "docker": asked or [Path("/var/run/docker.sock"), Path(own, "docker.sock")],
        "podman": [Path("/run/podman/podman.sock"), Path(own, "podman", "podman.sock")],
    }


def look(where: Mapping[str, Sequence[Path]]) -> Sight:
    """The containers behind each socket that is there.

    Args:
        where: by the system the containers' names belong to, the sockets it may listen on.

    Raises:
        Unavailable: There is no socket, or none answers.
    """
    sight = Sight()
    heard = False
    asked: set[str] = set()
    for system, path in ((system, path) for system, paths in where.items() for path in paths):
        real = os.path.realpath(path)
        if real in asked or not path.is_socket():
            continue
        asked.add(real)
        try:
            containers = parse(ask(path))
        except Unavailable as error:
            sight.remarks.append(error.message)
            continue
        heard = True
        sight.discoveries += proposed(containers, system, path, sight.remarks)
    if not heard:
        raise Unavailable(" ".join(sight.remarks) or "Neither Docker nor Podman listens here.")
    del sight.discoveries[MOST:]
    return sight


def ask(path: Path) -> bytes:
    """The list of containers as the API answers it.

    Raises:
        Unavailable: There is no answer in time, or it is not a list.
    """
    connection = _OverSocket(path)
    deadline = time.monotonic() + _TIMEOUT_S
    try:
        connection.request("GET", "/containers/json?all=true", headers={"Connection": "close"})
        reply = connection.getresponse()
        body = b""
        while piece := reply.read1(1 << 16):
            body += piece
            if len(body) > _LARGEST or time.monotonic() > deadline:
                raise Unavailable(f"{path} answers more, or more slowly, than is waited for.")
        if reply.length:
            raise Unavailable(f"{path} stopped in the middle of its answer.")
    except (OSError, HTTPException) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unavailable(f"{path} does not answer: {said or type(error).__name__}.") from error
    finally:
        connection.close()
    if reply.status != 200:
        raise Unavailable(f"{path} answers {reply.status}.")
    return body


def parse(body: bytes) -> list[Container]:
    """The containers in an answer of the API.

    Raises:
        Unavailable: It holds no such list.
    """
    try:
        return msgspec.json.decode(body, type=list[Container])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unavailable("What listens there answers no list of containers.") from error


def proposed(
    containers: Sequence[Container], system: str, path: Path, remarks: list[str]
) -> list[Discovery]:
    """Containers by their names, which outlive the single container."""
    found: list[Discovery] = []
    for container in containers:
        raw = container.names[0].strip("/") if container.names else ""
        seen = discovery(
            system,
            raw,
            "service.container",
            _spoken(raw, container.labels or {}),
            aliases=[raw],
            description=f"Container of {container.image}" if container.image else "",
            evidence=f"{container.state or 'seen'} at {path}",
        )
        if seen is None:
            remarks.append(f"container {raw[:80]!r} has no name that can be spoken")
        else:
            found.append(seen)
    return found


def _spoken(raw: str, labels: Mapping[str, Any]) -> str:
    """The name without the number that Compose puts behind it."""
    project, service = labels.get(_PROJECT), labels.get(_SERVICE)
    if project and service and raw in {f"{project}-{service}-1", f"{project}_{service}_1"}:
        return f"{project} {service}"
    return raw
