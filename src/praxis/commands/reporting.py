"""Report from a shell: `ping` says how a job went, `job` runs it and says so, `hook` passes on."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from datetime import timedelta

import click

from kit.cli import PROGRAM, failure_line
from kit.cli import reporting as failing
from kit.errors import ServiceError
from kit.local import connect, person
from praxis.client import PraxisClient
from praxis.commands import texts
from praxis.commands.hook import LARGEST_STDIN, delivery_of
from praxis.contract import Deliver, Delivered, Observe, ObservedState

ROUTINES = "routines"
"""The source that pings speak for."""
_STATES: dict[str, ObservedState] = {
    "start": "progress",
    "success": "ok",
    "fail": "problem",
    "log": "info",
}
_TAIL = 180
"""Characters of a job's last words that are told."""
_NOT_ASKED = 127


@click.command("ping")
@click.argument("name")
@click.argument("how", default="success", metavar="[start|success|fail|log|EXIT_STATUS]")
@click.option("--message", "-m", default="", help="What to say with it.")
def ping_command(name: str, how: str, message: str) -> None:
    """Say that a job has started, succeeded or failed, from cron or any script.

    An exit status other than 0 means failed: `backup.sh; praxis ping nightly-backup $?`.
    """
    if how.isdigit():
        word = "success" if int(how) == 0 else "fail"
    elif how in _STATES:
        word = how
    else:
        raise click.BadParameter("start, success, fail, log or an exit status", param_hint="how")
    said = {"success": "ping_ok", "start": "ping_start", "fail": "ping_fail", "log": "ping_log"}
    summary = texts.say(said[word], name=name) + (f": {message}" if message else "")
    details = {"exit_status": how} if how.isdigit() else {}
    with failing():
        _tell(_report(name, _STATES[word], summary, details))


@click.command(
    "job", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.argument("name")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def job_command(name: str, command: tuple[str, ...]) -> None:
    """Run COMMAND and report when it starts and how it ends: `praxis job backup -- backup.sh`.

    Its output and its exit status are passed on; where Praxis cannot be told, the job runs all
    the same.
    """
    arguments = command[1:] if command[0] == "--" else command
    _try_to_tell(_report(name, "progress", texts.say("job_started", name=name), {}))
    began = time.monotonic()
    try:
        status, last = _run(arguments)
    except OSError as error:
        summary = texts.say("job_unstartable", name=name, why=error.strerror or error)
        click.echo(summary, err=True)
        _try_to_tell(_report(name, "problem", summary, {}))
        raise SystemExit(_NOT_ASKED) from error
    took = texts.span(timedelta(seconds=time.monotonic() - began))
    said = "job_ok" if status == 0 else "job_killed" if status < 0 else "job_failed"
    summary = texts.say(said, name=name, status=abs(status), took=took)
    details = {"exit_status": str(status)} | ({"last_words": last} if last else {})
    _try_to_tell(_report(name, "ok" if status == 0 else "problem", summary, details))
    raise SystemExit(status if status >= 0 else 128 - status)


@click.command("hook")
@click.argument("dialect")
@click.argument("payload", required=False)
@click.option("--source", help="Which source it is; the dialect's own name unless named.")
def hook_command(dialect: str, payload: str | None, source: str | None) -> None:
    """Pass on what a coding agent or another program says: a payload on stdin, or as an argument.

    It prints nothing and always succeeds, so that it never steers the program that calls it; what
    does not fit is kept (`praxis list-rejected`).
    """
    said = b"" if payload is not None else sys.stdin.buffer.read(LARGEST_STDIN)
    request = delivery_of(dialect, said, payload, source)
    _try_to_tell(request)


def _run(arguments: tuple[str, ...]) -> tuple[int, str]:
    """Run a command, pass its words on as they come, and keep the last of them."""
    last = b""
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, bufsize=0) as job:
        assert job.stderr is not None  # noqa: S101 - it was asked for
        while said := os.read(job.stderr.fileno(), 65536):
            sys.stderr.buffer.write(said)
            sys.stderr.buffer.flush()
            last = (last + said)[-_TAIL * 4 :]
    return job.returncode, last.decode(errors="replace").strip()[-_TAIL:]


def _report(name: str, state: ObservedState, summary: str, details: dict[str, str]) -> Observe:
    return Observe(
        source=ROUTINES,
        key=name,
        kind="routine",
        state=state,
        severity="error",
        summary=summary,
        details=details,
    )


def _try_to_tell(request: Observe | Deliver) -> None:
    """Tell Praxis, and on stderr where it cannot be told: the job matters more."""
    try:
        _tell(request)
    except ServiceError as error:
        click.echo(texts.say("untold", why=failure_line(error)), err=True)


def _tell(request: Observe | Deliver) -> Delivered | None:
    async def tell() -> Delivered | None:
        async with connect(PraxisClient, PROGRAM, requester=person()) as praxis:
            if isinstance(request, Deliver):
                return await praxis.deliver(request)
            await praxis.observe(request)
            return None

    return asyncio.run(tell())
