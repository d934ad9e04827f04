"""An application of its own at a further address, served and stopped with the part."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kit.address import Address
from kit.contract import META, MetaReply, Nothing
from kit.daemon import serving
from kit.errors import Unavailable
from kit.testing import FrozenClock, grants
from tests.kit.conftest import trusted
from tests.kit.sample.app import open_part
from tests.kit.sample.contract import SampleClient
from tests.kit.wire import connected

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


async def greet(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer everybody alike."""
    headers = [(b"content-length", b"5")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"hello"})


async def test_a_listener_answers_beside_the_part_and_ends_with_it(
    folder: Path, free_port: int
) -> None:
    tester, clock = trusted(), FrozenClock()
    known = grants(folder / "grants.json", "sample", tester)
    door = Address(host="127.0.0.1", port=free_port)
    socket = Address(path=str(folder / "s"))
    async with open_part(folder, known, clock) as running:
        running.listeners[door] = greet
        async with serving(running, socket):
            async with connected(door) as wire:
                await wire.send("GET /v1/meta HTTP/1.1\r\nhost: x\r\n\r\n")
                greeted = await wire.answer()
            async with SampleClient(socket, tester.secret, requester="user:ann") as client:
                meta: MetaReply = await client.call(META, Nothing())

    assert (greeted.body, meta.service) == (b"hello", "sample")
    with pytest.raises(ConnectionRefusedError):
        async with connected(door):
            pass


async def test_a_listener_whose_address_is_taken_keeps_the_part_from_starting(
    folder: Path, free_port: int
) -> None:
    known = grants(folder / "grants.json", "sample", trusted())
    door = Address(host="127.0.0.1", port=free_port)
    first, second = (Address(path=str(folder / name)) for name in ("a", "b"))
    async with open_part(folder, known, FrozenClock()) as running:
        running.listeners[door] = greet
        async with serving(running, first):
            with pytest.raises(Unavailable, match="Cannot listen"):
                async with serving(running, second):
                    pass
            left = (folder / "b").exists()

    assert not left
