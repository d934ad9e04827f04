"""What a conversation remembers from one turn to the next, per requester; values, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from kit.render import visible_line
from maven.domain.utterance import Language
from maven.plain_answer import Asked

CHOICE_LIVES = timedelta(minutes=10)
"""How long "which one?" waits for its answer."""
MOST_FOCUSED = 10
"""Entities and items remembered at most."""


def called(names: Mapping[str, str], language: Language) -> str:
    """The name in a language, or else in another one; empty when there is none."""
    return names.get(language) or next(iter(names.values()), "")


class Known(msgspec.Struct, frozen=True):
    """An entity Nexus has vouched for in this conversation."""

    entity_id: str
    names: dict[str, str]
    """Display name per language."""
    type: str = ""
    """Dotted, as Nexus gives it."""

    def name(self, language: Language) -> str:
        """What to call it, in one line."""
        return visible_line(called(self.names, language) or self.entity_id)


class Option(msgspec.Struct, frozen=True):
    """One answer to "which one?": an entity or an item."""

    id: str
    names: dict[str, str]
    hint: str = ""
    """What tells it from the others."""
    words: list[str] = []
    """Further names it may be chosen by."""

    def name(self, language: Language) -> str:
        """What to call it, in one line."""
        return visible_line(called(self.names, language) or self.id)


class PendingChoice(msgspec.Struct, frozen=True):
    """Maven asked which one is meant; the answer continues what was wanted."""

    intent: str
    """What to go on with once it is chosen."""
    options: list[Option]
    expires_at: datetime
    is_suggestion: bool = False
    """It was "did you mean …?", not "which one?"."""
    of: str = "entity"
    """`entity` or `item`."""


class PendingConfirmation(msgspec.Struct, frozen=True):
    """Hexis wants a yes; what it would allow."""

    confirmation_id: str
    execution_id: str
    capability_id: str
    action: str
    title: dict[str, str]
    target: Known
    host_names: dict[str, str]
    risk: str
    expires_at: datetime
    expects_recovery: bool = False

    @property
    def asked(self) -> Asked:
        """What words beside a yes may name."""
        return Asked(self.action, tuple(self.target.names.values()))

    def host(self, language: Language) -> str:
        """Where it would happen, in one line; empty when Nexus knows no host."""
        return visible_line(called(self.host_names, language))


class Told(msgspec.Struct, frozen=True):
    """An item Praxis holds that was just spoken of."""

    item_id: str
    names: dict[str, str]
    """How it was called, per language."""
    entity_id: str = ""
    """What it is about, where that is known."""

    def name(self, language: Language) -> str:
        """What to call it, in one line."""
        return visible_line(called(self.names, language) or self.item_id)


class Dialogue(msgspec.Struct, frozen=True):
    """The state of one conversation with one requester."""

    language: Language | None = None
    """What was spoken last."""
    choice: PendingChoice | None = None
    confirmation: PendingConfirmation | None = None
    focus: list[Known] = []
    """What "it" may mean: the entities last spoken of."""
    surfaced: list[Told] = []
    """What "got it" and "done" may mean: the items last told."""
    topic: str = ""
    """The question last answered, which "and Praxis?" asks again of something else."""
    last_execution_id: str | None = None
    last_answer: str = ""
    question: str = ""
    """The confirmation that the last answer asked for; empty when it asked for none."""

    @property
    def is_asked(self) -> bool:
        """Whether the last thing said was the question that a yes would answer."""
        return self.confirmation is not None and (
            self.question == self.confirmation.confirmation_id
        )

    def about(self, *entities: Known) -> Dialogue:
        """The conversation now is about these."""
        return replace(self, focus=list(entities[:MOST_FOCUSED])) if entities else self

    def asking(self, choice: PendingChoice) -> Dialogue:
        """Wait for a choice; one question at a time."""
        return replace(self, choice=choice)

    def proposing(self, confirmation: PendingConfirmation) -> Dialogue:
        """Wait for a yes."""
        return replace(self, choice=None, confirmation=confirmation)

    def settled(self) -> Dialogue:
        """Nothing waits for an answer any more."""
        return replace(self, choice=None, confirmation=None)

    def without_choice(self) -> Dialogue:
        """The question "which one?" is off."""
        return replace(self, choice=None) if self.choice else self

    def without_confirmation(self) -> Dialogue:
        """The proposal is off."""
        return replace(self, confirmation=None) if self.confirmation else self

    def telling(self, items: list[Told]) -> Dialogue:
        """These items were just told."""
        return replace(self, surfaced=items[:MOST_FOCUSED])

    def asked(self, topic: str) -> Dialogue:
        """This question was answered."""
        return replace(self, topic=topic)

    def known(self, entity_id: str) -> Known | None:
        """The entity, if this conversation spoke of it."""
        return next((known for known in self.focus if known.entity_id == entity_id), None)
