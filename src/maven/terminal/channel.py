"""Speak with Maven as the terminal: each utterance gets a turn id and the person's assertion."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

import click

from kit.assertion import Assertion, mint
from kit.clock import Clock, SystemClock
from kit.errors import InvalidArgument
from kit.ids import Ids
from kit.local import connect, language_here, part_folder, person, secret_of
from kit.render import visible
from kit.trace import originate, working_for
from maven.client import MavenClient
from maven.contract import LONGEST_TEXT, Answer, Language, TakeTurn
from maven.plain_answer import is_plain_yes
from maven.terminal.question import Question
from maven.terminal.words import WORDS, language_of

PROGRAM = "terminal"
"""The program whose credential this is, and the name of the channel."""
_CHECKED_BY = "hexis"
"""The part that checks the assertions."""


def conversation_here() -> str:
    """The conversation of this terminal session: each window has its own, and so its questions."""
    return f"{PROGRAM}-{os.getsid(0)}"


class Channel:
    """One person in one conversation, speaking through the terminal."""

    def __init__(
        self,
        client: MavenClient,
        key: bytes,
        requester: str,
        question: Question,
        conversation_id: str,
        clock: Clock | None = None,
    ) -> None:
        self.client = client
        self.requester = requester
        self.conversation_id = conversation_id
        self.tell: Callable[[str], None] = _complain
        """Takes what the channel itself has to say."""
        self._question = question
        self._key = key
        self._clock = clock or SystemClock()
        self._ids = Ids(self._clock)

    @classmethod
    def open(cls, conversation_id: str | None = None) -> Channel:
        """The channel of the person logged in, in the conversation of this terminal or another.

        Raises:
            Unauthenticated: The terminal has no credential on this machine.
        """
        requester, conversation_id = person(), conversation_id or conversation_here()
        client = connect(MavenClient, PROGRAM, requester=requester)
        key = secret_of(PROGRAM).assertion_key_for(_CHECKED_BY)
        question = Question(part_folder("maven") / PROGRAM, requester, conversation_id)
        return cls(client, key, requester, question, conversation_id)

    def turn(self, text: str, language: Language | None = None) -> TakeTurn:
        """A new turn for what was said; nothing is sent yet.

        Raises:
            InvalidArgument: It is longer than Maven listens to.
        """
        if len(text) > LONGEST_TEXT:
            words = WORDS[language_of(text) or language or language_here()]
            raise InvalidArgument(words.too_long.format(LONGEST_TEXT))
        return TakeTurn(
            turn_id=self._ids.new("trn"),
            text=text,
            channel=PROGRAM,
            conversation_id=self.conversation_id,
            language=language,
            answering=self._question.open_at(self._clock.now()),
        )

    async def take(self, turn: TakeTurn, timeout_s: float | None = None) -> Answer:
        """Send the turn, once, with an assertion that the person said this now.

        A plain yes is sworn to answer the question that was shown last, and nothing else is.

        Raises:
            ServiceError: `Unavailable` if it surely was not taken, `OutcomeUnknown` if no answer
                came, and what Maven itself refuses.
        """
        is_yes = is_plain_yes(turn.text, self._question.asked)
        sworn = Assertion(
            turn_id=turn.turn_id,
            requester=self.requester,
            channel=PROGRAM,
            issued_at=self._clock.now(),
            answers=(turn.answering or "") if is_yes else "",
        )
        call = replace(
            originate(self.requester),
            causation_id=turn.turn_id,
            channel_assertion=mint(self._key, sworn),
        )
        with working_for(call):
            answer = await self.client.take_turn(turn, timeout_s=timeout_s)
        await self.heed(answer)
        return answer

    async def heed(self, answer: Answer) -> None:
        """Remember what an answer asks; say so when it asks what Hexis does not."""
        if not await self._question.heed(answer, PROGRAM):
            self.tell(WORDS[answer.language].unvouched)

    async def still_waits(self, confirmation_id: str) -> bool | None:
        """Whether Hexis waits for an answer to this question; None when it cannot be asked."""
        return await self._question.still_waits(confirmation_id, PROGRAM)

    def forget(self) -> None:
        """The question shown last is settled; nothing that is said answers it any more."""
        self._question.forget()


def _complain(text: str) -> None:
    click.echo(visible(text), err=True)
