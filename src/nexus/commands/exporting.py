"""The command `nexus export`: what is known, as a catalog that `nexus apply` takes back."""

from __future__ import annotations

import asyncio
from typing import get_args

import click
import msgspec

from kit.cli import PROGRAM, reporting
from kit.errors import NotFound
from kit.local import connect, person
from kit.visible import visible_line
from nexus.catalogs import Written
from nexus.client import NexusClient
from nexus.commands.texts import say
from nexus.contract import ExportCatalog, ExportedEntry


@click.command("export")
@click.option("--type", "entity_type", help="Only entities of this type, by prefix.")
@click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Written)),
    default="toml",
    show_default=True,
    help="The language of the file.",
)
@click.option("--catalog", metavar="NAME", help="Only what this catalog declares, under its name.")
def export_command(entity_type: str | None, form: Written, catalog: str | None) -> None:
    """Print the active entities as a catalog.

    With --catalog, what that catalog declares: `nexus apply` takes it back here or elsewhere.
    Without, everything, for another Nexus. A relation to an entity that is not among them is left
    out and told.
    """
    from nexus.catalogs.writing import written  # other commands do not pay for YAML

    with reporting():
        entries = asyncio.run(_entries(entity_type, catalog))
        if catalog is not None and not entries:
            raise NotFound(f"No catalog `{catalog}` declares anything in use.", field="catalog")
    for piece in written(catalog or "export", _related_inside(entries), form):
        click.echo(piece, nl=False)


async def _entries(entity_type: str | None, catalog: str | None) -> list[ExportedEntry]:
    found: list[ExportedEntry] = []
    after: str | None = None
    async with connect(NexusClient, PROGRAM, requester=person()) as nexus:
        while True:
            page = await nexus.export_catalog(
                ExportCatalog(type=entity_type, catalog=catalog, after=after, limit=500)
            )
            found += page.entries
            after = page.next_after
            if after is None:
                return found


def _related_inside(entries: list[ExportedEntry]) -> list[ExportedEntry]:
    keys = {entry.key for entry in entries}
    kept: list[ExportedEntry] = []
    for entry in entries:
        relations: dict[str, list[str]] = {}
        for predicate, objects in entry.relations.items():
            inside = [key for key in objects if key in keys]
            for key in sorted(set(objects) - set(inside)):
                click.echo(
                    visible_line(say("left_out", key=entry.key, predicate=predicate, far=key)),
                    err=True,
                )
            if inside:
                relations[predicate] = inside
        kept.append(msgspec.structs.replace(entry, relations=relations))
    return kept
