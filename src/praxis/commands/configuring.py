"""Tell Praxis what to look at: one address from the shell, or a whole file of sources."""

from __future__ import annotations

import asyncio
import tomllib
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import click
import msgspec

from kit.body import misfit
from kit.cli import PROGRAM, reporting
from kit.errors import InvalidArgument
from kit.local import connect, person
from kit.visible import visible_line
from praxis.client import PraxisClient
from praxis.contract import PutRoutine, PutSource
from praxis.contract.looks import HttpCheck

T = TypeVar("T")
_PATIENCE = 3
"""Looks that may be missed before a source counts as silent."""


class Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file declares."""

    source: list[PutSource] = []
    routine: list[PutRoutine] = []


@click.command("check")
@click.argument("url")
@click.option("--name", help="What the source is called; `http:HOST` unless named.")
@click.option("--every-s", default=60.0, show_default=True, help="Seconds between two looks.")
@click.option("--status", default=200, show_default=True, help="What must be answered.")
@click.option("--text", default="", help="What must stand in the answer.")
@click.option("--entity-id", help="Which entity of Nexus it is about.")
def check_command(
    url: str, name: str | None, every_s: float, status: int, text: str, entity_id: str | None
) -> None:
    """Look at a web address again and again; trouble becomes an item, health recovers it."""
    parts = urlsplit(url)
    path = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
    look = {
        "look": "http",
        "address": f"{parts.scheme}://{parts.netloc}",
        "path": path,
        "status": status,
        "text": text,
        "every_s": every_s,
    }
    source = name or f"http:{(parts.hostname or '').lower()}"
    with reporting():
        request = _converted(
            {
                "source": source,
                "kind": "http",
                "expected_every_s": every_s * _PATIENCE,
                "entity_id": entity_id,
                "look": look,
            },
            PutSource,
        )
        assert isinstance(request.look, HttpCheck)  # noqa: S101 - just made
        asyncio.run(_put(Declared([request])))


@click.command("apply")
@click.argument("file", type=click.Path(path_type=Path))
def apply_command(file: Path) -> None:
    """Register the sources and routines of a TOML file: tables [[source]] and [[routine]].

    Their keys are the options of put-source and put-routine; applying again changes nothing. The
    whole file is read before anything is registered.
    """
    with reporting():
        try:
            table = tomllib.loads(file.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise InvalidArgument(f"{file} cannot be read: {error}.", field="file") from error
        asyncio.run(_put(_converted(table, Declared)))


async def _put(declared: Declared) -> None:
    async with connect(PraxisClient, PROGRAM, requester=person()) as praxis:
        for request in declared.source:
            state = await praxis.put_source(request)
            door = f"  {state.door}" if state.door else ""
            click.echo(visible_line(f"{state.source}  {state.kind}  {state.freshness}{door}"))
        for routine in declared.routine:
            expected = await praxis.put_routine(routine)
            due = expected.due_at.isoformat(timespec="minutes") if expected.due_at else "-"
            click.echo(visible_line(f"{expected.routine}  {expected.standing}  {due}"))


def _converted(value: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise misfit(error) from error
