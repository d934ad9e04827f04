"""The command `nexus`: the operations for a person or a script, and `serve`."""

from __future__ import annotations

import click

from kit.cli import command_line, reporting, serve_command
from nexus.client import NexusClient
from nexus.commands import answers, completing
from nexus.commands.applying import apply_command
from nexus.commands.discovering import discover_command
from nexus.commands.exporting import export_command
from nexus.commands.resolving import resolve_batch_command
from nexus.settings import Settings

_ENTITY_FIELDS = ("entity_id", "focus", "into", "object", "restore", "source", "subject", "target")


@serve_command("nexus", Settings)
def serve(settings: Settings) -> None:
    """Serve Nexus until told to stop."""
    from kit.daemon import run  # a client command does not pay for a server
    from kit.local import grants_of, part_folder
    from nexus.app import open_part

    run("nexus", lambda: open_part(settings, part_folder("nexus"), grants_of("nexus")), settings)


@click.command("reconcile-url")
def reconcile_url_command() -> None:
    """Print the URLs of the reconciliation service; whoever has one may read what Nexus knows."""
    from kit.local import part_folder
    from kit.settings import load
    from nexus.reconciliation.credential import urls

    with reporting():
        for url in urls(part_folder("nexus"), load(Settings, "nexus").reconcile_port):
            click.echo(url)


main: click.Group = command_line(
    NexusClient,
    serve,
    apply_command,
    export_command,
    discover_command,
    resolve_batch_command,
    reconcile_url_command,
    help_text="""Which real thing a name refers to.

    The exit status of resolve is 0 for one entity, 3 when several may be meant and 4 when there is
    none; that of a failure says what kind it is of.
    """,
    exit_status={"resolve": answers.exit_status},
    shown={"resolve": answers.said, "search": answers.listed, "suggest": answers.listed},
    completion={
        **dict.fromkeys(_ENTITY_FIELDS, completing.entity_ids),
        **dict.fromkeys(("text", "prefix"), completing.names),
        "proposal_id": completing.proposal_ids,
    },
)
