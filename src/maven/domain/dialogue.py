"""What a conversation remembers from one turn to the next, per requester; values, never changed."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from maven.domain.utterance import Language

CHOICE_LIVES = timedelta(minutes=10)
"""How long "which one?" waits for its answer."""
MOST_FOCUSED = 10
"""Entities and items remembered at most."""


class Known(msgspec.Struct, frozen=True):
    """An entity Nexus has vouched for in this conversation."""

    entity_id: str
    names: dict[str, str]
    """Display name per language."""
    type: str = ""
    """Dotted, as Nexus gives it."""

    def name(self, language: Language) -> str:
        """What to call it."""
        return self.names.get(language) or next(iter(self.names.values()), self.entity_id)


class Option(msgspec.Struct, frozen=True):
    """One answer to "which one?": an entity or an item."""

    id: str
    names: dict[str, str]
    hint: str = ""
    """What tells it from the others."""
    words: list[str] = []
    """Further names it may be chosen by."""

    def name(self, language: Language) -> str:
        """What to call it."""
        return self.names.get(language) or next(iter(self.names.values()), self.id)


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

    def host(self, language: Language) -> str:
        """Where it would happen; empty when Nexus knows no host."""
        return self.host_names.get(language) or next(iter(self.host_names.values()), "")


class Told(msgspec.Struct, frozen=True):
    """An item Praxis holds that was just spoken of."""

    item_id: str
    names: dict[str, str]
    """How it was called, per language."""
    entity_id: str = ""
    """What it is about, where that is known."""


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
