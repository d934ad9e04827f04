"""Where a part listens: `unix:///path` or `http(s)://host:port`."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from kit.errors import InvalidArgument, Unavailable

LONGEST_SOCKET_PATH = 107
"""Bytes the kernel takes for the path of a Unix socket."""
_TRY_EVERY_S = 0.01


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
        if text.startswith("unix:///") and "\0" not in text:
            return cls(path=text.removeprefix("unix://"))
        with suppress(ValueError):  # a port that is no port, a bracket too few
            url = urlsplit(text)
            extra = url.path.strip("/") or url.query or url.fragment or url.username
            if url.scheme in {"http", "https"} and url.hostname and url.port and not extra:
                return cls(host=url.hostname, port=url.port, tls=url.scheme == "https")
        raise InvalidArgument(
            f"{text!r} is not an address; write unix:///path or http://host:port.", field="address"
        )

    def __str__(self) -> str:
        if self.path:
            return f"unix://{self.path}"
        return f"{'https' if self.tls else 'http'}://{self.authority}"

    @property
    def authority(self) -> str:
        """Host and port, as a URL holds them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

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
        Unavailable: The address is in use, or is not one of this machine's.
    """
    if not address.path:
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        try:
            return socket.create_server((address.host, address.port), family=family, backlog=1024)
        except OSError as error:
            raise _taken(address, error.strerror or str(error)) from error
    path = Path(address.path)
    if len(os.fsencode(path)) > LONGEST_SOCKET_PATH:
        raise InvalidArgument(
            f"{path} is too long for a Unix socket ({LONGEST_SOCKET_PATH} bytes at most); "
            "set ECOSYSTEM_HOME to a shorter folder.",
            field="address",
        )
    if path.is_socket():
        if not _is_stale(path):
            raise _taken(address, "another process listens there")
        path.unlink()
    elif path.exists():
        raise _taken(address, "a file that is not a socket has this name")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    previous = os.umask(0o177)
    try:
        listener.bind(str(path))
    finally:
        os.umask(previous)
    listener.listen(1024)
    return listener


def _taken(address: Address, why: str) -> Unavailable:
    return Unavailable(f"Cannot listen at {address}: {why}.", reason="address_taken")


def _is_stale(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        return probe.connect_ex(str(path)) == errno.ECONNREFUSED


@cache
def _trusted() -> ssl.SSLContext:
    """The authorities this machine trusts, read once; `SSL_CERT_FILE` names others."""
    return ssl.create_default_context()


P = TypeVar("P", bound=asyncio.BaseProtocol)


async def dial(protocol: Callable[[], P], address: Address) -> P:
    """Connect, and hand back the protocol that now speaks.

    Raises:
        OSError: Nobody listens there.
    """
    loop = asyncio.get_running_loop()
    if address.path:
        _, connected = await loop.create_unix_connection(protocol, sock=await _reach(address.path))
    else:
        context = _trusted() if address.tls else None
        _, connected = await loop.create_connection(
            protocol, address.host, address.port, ssl=context
        )
    return connected


async def _reach(path: str) -> socket.socket:
    """A connected Unix socket; while too many others wait to be taken, it is tried again."""
    reached = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    try:
        while (code := reached.connect_ex(path)) == errno.EAGAIN:  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(_TRY_EVERY_S)
        if code:
            raise OSError(code, os.strerror(code), path)
    except BaseException:
        reached.close()
        raise
    return reached
