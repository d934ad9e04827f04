"""The command `praxis`: the operations for a person or a script, and `serve`."""

from __future__ import annotations

from typing import Any

import click

from kit.cli import command_line, serve_command
from praxis.client import PraxisClient
from praxis.commands import showing
from praxis.commands.configuring import apply_command, check_command
from praxis.commands.reporting import hook_command, job_command, ping_command
from praxis.commands.showing import watch_command
from praxis.commands.web import web_command
from praxis.settings import Settings


@serve_command("praxis", Settings)
def serve(settings: Settings) -> None:
    """Serve Praxis until told to stop."""
    from hexis.client.catalog import Catalog
    from kit.daemon import run
    from kit.local import connect, grants_of, part_folder, secret_of
    from nexus.client import NexusClient
    from praxis.app import open_part

    def opener() -> Any:
        return open_part(
            settings,
            part_folder("praxis"),
            grants_of("praxis"),
            secret_of("praxis"),
            nexus=connect(NexusClient, "praxis"),
            catalog=connect(Catalog, "praxis"),
        )

    run("praxis", opener, settings)


main: click.Group = command_line(
    PraxisClient,
    serve,
    watch_command,
    ping_command,
    job_command,
    hook_command,
    check_command,
    apply_command,
    web_command,
    shown={"list_attention": showing.attention, "list_routines": showing.routines},
)
