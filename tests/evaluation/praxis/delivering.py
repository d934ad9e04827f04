"""Deliver a folder of recorded payloads to Praxis, and tell per file what it made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from praxis.contract import Item, ListItems, ListSources
from praxis.dialects import Delivery
from praxis.dialects.recognise import of_format, recognise
from praxis.dialects.registry import DIALECTS
from praxis.dialects.signatures import SIGNED
from tests.evaluation.praxis.requests import Recorded, requests_of
from tests.evaluation.praxis.served import Served
from tests.evaluation.praxis.sessions import STANDS, Recording, recordings, unseen

SECRET = "development-secret"


async def deliver(
    running: Served, folder: Path, index: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Deliver every file in the order of the index; a line for each."""
    return [await _delivered(running, folder, entry) for entry in index]


async def _delivered(running: Served, folder: Path, entry: dict[str, Any]) -> dict[str, Any]:
    requests = requests_of(folder, entry)
    dialect = dialect_of(entry, requests)
    if dialect is None:
        return {"file": entry["file"], "error": f"no dialect is known for {entry['format']}"}
    source = str(entry.get("source") or dialect).lower().replace(" ", "-")
    is_signed = dialect in SIGNED and any(
        "signature" in name.lower() for each in requests for name in each.headers
    )
    door = await running.open(source, dialect, SECRET if is_signed else None)
    before = await items_by_id(running)
    answers = [await running.send(door, each) for each in requests]
    after = await items_by_id(running)
    return {
        "file": entry["file"],
        "dialect": dialect,
        "answers": [{"status": each.status_code, "body": each.text[:500]} for each in answers],
        "items": [shown(item) for item_id, item in after.items() if before.get(item_id) != item],
        "source": await source_state(running, source),
    }


def dialect_of(entry: dict[str, Any], requests: Sequence[Recorded]) -> str | None:
    """The dialect the index names, or else what the delivery itself tells."""
    named = of_format(str(entry.get("format", "")))
    if named in DIALECTS:
        return named
    first = requests[0]
    headers = {name.lower(): value for name, value in first.headers.items()}
    told = recognise(Delivery(body=first.body, headers=headers, path=first.path))
    return told if told in DIALECTS else None


async def items_by_id(running: Served) -> dict[str, Item]:
    """Every item, whole."""
    listed = await running.praxis.list_items(ListItems(limit=500))
    return {item.item_id: item for item in listed.items}


async def source_state(running: Served, name: str) -> dict[str, Any] | None:
    """How a source stands."""
    for source in (await running.praxis.list_sources(ListSources())).sources:
        if source.source == name:
            return {
                "source": name,
                "freshness": source.freshness,
                "expected_every_s": source.expected_every_s,
            }
    return None


def shown(item: Item) -> dict[str, Any]:
    """What a judge of the evaluation looks at."""
    return {
        "source": item.source,
        "kind": item.kind,
        "key": item.key,
        "entity_hint": item.subject,
        "entity_id": item.entity_id,
        "severity": item.severity,
        "title": item.title,
        "operational": item.operational,
        "attention": item.attention,
        "flapping": item.flapping,
        "stale": item.stale,
        "count": item.count,
        "episodes": item.episodes,
        "evidence": len(item.evidence),
        "newest_evidence": {
            "state": item.evidence[-1].state,
            "summary": item.evidence[-1].summary,
            "details": item.evidence[-1].details,
        }
        if item.evidence
        else None,
    }


async def replay(running: Served, folder: Path) -> list[dict[str, Any]]:
    """Replay every recorded session as the hooks its agent would have sent; a line for each."""
    return [await _replayed(running, each) for each in recordings(folder)]


async def _replayed(running: Served, recording: Recording) -> dict[str, Any]:
    seen: list[dict[str, Any]] = []
    for hook in recording.hooks():
        door = await running.open(hook.dialect, hook.dialect)
        answer = await running.send(door, Recorded(body=hook.delivery.body))
        after = await items_by_id(running)
        stands = [shown(item) for item in after.values() if item.key == hook.session]
        seen.append(
            {
                "session": hook.session,
                "event": hook.event,
                "status": answer.status_code,
                "body": answer.text[:500],
                "items": stands,
                "stand": _stand(stands, hook.event),
            }
        )
    phases = recording.phases()
    return {
        "session": recording.folder.name,
        "expected": [phase.stand for phase in phases],
        "unseen": unseen(phases, [each["stand"] for each in seen]),
        "hooks": seen,
    }


def _stand(items: list[dict[str, Any]], event: str) -> str:
    """How a session stands by its item; without one nothing is asked of anybody."""
    for item in items:
        if item["operational"] == "active":
            return STANDS[item["kind"]]
    return {"SessionStart": "ready", "SessionEnd": "ended"}.get(event, "working")
