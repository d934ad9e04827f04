"""The command `vecna`: the operations for a person or a script, and `serve`."""

from __future__ import annotations

import click

from kit.cli import command_line, serve_command
from vecna.client import VecnaClient
from vecna.settings import Settings


@serve_command("vecna", Settings)
def serve(settings: Settings) -> None:
    """Serve Vecna until told to stop."""
    from kit.daemon import run  # noqa: PLC0415 - a client command does not pay for a server
    from kit.local import grants_of, part_folder  # noqa: PLC0415
    from vecna.app import open_part  # noqa: PLC0415

    run("vecna", lambda: open_part(settings, part_folder("vecna"), grants_of("vecna")), settings)


main: click.Group = command_line(VecnaClient, serve)
