"""The command `nexus apply`: show what a catalog would change, ask, and make it so."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

import click
import msgspec

from kit.cli import PROGRAM, reporting, show
from kit.errors import ServiceError
from kit.local import connect, person
from kit.visible import visible_line
from nexus.catalogs import Form
from nexus.client import NexusClient
from nexus.commands.answers import names_of
from nexus.commands.texts import YES, say
from nexus.contract import ApplyCatalog, CatalogApplied, PlannedChange

if TYPE_CHECKING:
    from nexus.catalogs.reading import ReadCatalog

SOMETHING_TO_DO = 3
_MARKS = {"create": "+", "update": "~", "archive": "-"}
_SHOWN = 50
"""Changes of each kind that are written out."""
_ENTRY = re.compile(r"entries\[(\d+)\]")


@click.command("apply")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Form)),
    default="auto",
    show_default=True,
    help="How the files are written; `auto` tells it from each.",
)
@click.option("--catalog", metavar="NAME", help="What the catalog is called, if no file says it.")
@click.option("--prune", is_flag=True, help="Archive what the catalog declared before and no more.")
@click.option("--plan", is_flag=True, help="Only show what would change.")
@click.option("--yes", is_flag=True, help="Apply without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print the reply as JSON.")
def apply_command(
    paths: tuple[str, ...],
    form: Form,
    catalog: str | None,
    prune: bool,
    plan: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Make the entities that files declare so; applying them again changes nothing.

    PATH is a file in TOML, YAML or CSV, Backstage's catalog-info.yaml, or a folder of such files.
    All of them are one catalog, applied whole or not at all. On a terminal the changes are shown
    first and applied after a yes; in a script, and with --json, they are applied at once.

    The exit status of --plan is 0 when nothing would change and 3 when something would; a no to the
    question is 1.
    """
    from nexus.catalogs.reading import read_catalog  # other commands do not pay for YAML

    with reporting():
        read = read_catalog([Path(path) for path in paths], form, catalog)
        for remark in read.remarks:
            click.echo(visible_line(say("passed_over", remark=remark)), err=True)
        wanted = msgspec.structs.replace(read.catalog, prune=prune)
        asks = not yes and not plan and not as_json and sys.stdin.isatty() and sys.stdout.isatty()
        first = _apply(read, msgspec.structs.replace(wanted, plan=plan or asks))
    show_applied(first, wanted, as_json=as_json)
    if plan:
        raise SystemExit(SOMETHING_TO_DO if _changes(first) else 0)
    if asks and _changes(first):
        answer: str = click.prompt(say("apply?"), default="", show_default=False, prompt_suffix=" ")
        if answer.strip().lower() not in YES:
            raise click.Abort
        with reporting():
            show_applied(_apply(read, wanted), wanted, only_counts=True)


def show_applied(
    applied: CatalogApplied,
    catalog: ApplyCatalog,
    *,
    as_json: bool = False,
    only_counts: bool = False,
) -> None:
    """Print what was done or would be."""
    if as_json:
        show(applied, json=True)
        return
    if not only_counts:
        for line in _lines(applied, catalog):
            click.echo(line)
    counts = say(
        "counts",
        created=applied.created,
        updated=applied.updated,
        archived=applied.archived,
        unchanged=applied.unchanged,
    )
    for key in applied.stay_archived:
        click.echo(say("stays_archived", key=key, id=applied.entity_ids.get(key, "")))
    click.echo(counts if applied.applied else counts + say("only_a_plan"))


def _apply(read: ReadCatalog, wanted: ApplyCatalog) -> CatalogApplied:
    async def call() -> CatalogApplied:
        async with connect(NexusClient, PROGRAM, requester=person()) as nexus:
            return await nexus.apply_catalog(wanted)

    try:
        return asyncio.run(call())
    except ServiceError as error:
        raise _placed(error, read) from error


def _placed(error: ServiceError, read: ReadCatalog) -> ServiceError:
    """The failure, and where in the files the entry is that it speaks of."""
    match = _ENTRY.match(error.field or "")
    at = int(match[1]) if match else len(read.places)
    if at >= len(read.places):
        return error
    message = f"{read.places[at]} ({read.catalog.entries[at].key!r}): {error.message}"
    return type(error)(message, reason=error.reason, field=error.field, status=error.http_status)


def _changes(applied: CatalogApplied) -> int:
    return applied.created + applied.updated + applied.archived


def _lines(applied: CatalogApplied, catalog: ApplyCatalog) -> Iterator[str]:
    """Each change with what differs, a bounded number of each kind."""
    entries = {entry.key: entry for entry in catalog.entries}
    whole = {"create": applied.created, "update": applied.updated, "archive": applied.archived}
    for action, count in whole.items():
        changes = [change for change in applied.changes if change.action == action]
        for change in changes[:_SHOWN]:
            entry = entries.get(change.key)
            what = f"  {names_of(cast('dict[str, str]', entry.names))}" if entry else ""
            kind = f"  ({entry.type})" if entry else f"  {change.entity_id}"
            yield f"{_MARKS[action]} {change.key}{what}{kind}"
            yield from _differences(change)
        if count > _SHOWN:
            yield f"{_MARKS[action]} {say('more_changes', count=count - _SHOWN)}"


def _differences(change: PlannedChange) -> Iterator[str]:
    for difference in change.differences:
        yield f"    {visible_line(difference)}"
