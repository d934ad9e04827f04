"""Serve Maven as a process: `mavend`."""

from __future__ import annotations

from hexis.client.executor import Executor
from kit.daemon import run
from kit.local import connect, grants_of, part_folder
from maven.app import open_part
from maven.settings import Settings
from nexus.client import NexusClient
from praxis.client import PraxisClient

PROGRAM = "mavend"
"""Whose credential the calls to other parts carry."""


def serve(settings: Settings) -> None:
    """Serve Maven until told to stop."""
    run(
        "maven",
        lambda: open_part(
            settings,
            part_folder("maven"),
            grants_of("maven"),
            connect(NexusClient, PROGRAM),
            connect(PraxisClient, PROGRAM),
            connect(Executor, PROGRAM),
        ),
        settings,
    )
