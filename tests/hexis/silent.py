"""Something at the supervisor's socket that knows no programs and answers nothing else well."""

import asyncio
import re
import xmlrpc.client
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

_LOOKED_UP = "supervisor.getAllConfigInfo"
_EMPTY = xmlrpc.client.dumps(([],), methodresponse=True).encode()
_NO_PROGRAMS = b"HTTP/1.0 200 OK\r\ncontent-type: text/xml\r\ncontent-length: %d\r\n\r\n%s" % (
    len(_EMPTY),
    _EMPTY,
)


@dataclass
class Heard:
    """What was asked beside which programs there are."""

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
        method = match[1].decode()
        if method == _LOOKED_UP:
            writer.write(_NO_PROGRAMS)
            await writer.drain()
        else:
            heard.methods.append(method)
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
