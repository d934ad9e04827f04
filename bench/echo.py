"""The smallest part: one operation that says back what it heard, by the kit and without it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request as WebRequest
from starlette.responses import Response
from starlette.routing import Route

from kit.address import Address, listen
from kit.auth import Grants
from kit.client import Client, remote
from kit.contract import Contract, Operation, Reply, Request
from kit.daemon import Running, serving
from kit.server import Hosted
from kit.trace import Call


class Echo(Request):
    """Say it back."""

    text: str
    topic: str
    limit: int = 20


class Echoed(Reply):
    """What was said."""

    text: str
    topic: str
    items: list[str]


ECHO: Operation[Echo, Echoed] = Operation(
    name="echo", request=Echo, reply=Echoed, scope="echo.read", summary="Say it back."
)


class EchoClient(Client):
    """Typed access to it."""

    contract = Contract("echo", "1.0", ECHO)
    echo = remote(ECHO)


def answer(request: Echo) -> Echoed:
    """The work itself, the same on both sides."""
    return Echoed(text=request.text, topic=request.topic, items=["one", "two", "three"])


class EchoService:
    """One method per operation."""

    async def echo(self, request: Echo, call: Call) -> Echoed:
        """Say it back."""
        return answer(request)


@asynccontextmanager
async def open_part(grants: Grants) -> AsyncGenerator[Running]:
    """The part, ready to be served."""
    hosted = Hosted(contract=EchoClient.contract, service=EchoService(), grants=grants)
    yield Running(hosted=hosted)


def bare_app() -> Starlette:
    """The same answer from Starlette and msgspec alone."""
    decoder, encoder = msgspec.json.Decoder(Echo), msgspec.json.Encoder()

    async def echo(request: WebRequest) -> Response:
        reply = answer(decoder.decode(await request.body()))
        return Response(encoder.encode(reply), media_type="application/json")

    return Starlette(routes=[Route("/v1/echo", echo, methods=["POST"])])


async def serve_with_kit(folder: Path) -> None:
    """Serve by the kit until killed."""
    async with (
        open_part(Grants(folder / "grants.json")) as running,
        serving(running, Address(path=str(folder / "kit.sock"))),
    ):
        await asyncio.Event().wait()


async def serve_bare(folder: Path) -> None:
    """Serve by uvicorn alone until killed."""
    config = uvicorn.Config(
        bare_app(),
        http="httptools",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
    )
    door = listen(Address(path=str(folder / "bare.sock")))
    await uvicorn.Server(config).serve([door])


if __name__ == "__main__":
    serve = {"kit": serve_with_kit, "bare": serve_bare}[sys.argv[1]]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(Path(sys.argv[2])))
