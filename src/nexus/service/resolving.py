"""Which thing a text means: the operations that read names and write nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from kit.trace import Call
from nexus.contract import (
    BatchResolution,
    Candidates,
    Language,
    Resolution,
    Resolve,
    ResolveBatch,
    Search,
    Suggest,
)
from nexus.domain.match import Match
from nexus.domain.resolve import (
    MOST_CANDIDATES,
    Ranked,
    candidates,
    decide,
    language_of,
    rank,
)
from nexus.resolver.find import find
from nexus.resolver.focused import in_focus
from nexus.resolver.suggesting import beginning_with
from nexus.service.authored import Authored

_MOST_RANKED = 64
_AT_A_STRETCH = 20
"""Questions of a batch that are answered before others get their turn."""


class Resolving(Authored):
    """Names and what they mean."""

    async def resolve(self, request: Resolve, call: Call) -> Resolution:
        """Say which entity a text means; nothing is written."""
        return self._resolve(request)

    async def resolve_batch(self, request: ResolveBatch, call: Call) -> BatchResolution:
        """Answer each question as `resolve` does."""
        answers: list[Resolution] = []
        for place, question in enumerate(request.questions, 1):
            answers.append(self._resolve(question))
            if place % _AT_A_STRETCH == 0:
                await asyncio.sleep(0)
        return BatchResolution(answers)

    async def search(self, request: Search, call: Call) -> Candidates:
        """Entities that a text may be about."""
        language = language_of(request.text, request.language)
        with self._names.snapshot():
            ranked = self._ranked(find(self._names, request.text, request.types), language)
            return self._shown(ranked[: request.limit], language)

    async def suggest(self, request: Suggest, call: Call) -> Candidates:
        """Entities whose name begins so."""
        language = language_of(request.prefix, request.language)
        with self._names.snapshot():
            matches = beginning_with(self._names, request.prefix, request.types)
            return self._shown(self._ranked(matches, language)[: request.limit], language)

    def _resolve(self, request: Resolve) -> Resolution:
        with self._names.snapshot():
            return self._resolved(request)

    def _resolved(self, request: Resolve) -> Resolution:
        language = language_of(request.text, request.language)
        strictly = request.purpose == "mutate"
        matches = find(self._names, request.text, request.types, strictly=strictly)
        if not any(match.is_firm for match in matches):
            pointed_at = in_focus(self._names, request.text, request.types, request.focus)
            matches = matches if pointed_at is None else pointed_at
        ranked = self._ranked(matches, language, request.focus)
        return decide(ranked, request.purpose, language, self._places(ranked, language))

    def _ranked(
        self, matches: Sequence[Match], language: Language, focus: Sequence[str] = ()
    ) -> list[Ranked]:
        nearest = matches[:_MOST_RANKED]
        known = self._names.known([match.entity_id for match in nearest])
        return rank(nearest, known, language, focus)

    def _places(self, ranked: Sequence[Ranked], language: Language) -> dict[str, str]:
        if len(ranked) < 2:
            return {}
        ids = [each.entity.entity_id for each in ranked[:MOST_CANDIDATES]]
        return self._entities.places(ids, language)

    def _shown(self, ranked: Sequence[Ranked], language: Language) -> Candidates:
        return Candidates(candidates(ranked, language, self._places(ranked, language)))
