"""One turn: the list of stages it passes through, and the trace they leave."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec.structs

from kit import redact
from kit.trace import Call, ExternalCall, impatient, working_for
from maven.contract import CONTRACT, TraceEntry
from maven.domain.outcome import Missing, Part
from maven.domain.traced import traced
from maven.domain.turn import Turn
from maven.ports import Ports
from maven.stages import delivery, hearing, phrasing, routing, working

_PARTS: dict[str, Part] = {"nexus": "nexus", "praxis": "praxis", "hexis": "hexis"}
_UNREACHED = frozenset(
    {"unavailable", "deadline_exceeded", "outcome_unknown", "unauthenticated", "internal"}
)


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a turn: what it reads of it and what it adds."""

    name: str
    run: Callable[[Turn, Ports], Awaitable[Turn]]
    given: tuple[str, ...]
    gives: tuple[str, ...]
    version: str = str(CONTRACT)


STAGES: tuple[Stage, ...] = (
    Stage("input", hearing.take_in, ("text", "channel"), ("utterance", "dialogue")),
    Stage("dialogue", hearing.as_answer, ("utterance", "dialogue"), ("said", "route", "dropped")),
    Stage("fast_path", hearing.as_sentence, ("utterance",), ("found", "language")),
    Stage("snapshot", routing.capture, ("dialogue",), ("snapshot",)),
    Stage(
        "router", routing.choose, ("found", "snapshot"), ("route", "dropped"), "maven.router/1.0"
    ),
    Stage("resolution", working.resolve, ("route",), ("target", "outcome")),
    Stage("query", working.query, ("route", "target"), ("outcome",)),
    Stage("action", working.act, ("route", "target"), ("outcome",)),
    Stage("phrasing", phrasing.phrase, ("outcome", "language", "dropped"), ("answer",)),
    Stage("delivery", delivery.deliver, ("answer",), ("delivered",)),
)
"""Every turn passes through all of them, in this order."""


class Trace:
    """What each stage was given and gave, and every call to a part; redacted as it is noted."""

    def __init__(self, turn_id: str, call: Call) -> None:
        self.entries: list[TraceEntry] = []
        self.unreached: set[str] = set()
        self._turn_id = turn_id
        self._call = call
        self._stage = ""

    def record(self, call: ExternalCall) -> None:
        """Note one finished call to another part."""
        part = _PARTS.get(call.service)
        if part and call.error_code in _UNREACHED:
            self.unreached.add(Missing.of(part, call.error_code, call.error_reason).part)
        self.entries.append(
            TraceEntry(
                turn_id=self._turn_id,
                sequence=len(self.entries) + 1,
                correlation_id=call.correlation_id,
                causation_id=call.causation_id,
                stage=self._stage,
                service=call.service,
                operation=call.operation,
                started_at=call.started_at,
                duration_ms=round(call.duration_ms, 3),
                status="error" if call.error_code else "ok",
                contract_version=call.contract_version,
                request_summary=redact.summary(call.request),
                response_summary=redact.summary(call.reply),
                error_code=call.error_code,
            )
        )

    async def follow(self, stage: Stage, turn: Turn, ports: Ports) -> Turn:
        """Run a stage and note what it was given and gave, before the calls it made."""
        self._stage = stage.name
        started_at, before = ports.clock.now(), time.perf_counter()
        place = len(self.entries)
        after = await stage.run(turn, ports)
        calls = self.entries[place:]
        entry = TraceEntry(
            turn_id=self._turn_id,
            sequence=place + 1,
            correlation_id=self._call.correlation_id,
            causation_id=self._call.causation_id,
            stage=stage.name,
            service="maven",
            operation=stage.name,
            started_at=started_at,
            duration_ms=round((time.perf_counter() - before) * 1000, 3),
            status="fallback" if after.fallback else "ok",
            contract_version=stage.version,
            request_summary=_summary(turn, stage.given),
            response_summary=_summary(after, stage.gives),
            fallback_reason=after.fallback,
        )
        moved = [msgspec.structs.replace(each, sequence=each.sequence + 1) for each in calls]
        self.entries[place:] = [entry, *moved]
        return replace(after, fallback=None, degraded=frozenset(self.unreached))


async def take(turn: Turn, call: Call, ports: Ports) -> tuple[Turn, list[TraceEntry]]:
    """Pass a turn through all stages; its calls name it as cause, and wait for no part twice."""
    caused = call.because(turn.turn_id)
    trace = Trace(turn.turn_id, caused)
    with working_for(caused, trace), impatient():
        for stage in STAGES:
            turn = await trace.follow(stage, turn, ports)
    return turn, trace.entries


def _summary(turn: Turn, names: tuple[str, ...]) -> str:
    """What a turn holds under these names, without secrets and within bounds."""
    held: dict[str, Any] = {name: traced(getattr(turn, name)) for name in names}
    if turn.outcome is not None and "outcome" in held:
        held["outcome"] = {type(turn.outcome).__name__: held["outcome"]}
    return redact.summary(held)
