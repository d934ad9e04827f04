"""The command `vecna`: the operations for a person or a script, and `serve`."""

from __future__ import annotations

import click

from kit.cli import command_line, serve_command
from vecna.client import VecnaClient
from vecna.settings import Settings


@serve_command("vecna", Settings)
def serve(settings: Settings) -> None:
    """Serve Vecna until told to stop."""
    from kit.daemon import run
    from kit.local import grants_of, part_folder
    from vecna.app import open_part

    run("vecna", lambda: open_part(settings, part_folder("vecna"), grants_of("vecna")), settings)


main: click.Group = command_line(VecnaClient, serve)
