"""Which thing a text means: the operations that read names and write nothing."""

from __future__ import annotations

from kit.trace import Call
from nexus.contract import (
    BatchResolution,
    Candidate,
    Candidates,
    Resolution,
    Resolve,
    ResolveBatch,
    Resolved,
    Search,
    Suggest,
)
from nexus.domain.resolve import MOST_CANDIDATES, decide, language_of
from nexus.register import Register
from nexus.store import EntityStore


class Resolving:
    """Names and what they mean."""

    def __init__(self, entities: EntityStore, register: Register) -> None:
        self._entities = entities
        self._register = register

    async def resolve(self, request: Resolve, call: Call) -> Resolution:
        """Say which entity a text means; nothing is written."""
        await self._register.catch_up()
        matches = self._register.names.find(request.text, request.types)
        language = language_of(request.text, request.language)
        places: dict[str, str] = {}
        if len(matches) > 1:
            ids = [match.entity.entity_id for match in matches[: 5 * MOST_CANDIDATES]]
            places = self._entities.places(ids, language)
        return decide(matches, request.purpose, language, request.focus, places)

    async def resolve_batch(self, request: ResolveBatch, call: Call) -> BatchResolution:
        """Answer each question as `resolve` does."""
        return BatchResolution(
            answers=[await self.resolve(question, call) for question in request.questions]
        )

    async def search(self, request: Search, call: Call) -> Candidates:
        """Entities that a text may be about."""
        question = Resolve(request.text, types=request.types, language=request.language)
        return Candidates(_all_of(await self.resolve(question, call))[: request.limit])

    async def suggest(self, request: Suggest, call: Call) -> Candidates:
        """Entities whose name begins so."""
        question = Resolve(request.prefix, types=request.types, language=request.language)
        return Candidates(_all_of(await self.resolve(question, call))[: request.limit])


def _all_of(resolution: Resolution) -> list[Candidate]:
    if isinstance(resolution, Resolved):
        return [
            Candidate(
                entity_id=resolution.entity_id,
                type=resolution.type,
                names=resolution.names,
                label=resolution.label,
                grade=resolution.grade,
                evidence=resolution.evidence,
                confidence=resolution.confidence,
            )
        ]
    return getattr(resolution, "candidates", None) or getattr(resolution, "suggestions", [])
