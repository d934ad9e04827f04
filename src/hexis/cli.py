"""The command `hexis`: the operations, `run` with the question a person answers, and `serve`."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import click
import msgspec

from hexis.challenge import is_yes, question
from hexis.client.executor import Executor
from hexis.contract.execution import Confirm, Confirmation, Execute, Execution, Refuse
from hexis.settings import Settings
from kit import assertion
from kit.assertion import Assertion
from kit.cli import EXIT, PROGRAM, command_line, reporting, serve_command, show
from kit.clock import SystemClock
from kit.errors import InvalidArgument
from kit.ids import Ids
from kit.local import connect, language_here, person, secret_of
from kit.trace import originate, working_for


@serve_command("hexis", Settings)
def serve(settings: Settings) -> None:
    """Serve Hexis until told to stop."""
    from hexis.app import open_part
    from kit.daemon import run
    from kit.local import grants_of, part_folder
    from nexus.client import NexusClient
    from praxis.client import PraxisClient

    def opener() -> Any:
        nexus, praxis = connect(NexusClient, "hexis"), connect(PraxisClient, "hexis")
        return open_part(settings, part_folder("hexis"), grants_of("hexis"), nexus, praxis)

    run("hexis", opener, settings)


@click.command("run")
@click.argument("capability_id")
@click.argument("entity_id")
@click.option(
    "--arg", "pairs", multiple=True, metavar="NAME=VALUE", help="One argument; repeat it."
)
@click.option("--wait-s", default=30.0, show_default=True, help="Seconds to wait for the end.")
@click.option("--json", "as_json", is_flag=True, help="Print the reply as JSON.")
def run_command(
    capability_id: str, entity_id: str, pairs: tuple[str, ...], wait_s: float, as_json: bool
) -> None:
    """Run a capability on an entity; on a terminal, ask for the yes it needs."""
    with reporting():
        given = {"capability_id": capability_id, "entity_id": entity_id, "wait_s": wait_s}
        try:
            request = msgspec.convert({**given, "arguments": _arguments(pairs)}, Execute)
        except msgspec.ValidationError as error:
            raise InvalidArgument(str(error)) from error
        execution = asyncio.run(_run(request))
    show(execution, json=as_json)
    if execution.state == "awaiting_confirmation":
        raise SystemExit(EXIT["failed_precondition"])
    raise SystemExit(0 if execution.state in {"succeeded", "running"} else 1)


async def _run(request: Execute) -> Execution:
    async with connect(Executor, PROGRAM, requester=person()) as hexis:
        with working_for(originate(person(), causation_id=_turn())):
            execution = await hexis.execute(request)
        challenge = execution.confirmation
        if challenge is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
            return execution
        said_yes = await asyncio.to_thread(_ask, challenge)
        turn_id = _turn()
        said = Assertion(
            turn_id=turn_id,
            requester=person(),
            channel=PROGRAM,
            issued_at=datetime.now(UTC),
            answers=challenge.confirmation_id if said_yes else "",
        )
        key = secret_of(PROGRAM).assertion_key_for("hexis")
        call = originate(person(), causation_id=turn_id)
        with working_for(replace(call, channel_assertion=assertion.mint(key, said))):
            if said_yes:
                yes = Confirm(confirmation_id=challenge.confirmation_id, wait_s=request.wait_s)
                return await hexis.confirm(yes)
            return await hexis.refuse(Refuse(confirmation_id=challenge.confirmation_id))


def _ask(challenge: Confirmation) -> bool:
    language = language_here()
    return is_yes(click.prompt(question(challenge, language), default="", show_default=False))


def _arguments(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`name=value`: a value that reads as JSON is what it says, anything else is text."""
    arguments: dict[str, Any] = {}
    for pair in pairs:
        name, separator, text = pair.partition("=")
        if not separator or name in arguments:
            raise InvalidArgument("Each --arg is NAME=VALUE, each name once.", field="arguments")
        try:
            value = msgspec.json.decode(text)
        except msgspec.DecodeError:
            value = text
        arguments[name] = value if isinstance(value, bool | int) else text
    return arguments


def _turn() -> str:
    return Ids(SystemClock()).new("trn")


main: click.Group = command_line(Executor, serve, run_command)
