"""Servers to look at: real ones, slow ones, and ones that say whatever a test wants."""

from __future__ import annotations

import asyncio
import ssl
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from tests.praxis.sources.certificates import Authority
from tests.praxis.systemd_manager import SystemdManager, systemd_manager


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


class Raw:
    """Answers every connection with the same bytes, then ends it or waits."""

    def __init__(self, said: bytes, *, hangs: bool) -> None:
        self._said = said
        self._hangs = hangs
        self.heard: list[bytes] = []
        self._ended = asyncio.Event()
        self._stack = AsyncExitStack()

    async def start(self, tls: ssl.SSLContext | None, path: Path | None) -> int:
        if path is not None:
            await self._stack.enter_async_context(
                await asyncio.start_unix_server(self._answer, str(path))
            )
            return 0
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0, ssl=tls)
        await self._stack.enter_async_context(server)
        return server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        self._ended.set()
        await self._stack.aclose()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.heard.append(await reader.read(65536))
            writer.write(self._said)
            await writer.drain()
            if self._hangs:
                await self._ended.wait()
        except OSError:
            pass  # the other side has hung up, as it may
        finally:
            writer.close()


class Servers:
    """The servers of a test."""

    def __init__(self) -> None:
        self._running: list[Raw] = []

    async def raw(
        self,
        said: bytes,
        *,
        hangs: bool = False,
        tls: ssl.SSLContext | None = None,
        path: Path | None = None,
    ) -> int:
        """The port of a server that says these bytes."""
        server = Raw(said, hangs=hangs)
        self._running.append(server)
        return await server.start(tls, path)

    @property
    def heard(self) -> list[bytes]:
        """What clients have sent."""
        return [heard for server in self._running for heard in server.heard]

    async def stop(self) -> None:
        for server in self._running:
            await server.stop()


@pytest_asyncio.fixture
async def servers() -> AsyncGenerator[Servers]:
    servers = Servers()
    yield servers
    await servers.stop()


def http(status: str, body: str = "", *headers: str) -> bytes:
    """An HTTP answer as bytes."""
    head = "".join(f"{each}\r\n" for each in headers)
    length = len(body.encode())
    return f"HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{head}\r\n{body}".encode()


@pytest.fixture(scope="session")
def shared_manager() -> Generator[SystemdManager]:
    with (
        tempfile.TemporaryDirectory(prefix="sd", dir="/tmp") as name,
        systemd_manager(Path(name)) as manager,
    ):
        yield manager


@pytest.fixture
def manager(shared_manager: SystemdManager, monkeypatch: pytest.MonkeyPatch) -> SystemdManager:
    """A real systemd user manager that programs find by their environment."""
    for name, value in shared_manager.environment.items():
        monkeypatch.setenv(name, value)
    return shared_manager
