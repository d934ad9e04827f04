"""The command `nexus`: the operations for a person or a script, and `serve`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from kit.cli import PROGRAM, command_line, reporting, serve_command, show
from kit.local import connect, person
from nexus.client import NexusClient
from nexus.contract import Ambiguous, ApplyCatalog, CatalogApplied, NotFound, Resolution, Resolved
from nexus.settings import Settings


@serve_command("nexus", Settings)
def serve(settings: Settings) -> None:
    """Serve Nexus until told to stop."""
    from kit.daemon import run  # a client command does not pay for a server
    from kit.local import grants_of, part_folder
    from nexus.app import open_part

    run("nexus", lambda: open_part(settings, part_folder("nexus"), grants_of("nexus")), settings)


@click.command("apply")
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print the reply as JSON.")
def apply_command(file: str, as_json: bool) -> None:
    """Make the entities that a TOML file declares so; applying it again changes nothing.

    FILE says `catalog = "NAME"` and holds one `[[entries]]` for each entity, as
    config/entities.example.toml does.
    """
    from nexus import catalog_file

    async def apply(catalog: ApplyCatalog) -> CatalogApplied:
        async with connect(NexusClient, PROGRAM, requester=person()) as nexus:
            return await nexus.apply_catalog(catalog)

    with reporting():
        applied = asyncio.run(apply(catalog_file.read(Path(file))))
    show(applied, json=as_json)


@click.command("reconcile-url")
def reconcile_url_command() -> None:
    """Print the URLs of the reconciliation service; whoever has one may read what Nexus knows."""
    from kit.local import part_folder
    from kit.settings import load
    from nexus.reconciliation.credential import urls

    with reporting():
        for url in urls(part_folder("nexus"), load(Settings, "nexus").reconcile_port):
            click.echo(url)


def _exit_status(resolution: Resolution) -> int:
    match resolution:
        case Resolved():
            return 0
        case Ambiguous():
            return 3
        case NotFound():
            return 4


main: click.Group = command_line(
    NexusClient,
    serve,
    apply_command,
    reconcile_url_command,
    exit_status={"resolve": _exit_status},
)
