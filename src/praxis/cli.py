"""The command `praxis`: the operations for a person or a script, and `serve`."""

from __future__ import annotations

import click

from kit.cli import command_line, serve_command
from praxis.client import PraxisClient
from praxis.settings import Settings


@serve_command("praxis", Settings)
def serve(settings: Settings) -> None:
    """Serve Praxis until told to stop."""
    from kit.daemon import run
    from kit.local import grants_of, part_folder, secret_of
    from praxis.app import open_part

    folder, grants, secret = part_folder("praxis"), grants_of("praxis"), secret_of("praxis")
    run("praxis", lambda: open_part(settings, folder, grants, secret), settings)


main: click.Group = command_line(PraxisClient, serve)
