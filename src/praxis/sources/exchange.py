"""One HTTP request and its bounded answer, on a connection of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

import httptools

from praxis.sources.reach import Reach, Unreached

_LARGEST_HEAD = 64 << 10
_PIECE = 64 << 10


@dataclass(slots=True)
class Answer:
    """What was answered."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """By lower-case name."""
    body: bytes = b""
    is_whole: bool = False
    """False where the answer is larger than was asked for."""


async def ask(
    reach: Reach,
    path: str,
    *,
    timeout_s: float,
    largest: int,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
) -> Answer:
    """Ask once; redirects are answers like any other.

    Raises:
        Unreached: There is no whole HTTP answer, or none in time.
        ServiceError: This side cannot look.
    """
    host = reach.address.authority.encode("idna").decode() if reach.address.host else "localhost"
    fields = {
        "host": host,
        "user-agent": "praxis",
        "accept-encoding": "identity",
        "connection": "close",
        **(headers or {}),
    }
    if body:
        fields["content-length"] = str(len(body))
    target = quote(path, safe="/%?&=:;,+@!$'()*~[]")
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    async with reach.open(timeout_s) as (reader, writer):
        writer.write(f"{method} {target} HTTP/1.1\r\n{head}\r\n".encode() + body)
        return await _Taking(largest).take(reader)


class _Taking:
    """The parser's callbacks: an answer as it comes in."""

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._parser = httptools.HttpResponseParser(self)
        self._answer = Answer()
        self._pieces: list[bytes] = []
        self._size = 0
        self._has_head = False

    async def take(self, reader: asyncio.StreamReader) -> Answer:
        taken = 0
        while not self._answer.is_whole and self._size <= self._largest:
            piece = await reader.read(_PIECE)
            if not piece:
                self._end()
                break
            taken += len(piece)
            if not self._has_head and taken > _LARGEST_HEAD:
                raise Unreached("not_http", "answers with too much before its text")
            try:
                self._parser.feed_data(piece)
            except httptools.HttpParserUpgrade:
                break
            except httptools.HttpParserError as error:
                if self._answer.is_whole:
                    break
                raise Unreached("not_http", "does not answer in HTTP") from error
        self._answer.status = self._parser.get_status_code()
        self._answer.body = b"".join(self._pieces)[: self._largest]
        return self._answer

    def on_header(self, name: bytes, value: bytes) -> None:
        self._answer.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        if self._parser.get_status_code() < 200:  # an early hint; the answer is yet to come
            self._answer.headers.clear()
        else:
            self._has_head = True

    def on_body(self, chunk: bytes) -> None:
        self._pieces.append(chunk)
        self._size += len(chunk)

    def on_message_complete(self) -> None:
        self._answer.is_whole = self._has_head and self._size <= self._largest

    def _end(self) -> None:
        """The other side has closed: the end of an answer that told no length, else a break."""
        told = self._answer.headers.keys() & {"content-length", "transfer-encoding"}
        if not self._has_head or told:
            raise Unreached("broken_off", "breaks off")
        self._answer.is_whole = True
