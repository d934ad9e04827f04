"""The question that was shown last: what a plain yes answers, here and in the next command."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec

from hexis.contract.execution import Confirmation, ListConfirmations
from kit.auth import write_private
from kit.contract import Time
from kit.errors import ServiceError
from kit.local import connect
from maven.contract import Answer
from maven.plain_answer import NOTHING, Asked

_MOST = 500
_WITHIN_S = 3.0
_STEM = 6
"""Letters in which «перезапустить» and «перезапуск» agree."""
_SPACES = re.compile(r"\s+")
_QUOTES = re.compile(r"[«»“”„\"']")


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A question as it is remembered between commands."""

    confirmation_id: str
    expires_at: Time
    action: str = ""
    names: list[str] = []
    """Of what a yes would act on."""


class Question:
    """What one person was asked last in one conversation, kept in a file only they may read."""

    def __init__(self, folder: Path, requester: str, conversation_id: str) -> None:
        name = sha256(f"{requester}\0{conversation_id}".encode()).hexdigest()[:24]
        self._path = folder / f"question-{name}.json"
        self._requester = requester
        self._shown = self._read()

    @property
    def asked(self) -> Asked:
        """What words beside a yes may name."""
        shown = self._shown
        return Asked(shown.action, tuple(shown.names)) if shown else NOTHING

    def open_at(self, now: datetime) -> str | None:
        """The confirmation that a yes said now answers; None when nothing was asked."""
        shown = self._shown
        return shown.confirmation_id if shown is not None and now < shown.expires_at else None

    def forget(self) -> None:
        """Nothing is asked any more."""
        self._shown = None
        self._path.unlink(missing_ok=True)

    async def heed(self, answer: Answer, program: str) -> bool:
        """Remember what an answer asks; whether it is what Hexis itself waits for.

        Maven tells the question, Hexis acts on the yes. So a question that Hexis does not list, or
        that is told as being about something else, is not remembered.
        """
        before = self._shown
        self.forget()
        if answer.proposal is None:
            return True
        told = answer.proposal
        waiting = await self._waiting(program)
        if waiting is None and before and before.confirmation_id == told.confirmation_id:
            self._remember(before)
            return True
        asked = next((c for c in waiting or () if c.confirmation_id == told.confirmation_id), None)
        if asked is None or told.action != asked.action or not is_told(asked, answer.text):
            return False
        self._remember(
            Shown(
                confirmation_id=asked.confirmation_id,
                expires_at=asked.expires_at,
                action=asked.action,
                names=list(asked.target.names.values()),
            )
        )
        return True

    async def still_waits(self, confirmation_id: str, program: str) -> bool | None:
        """Whether Hexis waits for an answer to it; None when it cannot be asked."""
        waiting = await self._waiting(program)
        if waiting is None:
            return None
        return any(each.confirmation_id == confirmation_id for each in waiting)

    def _remember(self, shown: Shown) -> None:
        self._shown = shown
        write_private(self._path, msgspec.json.encode(shown))

    async def _waiting(self, program: str) -> list[Confirmation] | None:
        """What Hexis waits for; None when it cannot be asked."""
        from hexis.client.executor import Executor  # most answers ask nothing

        opened = partial(connect, Executor, program, requester=self._requester)
        async with await asyncio.to_thread(opened) as hexis:
            try:
                waiting = await hexis.list_confirmations(
                    ListConfirmations(limit=_MOST), timeout_s=_WITHIN_S
                )
            except ServiceError:
                return None
        return waiting.confirmations

    def _read(self) -> Shown | None:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Shown)
        except (OSError, msgspec.MsgspecError):
            return None


def is_told(asked: Confirmation, text: str) -> bool:
    """Whether a text names what a yes would do, to what, and where."""
    said = _folded(text)
    return (
        any(_stem(title) in said for title in asked.title.values() if title.strip())
        and _is_named(asked.target.names, said)
        and (not asked.target.host_names or _is_named(asked.target.host_names, said))
    )


def _stem(title: str) -> str:
    """How the first word of a title begins, whatever form of it a sentence takes."""
    return _folded(title).split()[0][:_STEM]


def _is_named(names: Mapping[str, str], said: str) -> bool:
    return any(_folded(name) in said for name in names.values() if name.strip())


def _folded(text: str) -> str:
    return _SPACES.sub(" ", _QUOTES.sub("", text)).casefold()
