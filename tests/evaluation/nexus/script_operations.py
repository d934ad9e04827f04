"""The operations of a script as operations of Nexus's contract."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nexus.client import NexusClient
from nexus.contract import (
    AddAlias,
    Ambiguous,
    ArchiveEntity,
    CreateEntity,
    Entity,
    GetEntity,
    GiveFeedback,
    ListHistory,
    MapExternal,
    MergeEntities,
    Resolved,
    SplitEntity,
    UpdateEntity,
)
from tests.evaluation.nexus.asking import question, resolution
from tests.evaluation.nexus.registry import Declared, Loaded, nexus_type
from tests.evaluation.nexus.served import Served

Op = dict[str, Any]
_NEXUS_ID = re.compile(r"[a-z]{3}_[0-9a-z_]{1,60}")


@dataclass
class Script:
    """A script that runs, with what it has bound."""

    served: Served
    loaded: Loaded
    scripts: Path
    queries: Path
    bound: dict[str, Any] = field(default_factory=dict[str, Any])

    def value(self, name: str) -> Any:
        """What a word of the script stands for."""
        return self.bound[name[1:]] if name.startswith("$") else name

    def entity(self, name: str) -> str:
        """Nexus's id for the script's; an unknown one stays unknown."""
        own = str(self.value(name))
        if own in self.loaded.to_nexus:
            return self.loaded.to_nexus[own]
        return own if _NEXUS_ID.fullmatch(own) else "ent_unknown"

    def nexus(self, op: Op) -> NexusClient:
        """A client for the operation's actor."""
        actor = str(op.get("actor") or "user:owner")
        return self.served.as_(actor.replace("model:", "agent:", 1))

    def revision(self, op: Op) -> int | None:
        """The revision that the script saw."""
        return self.value(op["if_version"]) if op.get("if_version") else None


async def resolve(script: Script, op: Op) -> str | None:
    """Ask, and compare the answer."""
    found = await resolution(script.served.client, question(op))
    expect = op["expect"]
    status = found.__struct_config__.tag
    if status != expect["status"]:
        return f"{op['text']!r} is {status}, not {expect['status']}"
    if isinstance(found, Resolved) and found.entity_id != script.entity(expect["entity"]):
        return f"{op['text']!r} is {script.loaded.own(found.entity_id)}, not {expect['entity']}"
    if isinstance(found, Ambiguous):
        wanted = {script.entity(id) for id in expect["candidates"]}
        if not wanted <= {each.entity_id for each in found.candidates}:
            names = [script.loaded.own(each.entity_id) for each in found.candidates]
            return f"{op['text']!r} may be {names}, not {expect['candidates']}"
    return None


async def confirm_alias(script: Script, op: Op) -> None:
    """A person says what a text means."""
    sent = GiveFeedback(text=op["text"], entity_id=script.entity(op["entity"]))
    await script.nexus(op).give_feedback(sent, key=op.get("key"))


async def retract_alias(script: Script, op: Op) -> None:
    """A person takes it back."""
    entity = script.entity(op["entity"])
    sent = GiveFeedback(text=op["text"], entity_id=entity, verdict="retract")
    await script.nexus(op).give_feedback(sent, key=op.get("key"))


async def suggest_alias(script: Script, op: Op) -> None:
    """A model proposes a name."""
    entity = script.entity(op["entity"])
    sent = AddAlias(entity_id=entity, text=op["text"], origin="suggested")
    await script.nexus(op).add_alias(sent, key=op.get("key"))


async def merge(script: Script, op: Op) -> None:
    """Two are one."""
    sent = MergeEntities(source=script.entity(op["source"]), target=script.entity(op["target"]))
    await script.nexus(op).merge_entities(sent, key=op.get("key"))


async def split(script: Script, op: Op) -> None:
    """They are two again."""
    restored = script.entity(op["restore"])
    sent = SplitEntity(entity_id=script.entity(op["entity"]), restore=restored)
    await script.nexus(op).split_entity(sent, key=op.get("key"))


