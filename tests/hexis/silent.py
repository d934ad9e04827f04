"""Something at the supervisor's socket that takes requests and does not answer them well."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Heard:
    """What was asked."""

    path: Path
    methods: list[str] = field(default_factory=list[str])


@asynccontextmanager
async def silent_supervisor(path: Path, *, answers: bool) -> AsyncGenerator[Heard]:
    """Take requests, then hang up; or, where it seems to answer, never come to an end."""
    heard = Heard(path)
    stop = asyncio.Event()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        body = await reader.readuntil(b"</methodCall>")
        match = re.search(rb"<methodName>(.*?)</methodName>", body)
        assert match is not None
        heard.methods.append(match[1].decode())
        if answers:
            await stop.wait()
        writer.close()

    server = await asyncio.start_unix_server(take, path)
    try:
        yield heard
    finally:
        stop.set()
        server.close()
        await server.wait_closed()
