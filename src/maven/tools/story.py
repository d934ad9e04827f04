"""What became of something done, joined from Hexis and Praxis by execution and entity."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from hexis.contract.execution import Execution, GetExecution, ListExecutions
from kit.errors import InvalidArgument, NotFound
from maven.domain.dialogue import Known
from maven.domain.outcome import Missing, StoryTold
from maven.domain.story import Story, of_changes, of_execution
from maven.domain.turn import Turn
from maven.ports import Ports, ask
from maven.tools.identity import names_of
from praxis.contract import Change, ListChanges, ListSources, SourceState

_ACTION = "restart"
_BACK = timedelta(days=1)
"""How far back Praxis is asked when Hexis cannot say when something was done."""
_LOOKED_THROUGH = 50
_NEVER_BEGUN = frozenset({"awaiting_confirmation", "refused", "cancelled"})


async def story(turn: Turn, ports: Ports) -> Turn:
    """The newest restart of the thing meant, of the conversation, or of all."""
    execution = await _newest(turn, ports)
    if isinstance(execution, Execution):
        return await _told(turn, execution, ports)
    missing = (execution,) if execution else ()
    ids = [turn.target.entity_id] if turn.target else []
    asked = ListChanges(since=turn.at - _BACK, entity_ids=ids, limit=500)
    changes = await ask("praxis", ports.praxis.list_changes(asked))
    if isinstance(changes, Missing):
        watched = _watched(turn, ports)
        is_own = watched is not None and watched.requester == turn.requester
        gaps = (*missing, changes)
        return replace(turn, outcome=StoryTold(watched, gaps, turn.target, is_own))
    found = of_changes(changes.changes, _ACTION, turn.target) if missing else None
    if found and found.target is None:
        entity_id = next(
            each.entity_id for each in changes.changes if each.execution_id == found.execution_id
        )
        names = await names_of([entity_id], ports)
        found = replace(found, target=names.get(entity_id or ""))
    is_own = found is not None and found.requester == turn.requester
    return replace(turn, outcome=StoryTold(found, missing, turn.target, is_own))


async def _told(turn: Turn, execution: Execution, ports: Ports) -> Turn:
    ids = [execution.target.entity_id]
    asked = ListChanges(since=execution.created_at, entity_ids=ids, limit=500)
    changes, sources = await asyncio.gather(
        ask("praxis", ports.praxis.list_changes(asked)),
        ask("praxis", ports.praxis.list_sources(ListSources(entity_ids=ids))),
    )
    seen: list[Change] | None = None if isinstance(changes, Missing) else changes.changes
    states: list[SourceState] | None = None if isinstance(sources, Missing) else sources.sources
    missing = (changes,) if isinstance(changes, Missing) else ()
    told = of_execution(execution, seen, states)
    about = [told.target] if told.target else []
    return replace(
        turn,
        outcome=StoryTold(told, missing, told.target, told.requester == turn.requester),
        dialogue=turn.dialogue.about(*about),
    )


async def _newest(turn: Turn, ports: Ports) -> Execution | Missing | None:
    last = turn.dialogue.last_execution_id
    try:
        if turn.target is None and last:
            execution = await ask(
                "hexis", ports.hexis.get_execution(GetExecution(execution_id=last))
            )
            if isinstance(execution, Missing) or _was_begun(execution):
                return execution
        entity_id = turn.target.entity_id if turn.target else None
        listed = await ask(
            "hexis",
            ports.hexis.list_executions(ListExecutions(entity_id=entity_id, limit=_LOOKED_THROUGH)),
        )
    except (NotFound, InvalidArgument):
        return None
    if isinstance(listed, Missing):
        return listed
    return next(filter(_was_begun, listed.executions), None)


def _was_begun(execution: Execution) -> bool:
    """It is a restart that somebody confirmed, whatever became of it."""
    return execution.action == _ACTION and execution.state not in _NEVER_BEGUN


def _watched(turn: Turn, ports: Ports) -> Story | None:
    """What Maven itself remembers of having passed on."""
    wanted = turn.target.entity_id if turn.target else None
    for watch in reversed(ports.watches.open(turn.requester)):
        if wanted in (None, watch.target.entity_id):
            return Story(
                execution_id=watch.execution_id,
                action=watch.action,
                target=Known(watch.target.entity_id, watch.target.names, watch.target.type),
                requester=watch.requester,
                state=watch.told or "unknown",
                confirmed_at=watch.created_at,
            )
    return None
