"""Connect to what is looked at, and tell its failures from our own blindness."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import socket
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from kit.address import Address
from kit.errors import InvalidArgument, Unavailable

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_OUR_OWN = {
    errno.ENETUNREACH,
    errno.ENETDOWN,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOBUFS,
    errno.ENOMEM,
    errno.EACCES,
    errno.EPERM,
    errno.EADDRNOTAVAIL,
}
"""What says nothing about the other side: no network, no descriptors, no permission."""
_NOBODY = {errno.ECONNREFUSED, errno.ENOENT}
_ERRNO = re.compile(r"\[Errno (\d+)\]")
_NO_SUCH_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


class Unreached(Exception):
    """The thing did not do its part; `reason` is the stable name of how."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason
        self.why = why

    def unavailable(self, what: str) -> Unavailable:
        """The same as a failure to look, for who asks for more than whether it answers."""
        return Unavailable(f"{what} {self.why}.", reason=self.reason)


def parsed(address: str) -> Address:
    """An address whose port may be left to its scheme.

    Raises:
        InvalidArgument: It is none.
    """
    try:
        url = urlsplit(address)
        if url.scheme in {"http", "https"} and url.hostname and url.port is None:
            host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
            address = f"{url.scheme}://{host}:{443 if url.scheme == 'https' else 80}"
        found = Address.parse(address)
        found.host.encode("idna")
    except ValueError as error:
        raise InvalidArgument(f"{address!r} is not an address.", field="address") from error
    return found


def reason_of(error: OSError) -> Unreached:
    """What a failed connection says about the thing.

    Raises:
        Unavailable: It says nothing about the thing; this side cannot look.
    """
    if isinstance(error, ssl.SSLCertVerificationError):
        return Unreached("not_verified", f"its certificate fails: {error.verify_message}")
    if isinstance(error, ssl.SSLError):
        return Unreached("tls", f"TLS fails: {error.reason or 'the other side broke off'}")
    if isinstance(error, TimeoutError):
        return Unreached("timeout", "does not answer in time")
    if isinstance(error, socket.gaierror):
        if error.errno in _NO_SUCH_NAME:
            return Unreached("no_such_name", "its name has no address")
        raise Unavailable("Names cannot be resolved now.", reason="no_resolver") from error
    numbers = _numbers_in(error)
    if numbers and numbers <= _OUR_OWN:
        why = os.strerror(min(numbers))
        raise Unavailable(
            f"This machine cannot connect now: {why}.", reason="no_network"
        ) from error
    if numbers - _OUR_OWN <= _NOBODY and numbers:
        return Unreached("refused", "nothing listens there")
    if isinstance(error, ConnectionError):
        return Unreached("broken_off", "breaks off")
    return Unreached("unreachable", "cannot be reached")


def _numbers_in(error: OSError) -> set[int]:
    """Why each address of a name failed: asyncio puts several failures in one, as text."""
    if error.errno is not None:
        return {error.errno}
    return {int(number) for number in _ERRNO.findall(str(error))}


@dataclass(slots=True)
class Reach:
    """The way to one address, with the certificates that are trusted there."""

    address: Address
    ca_file: str | None = None
    _trust: ssl.SSLContext | None = None

    @asynccontextmanager
    async def open(self, timeout_s: float) -> AsyncGenerator[Streams]:
        """A connection for the block, and so much time for the whole of it.

        Raises:
            Unreached: The other side cannot be reached, is too slow or breaks off.
            ServiceError: This side cannot look.
        """
        writer: asyncio.StreamWriter | None = None
        trust = await self._trusted() if self.address.tls else None
        try:
            async with asyncio.timeout(timeout_s):
                reader, writer = await self._connect(trust)
                yield reader, writer
        except OSError as error:
            if isinstance(error, ssl.SSLCertVerificationError):
                self._trust = None  # what is trusted may have changed on disk
            raise reason_of(error) from error
        finally:
            if writer is not None:
                writer.transport.abort()

    async def _connect(self, trust: ssl.SSLContext | None) -> Streams:
        if self.address.path:
            return await asyncio.open_unix_connection(self.address.path)
        name = self.address.host if trust else None
        return await asyncio.open_connection(
            self.address.host, self.address.port, ssl=trust, server_hostname=name
        )

    async def _trusted(self) -> ssl.SSLContext:
        if self._trust is None:
            try:
                self._trust = await asyncio.to_thread(_trust, self.ca_file)
            except OSError as error:
                raise InvalidArgument(
                    f"{self.ca_file} cannot be read as certificates.", field="ca_file"
                ) from error
        return self._trust


def _trust(ca_file: str | None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    return context
