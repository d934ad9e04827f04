"""Put labelled queries to Nexus and take down its answers under the registry's own ids."""

from __future__ import annotations

import time
from typing import Any, Literal

from kit.errors import InvalidArgument
from nexus.client import NexusClient
from nexus.contract import Ambiguous, NotFound, Purpose, Resolution, Resolve, Resolved
from tests.evaluation.nexus.registry import Loaded, nexus_type


def question(query: dict[str, Any], purpose: Purpose = "read") -> Resolve:
    """A query as Nexus is asked it."""
    lang = query.get("lang")
    language: Literal["ru", "en"] | None = lang if lang in {"ru", "en"} else None
    wanted: list[str] = query.get("types") or []
    types = [nexus_type(type) for type in wanted]
    return Resolve(text=query["text"], types=types, language=language, purpose=purpose)


async def resolution(nexus: NexusClient, asked: Resolve) -> Resolution:
    """What Nexus says; a text that it refuses names nothing."""
    try:
        return await nexus.resolve(asked)
    except InvalidArgument:
        return NotFound()


def answer_line(qid: str, found: Resolution, ms: float, loaded: Loaded) -> dict[str, Any]:
    """An answer as the scorer reads it."""
    line: dict[str, Any] = {"qid": qid, "entity_id": None, "candidates": [], "ms": round(ms, 3)}
    match found:
        case Resolved():
            line |= {
                "status": "resolved",
                "entity_id": loaded.own(found.entity_id),
                "grade": found.grade,
                "confidence": found.confidence,
            }
        case Ambiguous():
            first = found.candidates[0] if found.candidates else None
            line |= {
                "status": "ambiguous",
                "candidates": [loaded.own(each.entity_id) for each in found.candidates],
                "grade": first.grade if first else None,
                "confidence": first.confidence if first else None,
            }
        case NotFound():
            first = found.suggestions[0] if found.suggestions else None
            line |= {
                "status": "not_found",
                "candidates": [loaded.own(each.entity_id) for each in found.suggestions],
                "grade": first.grade if first else None,
                "confidence": first.confidence if first else None,
            }
    return line


async def answers(
    nexus: NexusClient, queries: list[dict[str, Any]], loaded: Loaded, purpose: Purpose
) -> list[dict[str, Any]]:
    """One line for each query, in their order."""
    lines: list[dict[str, Any]] = []
    for query in queries:
        started = time.perf_counter()
        found = await resolution(nexus, question(query, purpose))
        ms = (time.perf_counter() - started) * 1000
        lines.append(answer_line(query["qid"], found, ms, loaded))
    return lines
