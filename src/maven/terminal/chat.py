"""An open conversation: turns one at a time, news in between, and the search for a lost answer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from itertools import takewhile
from typing import Protocol

from kit.cli import failure_line
from kit.errors import InvalidArgument, NotFound, OutcomeUnknown, ServiceError, Unavailable
from kit.local import language_here
from maven.contract import Answer, GetTurn, Language, ListTurns, Notification, TurnRecord
from maven.terminal.channel import Channel
from maven.terminal.listening import Listener, is_away
from maven.terminal.words import WORDS, Words, language_of

_LOOKS_S = (0.3, 1.5)
"""Between looks for a turn whose answer was lost."""
_PATIENCE_S = 60.0
"""How long to wait for Maven with such a look."""
_RECENT = 5
"""Turns looked at to see whether a proposal still waits."""


class Screen(Protocol):
    """Where the conversation is shown."""

    def answer(self, answer: Answer) -> None:
        """Show what Maven answered, and what it asks back."""
        ...

    def news(self, notification: Notification) -> None:
        """Show what Maven says unasked."""
        ...

    def note(self, text: str) -> None:
        """Show what the terminal itself has to say."""
        ...

    def link(self, there: bool) -> None:
        """Show that Maven went away, or that it is there (again)."""
        ...


class Chat:
    """One person, one conversation, one screen."""

    def __init__(self, channel: Channel, screen: Screen) -> None:
        self.language: Language = language_here()
        self.listener = Listener(channel.client, screen.news, screen.link)
        self._channel = channel
        channel.tell = screen.note
        self._screen = screen

    @property
    def words(self) -> Words:
        """The terminal's own words, in the language of the last utterance."""
        return WORDS[self.language]

    async def say(self, text: str) -> ServiceError | None:
        """Take a turn and show the answer; the failure, if there is none to show.

        A turn is sent once. If Maven was not there it was not sent, and `is_away` says so of the
        failure; if the answer was lost, the turn is looked up as soon as Maven is there.
        """
        self.language = language_of(text) or self.language
        try:
            turn = self._channel.turn(text, self.language)
        except InvalidArgument as error:
            self._screen.note(error.message)
            return error
        try:
            self._screen.answer(await self._channel.take(turn))
        except OutcomeUnknown as error:
            self._screen.note(self.words.unknown)
            return error if not await self._look_up(turn.turn_id) else None
        except ServiceError as error:
            if not is_away(error):
                self._screen.note(failure_line(error))
            return error
        return None

    async def is_settled(self, asked: Answer) -> bool:
        """Whether a proposal was answered since, or gave way to another; False when unknown."""
        if asked.proposal is not None:
            waits = await self._channel.still_waits(asked.proposal.confirmation_id)
            if waits is not None:
                return not waits
        recent = ListTurns(conversation_id=self._channel.conversation_id, limit=_RECENT)
        try:
            past = await self._channel.client.list_turns(recent)
        except ServiceError:
            return False
        since = takewhile(lambda turn: turn.turn_id != asked.turn_id, past.turns)
        return any(_settles(turn.answer, asked) for turn in since)

    def forget(self) -> None:
        """The question shown is settled."""
        self._channel.forget()

    async def listening(self, work: Coroutine[None, None, int]) -> int:
        """The result of `work`, with news told meanwhile."""
        heard = asyncio.create_task(self._listen())
        try:
            return await work
        finally:
            heard.cancel()
            await asyncio.gather(heard, return_exceptions=True)

    async def _listen(self) -> None:
        try:
            await self.listener.run()
        except ServiceError as error:
            self._screen.note(f"{self.words.no_news}: {failure_line(error)}")

    async def _look_up(self, turn_id: str) -> bool:
        """Show the answer of a turn that was sent; whether there is one."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                record = await self._find(turn_id)
        except TimeoutError:
            self._screen.note(f"{self.words.still_away} (maven trace {turn_id})")
            return False
        except ServiceError as error:
            no_record = isinstance(error, NotFound)
            said = self.words.no_record if no_record else failure_line(error)
            self._screen.note(f"{said} ({turn_id})")
            return False
        await self._channel.heed(record.answer)
        self._screen.note(self.words.arrived)
        self._screen.answer(record.answer)
        return True

    async def _find(self, turn_id: str) -> TurnRecord:
        """The record of a turn; it may appear a little after Maven is back."""
        looks = iter(_LOOKS_S)
        while True:
            await self.listener.connected.wait()
            try:
                return await self._channel.client.get_turn(GetTurn(turn_id))
            except Unavailable:
                await asyncio.sleep(_LOOKS_S[0])
            except NotFound:
                pause = next(looks, None)
                if pause is None:
                    raise
                await asyncio.sleep(pause)


def _settles(answer: Answer, asked: Answer) -> bool:
    if answer.proposal is not None and asked.proposal is not None:
        return answer.proposal.confirmation_id != asked.proposal.confirmation_id
    return not set(asked.execution_ids).isdisjoint(answer.execution_ids)