def _as_declared(entity: Entity) -> Declared:
    known = [(ref.system, ref.external_id) for ref in entity.external if ref.system != "catalog"]
    return Declared(
        type=entity.type,
        names=entity.names,
        aliases=sorted(alias.text for alias in entity.aliases),
        external=sorted(known),
        relations=sorted((far.predicate, far.entity_id) for far in entity.relations),
    )


async def get(script: Script, op: Op) -> str | None:
    """Look at one entity."""
    asked = script.entity(op["entity"])
    found = await script.served.client.get_entity(GetEntity(entity_id=asked))
    if "bind_version" in op:
        script.bound[op["bind_version"]] = found.revision
    expect: Op = op.get("expect") or {}
    if "redirect" in expect and found.entity_id != script.entity(expect["redirect"]):
        return f"it leads to {script.loaded.own(found.entity_id)}, not {expect['redirect']}"
    if expect.get("retired") and found.status != "archived":
        return f"it is {found.status}"
    if expect.get("same_as_registry"):
        said = script.loaded.declared[op["entity"]]
        wanted = Declared(
            type=said.type,
            names=said.names,
            aliases=sorted(said.aliases),
            external=sorted(said.external),
            relations=sorted((rel, script.entity(to)) for rel, to in said.relations),
        )
        shown = _as_declared(found)
        if shown != wanted:
            return f"it is {shown}, not {wanted}"
    return None


async def lookup_external(script: Script, op: Op) -> str | None:
    """Ask for what another system calls so."""
    asked = question({"text": f"{op['system']}:{op['id']}"})
    found = await resolution(script.served.client, asked)
    expect = op.get("expect")
    if not isinstance(found, Resolved):
        return None if expect in {None, "not_found"} else f"it is not {expect}'s"
    own = script.loaded.own(found.entity_id)
    return None if own == script.loaded.own(script.entity(str(expect))) else f"it is {own}'s"


async def rename(script: Script, op: Op) -> None:
    """Give an entity another display name."""
    sent = UpdateEntity(
        entity_id=script.entity(op["entity"]),
        names={op["lang"]: op["name"]},
        if_revision=script.revision(op),
    )
    await script.nexus(op).update_entity(sent, key=op.get("key"))


async def create(script: Script, op: Op) -> None:
    """Add an entity."""
    sent = CreateEntity(type=nexus_type(op["type"]), names=op["name"])
    made = await script.nexus(op).create_entity(sent, key=op.get("key"))
    if "bind" in op:
        script.bound[op["bind"]] = made.entity_id


async def retire(script: Script, op: Op) -> None:
    """Take an entity out of use."""
    sent = ArchiveEntity(entity_id=script.entity(op["entity"]), if_revision=script.revision(op))
    await script.nexus(op).archive_entity(sent, key=op.get("key"))


async def restore(script: Script, op: Op) -> None:
    """Take it back into use."""
    sent = UpdateEntity(
        entity_id=script.entity(op["entity"]), status="active", if_revision=script.revision(op)
    )
    await script.nexus(op).update_entity(sent, key=op.get("key"))


async def map_external(script: Script, op: Op) -> None:
    """Say what another system calls an entity."""
    sent = MapExternal(
        entity_id=script.entity(op["entity"]), system=op["system"], external_id=op["id"]
    )
    await script.nexus(op).map_external(sent, key=op.get("key"))


async def count_audit(script: Script, op: Op) -> str | None:
    """Count what was recorded of feedback on an entity."""
    asked = ListHistory(entity_id=script.entity(op["entity"]), limit=500)
    history = await script.served.client.list_history(asked)
    count = sum(change.operation == "give_feedback" for change in history.changes)
    return None if count == op["expect"] else f"{count} records, not {op['expect']}"


OPERATIONS: dict[str, Callable[[Script, Op], Awaitable[str | None]]] = {
    "resolve": resolve,
    "confirm_alias": confirm_alias,
    "retract_alias": retract_alias,
    "suggest_alias": suggest_alias,
    "merge": merge,
    "split": split,
    "get": get,
    "lookup_external": lookup_external,
    "rename": rename,
    "create": create,
    "retire": retire,
    "restore": restore,
    "map_external": map_external,
    "count_audit": count_audit,
}
