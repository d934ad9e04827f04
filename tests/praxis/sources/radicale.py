"""A real CalDAV server of its own process, with a user, a calendar and a list of tasks."""

from __future__ import annotations

import asyncio
import base64
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from kit.address import Address
from praxis.sources.exchange import ask
from praxis.sources.reach import Reach

USER, PASSWORD = "anna", "пароль-анны"
_MKCOL = (
    '<?xml version="1.0"?><C:mkcalendar xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">'
    "<set><prop><displayname>x</displayname></prop></set></C:mkcalendar>"
)


class Radicale:
    """A running server."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self._reach = Reach(Address(host="127.0.0.1", port=port))

    async def make(self, path: str) -> None:
        """Make an empty collection."""
        await self._ask("MKCALENDAR", path, _MKCOL)

    async def put(self, path: str, *lines: str, kind: str = "VTODO") -> None:
        """Put one object into a collection, or another in its place."""
        uid = path.rpartition("/")[2]
        start = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//test//EN", f"BEGIN:{kind}")
        body = (*start, f"UID:{uid}", *lines, f"END:{kind}", "END:VCALENDAR", "")
        await self._ask("PUT", path, "\r\n".join(body))

    async def _ask(self, method: str, path: str, body: str) -> None:
        word = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        answer = await ask(
            self._reach,
            path,
            method=method,
            body=body.encode(),
            headers={"authorization": f"Basic {word}"},
            timeout_s=10,
            largest=1 << 16,
        )
        assert answer.status in {201, 204}, answer


@asynccontextmanager
async def radicale(folder: Path) -> AsyncGenerator[Radicale]:
    """Serve for the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "users").write_text(f"{USER}:{PASSWORD}\n", encoding="utf-8")
    (folder / "config").write_text(
        f"[server]\nhosts = 127.0.0.1:{port}\n"
        f"[auth]\ntype = htpasswd\nhtpasswd_filename = {folder / 'users'}\n"
        "htpasswd_encryption = plain\ndelay = 0\n"
        f"[storage]\nfilesystem_folder = {folder / 'collections'}\n",
        encoding="utf-8",
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "radicale", "--config", str(folder / "config")),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        async with asyncio.timeout(30):
            while b"server ready" not in (said := await process.stderr.readline()):
                assert said, "the server has ended"
        yield Radicale(port)
    finally:
        process.kill()
        await process.communicate()
