"""What a stage may use: the clients of the other parts, the store, the clock, the grammar."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from hexis.client.executor import Executor
from kit.clock import Clock
from kit.errors import DeadlineExceeded, InvalidArgument, NotFound, ServiceError
from kit.pulse import Pulse
from maven.domain.fastpath import Grammar
from maven.domain.outcome import Missing, Part
from maven.settings import Settings
from maven.store import Conversations
from maven.store.known import KnownEntities
from maven.store.watches import Watches
from nexus.client import NexusClient
from praxis.client import PraxisClient

T = TypeVar("T")


@dataclass(kw_only=True)
class Ports:
    """Everything outside a turn, made once."""

    nexus: NexusClient
    praxis: PraxisClient
    hexis: Executor
    conversations: Conversations
    watches: Watches
    known: KnownEntities
    grammar: Grammar
    clock: Clock
    settings: Settings
    stopping: Pulse
    """Closed when Maven is told to stop."""
    watch_now: Callable[[], None] = lambda: None
    """Tell the follower that there is something to watch."""
    in_hand: set[str] = field(default_factory=set[str])
    """Executions a turn is just waiting for; their news waits for its answer."""


async def ask(part: Part, asking: Awaitable[T]) -> T | Missing:
    """The answer of a part, or that it could not be had; a read that fails breaks no turn.

    Raises:
        NotFound: The part answered: there is no such thing.
        InvalidArgument: The part answered: that cannot be asked.
    """
    try:
        return await asking
    except (NotFound, InvalidArgument):
        raise
    except ServiceError as error:
        return missing(part, error)


def missing(part: Part, error: ServiceError) -> Missing:
    """What could not be asked, from how `part` failed; it may be another one behind that."""
    return Missing.of(part, error.code, error.reason)


async def unless_stopping(asking: Awaitable[T], stopping: Pulse) -> T | None:
    """The answer, or None when Maven is told to stop before it comes."""
    if stopping.is_closed:
        close = getattr(asking, "close", None)
        if close is not None:
            close()
        return None
    task = asyncio.ensure_future(asking)
    closing = asyncio.ensure_future(stopping.wait(3600))
    try:
        await asyncio.wait({task, closing}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for each in (task, closing):
            if not each.done():
                each.cancel()


async def within(seconds: float, asking: Awaitable[T]) -> T:
    """The answer, if it comes in time.

    Raises:
        DeadlineExceeded: It does not.
    """
    try:
        async with asyncio.timeout(seconds):
            return await asking
    except TimeoutError as error:
        raise DeadlineExceeded from error
