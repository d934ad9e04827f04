"""What a new ecosystem knows from the start: itself, the machine it runs on, and its own health."""

from __future__ import annotations

import asyncio
import socket
from importlib import resources
from pathlib import Path

from ecosystem.parts import CLI, PARTS, Part
from ecosystem.settings import Settings
from kit.auth import write_private
from kit.local import connect, person
from nexus.client import NexusClient
from nexus.contract import ApplyCatalog, CatalogEntry
from praxis.client import PraxisClient
from praxis.contract import HealthCheck, PutSource

_CATALOG = "ecosystem"
_HOST = "host"
_SILENT_AFTER = 5
"""Intervals without news after which a health source counts as silent."""


def write_capabilities(home: Path) -> None:
    """Put the capabilities of the ecosystem's own parts where Hexis reads them."""
    text = (resources.files("hexis") / "providers" / "supervisor.toml").read_text("utf-8")
    path = home / "config" / "capabilities" / "ecosystem.toml"
    if not path.exists() or path.read_text("utf-8") != text:
        write_private(path, text.encode())


async def seed(home: Path, settings: Settings) -> None:
    """Tell Nexus what there is, and Praxis what to watch; saying it again changes nothing."""
    requester = person()
    async with (
        connect(NexusClient, CLI, requester=requester) as nexus,
        connect(PraxisClient, CLI, requester=requester) as praxis,
    ):
        applied = await nexus.apply_catalog(ApplyCatalog(catalog=_CATALOG, entries=catalog()))
        await asyncio.gather(
            *(
                praxis.put_source(_health(home, settings, part, applied.entity_ids[part.name]))
                for part in PARTS
            )
        )


def catalog() -> list[CatalogEntry]:
    """This host and the parts that run on it."""
    host = socket.gethostname()
    return [
        CatalogEntry(
            key=_HOST,
            type="device.host",
            names={"en": host, "ru": host},
            aliases=["this host", "этот хост"],
            external={"hostname": host},
        ),
        *(
            CatalogEntry(
                key=part.name,
                type="service.supervised",
                names=part.names,
                aliases=list(part.aliases),
                description=part.description,
                external={"supervisor": part.program},
                relations={"runs_on": _HOST},
            )
            for part in PARTS
        ),
    ]


def _health(home: Path, settings: Settings, part: Part, entity_id: str) -> PutSource:
    every = settings.health_every_s
    return PutSource(
        source=f"health:{part.name}",
        kind="health",
        entity_id=entity_id,
        expected_every_s=every * _SILENT_AFTER,
        health_check=HealthCheck(
            address=f"unix://{home / 'run' / f'{part.name}.sock'}", every_s=every
        ),
    )
