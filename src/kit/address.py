"""Where a part listens: `unix:///path` or `http(s)://host:port`."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from kit.errors import InvalidArgument

LONGEST_SOCKET_PATH = 107
"""Bytes the kernel takes for the path of a Unix socket."""


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address; exactly one of `path` and `host` is set."""

    path: str = ""
    host: str = ""
    port: int = 0
    tls: bool = False

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read an address.

        Raises:
            InvalidArgument: It is neither `unix:///path` nor `http(s)://host:port`.
        """
        url = urlsplit(text)
        if url.scheme == "unix" and url.path.startswith("/") and not url.netloc:
            return cls(path=url.path)
        if url.scheme in {"http", "https"} and url.hostname and url.port:
            return cls(host=url.hostname, port=url.port, tls=url.scheme == "https")
        raise InvalidArgument(
            f"{text!r} is not an address; write unix:///path or http://host:port.", field="address"
        )

    def __str__(self) -> str:
        if self.path:
            return f"unix://{self.path}"
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.path or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def listen(address: Address) -> socket.socket:
    """A listening socket; a Unix one is 0600 from its first instant, and replaces a stale file.

    Raises:
        InvalidArgument: The socket path is longer than the system allows.
        OSError: The address is in use by a live process.
    """
    if not address.path:
        return socket.create_server((address.host, address.port), reuse_port=False)
    path = Path(address.path)
    if len(os.fsencode(path)) > LONGEST_SOCKET_PATH:
        raise InvalidArgument(
            f"{path} is too long for a Unix socket ({LONGEST_SOCKET_PATH} bytes at most); "
            "set ECOSYSTEM_HOME to a shorter folder.",
            field="address",
        )
    if path.is_socket() and not _is_stale(path):
        raise OSError(errno.EADDRINUSE, "another process listens there", str(path))
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    previous = os.umask(0o177)
    try:
        listener.bind(str(path))
    finally:
        os.umask(previous)
    listener.listen(1024)
    return listener


def _is_stale(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(str(path)) == errno.ECONNREFUSED


P = TypeVar("P", bound=asyncio.BaseProtocol)


async def dial(protocol: Callable[[], P], address: Address) -> P:
    """Connect, and hand back the protocol that now speaks.

    Raises:
        OSError: Nobody listens there.
    """
    loop = asyncio.get_running_loop()
    if address.path:
        _, connected = await loop.create_unix_connection(protocol, address.path)
    else:
        context = ssl.create_default_context() if address.tls else None
        _, connected = await loop.create_connection(
            protocol, address.host, address.port, ssl=context
        )
    return connected
