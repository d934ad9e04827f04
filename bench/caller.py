"""Call the smallest part many times, and print the CPU time a call took this process, in µs."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import uvloop

from bench.echo import Echo, EchoClient, Echoed
from kit.address import Address, dial
from kit.auth import Secret
from kit.connection import Connection
from kit.trace import originate, working_for

REQUEST = Echo(text="что требует внимания?", topic="attention")


async def with_kit(folder: Path, count: int) -> float:
    """Through the typed client, in the context of a call."""
    secret = Secret.load(folder / "credentials" / "caller")
    address = Address(path=str(folder / "kit.sock"))
    async with EchoClient(address, secret) as client:
        with working_for(originate("user:анна", timeout_s=3600, causation_id="trn_1")):
            return await _measure(lambda: client.echo(REQUEST), count)


async def bare(folder: Path, count: int) -> float:
    """Through the same connection with a fixed head."""
    connection = await dial(Connection, Address(path=str(folder / "bare.sock")))
    decoder, encoder = msgspec.json.Decoder(Echoed), msgspec.json.Encoder()
    head = b"POST /v1/echo HTTP/1.1\r\nhost: echo\r\ncontent-length: %d\r\n\r\n"

    async def call() -> Echoed:
        body = encoder.encode(REQUEST)
        _, payload = await connection.exchange(head % len(body) + body, 5.0)
        return decoder.decode(payload)

    return await _measure(call, count)


async def _measure(call: Callable[[], Awaitable[Echoed]], count: int) -> float:
    for _ in range(count // 10):
        await call()
    print("warm", flush=True)
    sys.stdin.readline()
    before = time.process_time()
    for _ in range(count):
        await call()
    return (time.process_time() - before) / count * 1e6


if __name__ == "__main__":
    work = {"kit": with_kit, "bare": bare}[sys.argv[1]]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(runner.run(work(Path(sys.argv[2]), int(sys.argv[3]))), flush=True)
