"""Declared catalogs: what is to be so, what applying it would do, and everything as one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from kit.contract import Id, PageLimit, Reply, Request
from nexus.contract.keeping import Aliases, External
from nexus.contract.things import Attributes, Descriptions, EntityType, Names, Predicate, Why

Key = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_.:/-]*$(?!\n)", max_length=120)]
CatalogName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$(?!\n)", max_length=40)]
MOST_ENTRIES = 100_000


class CatalogEntry(Request):
    """One entity of a declared catalog, known by the catalog's own key."""

    key: Key
    """Stable name inside the catalog; it becomes the external id `catalog:<catalog>:<key>`."""
    type: EntityType
    names: Annotated[Names, Meta(min_length=1)]
    aliases: Aliases = []
    description: Descriptions = {}
    attributes: Attributes = {}
    external: External = {}
    relations: dict[Predicate, str | list[str]] = {}
    """Predicate to the key of another entry of the same catalog, or to several."""


class ApplyCatalog(Request):
    """Make the declared entities so; applying the same catalog again changes nothing."""

    catalog: CatalogName
    entries: Annotated[list[CatalogEntry], Meta(max_length=MOST_ENTRIES)]
    prune: bool = False
    """Archive what the catalog declared before and does not any more."""
    plan: bool = False
    """Say what would change, and change nothing."""
    why: Why = ""


class PlannedChange(Reply):
    """What applying a catalog does to one entity."""

    key: Key
    action: Literal["create", "update", "archive"]
    entity_id: Id | None
    """None for what a plan would only create."""
    differences: list[str] = []
    """For an update, each thing that differs, as `name en: "Old" → "New"`."""


class CatalogApplied(Reply):
    """What applying a catalog did, or would do."""

    entity_ids: dict[str, Id]
    """Key of each entry to the entity it names; what a plan would create is left out."""
    created: int
    updated: int
    unchanged: int
    archived: int = 0
    changes: list[PlannedChange] = []
    """Each thing that is not as declared, the first thousand."""
    stay_archived: list[Key] = []
    """Declared, and archived by hand all the same: a person brings them back, and nothing else."""
    applied: bool = True
    """False for a plan."""


class ExportCatalog(Request):
    """Show active entities as a catalog that can be kept in files and applied elsewhere."""

    type: EntityType | None = None
    catalog: CatalogName | None = None
    """Only what this catalog declares."""
    after: Id | None = None
    limit: PageLimit = 500


class ExportedEntry(Reply):
    """An active entity, as a catalog would declare it."""

    key: Key
    """Its key in the catalog it came from, or its id without the prefix."""
    type: EntityType
    names: dict[str, str]
    aliases: list[str] = []
    description: dict[str, str] = {}
    attributes: dict[str, Any] = {}
    external: dict[str, str] = {}
    relations: dict[str, list[str]] = {}


class ExportedCatalog(Reply):
    """A page of entries."""

    entries: list[ExportedEntry]
    next_after: Id | None = None
