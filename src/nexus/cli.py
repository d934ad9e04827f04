"""The command `nexus`: the operations for a person or a script, and `serve`."""

from __future__ import annotations

import click

from kit.cli import command_line, serve_command
from nexus.client import NexusClient
from nexus.contract import Ambiguous, NotFound, Resolution, Resolved
from nexus.settings import Settings


@serve_command("nexus", Settings)
def serve(settings: Settings) -> None:
    """Serve Nexus until told to stop."""
    from kit.daemon import run  # a client command does not pay for a server
    from kit.local import grants_of, part_folder
    from nexus.app import open_part

    run("nexus", lambda: open_part(settings, part_folder("nexus"), grants_of("nexus")), settings)


def _exit_status(resolution: Resolution) -> int:
    match resolution:
        case Resolved():
            return 0
        case Ambiguous():
            return 3
        case NotFound():
            return 4


main: click.Group = command_line(NexusClient, serve, exit_status={"resolve": _exit_status})
