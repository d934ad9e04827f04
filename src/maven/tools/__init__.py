"""What Maven can do with a routed turn: one function per intent, from a turn to its outcome.

Each tool asks the part that is authoritative, and phrases nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from maven.domain.turn import Turn
from maven.ports import Ports

Tool = Callable[[Turn, Ports], Awaitable[Turn]]
"""Adds an outcome to a turn, and what the conversation is about now."""
