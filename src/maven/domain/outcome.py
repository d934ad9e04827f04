"""What a turn came to, as facts to be phrased; one class per thing Maven can have to say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hexis.contract.catalog import Capability
from hexis.contract.execution import Execution
from maven.domain.dialogue import Known, PendingChoice, PendingConfirmation, Told
from maven.domain.story import Story
from nexus.contract import Entity
from praxis.contract import Change, Item, Ranked, SourceState

Part = Literal["nexus", "praxis", "hexis"]
_UNNAMED = "identity_unverifiable"
"""What Hexis answers when Nexus does not tell it what an entity is."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A part that could not be asked, which is not an empty answer."""

    part: Part
    code: str
    """The canonical code of the failure."""
    reason: str = ""
    """The fine name below it."""
    told_by: Part | None = None
    """The part that was there and answered that it lacks this one."""

    @classmethod
    def of(cls, asked: Part, code: str, reason: str | None) -> Missing:
        """What is missing when `asked` failed so: a part that answers may lack another one."""
        if asked == "hexis" and reason == _UNNAMED:
            return cls("nexus", code, _UNNAMED, told_by=asked)
        return cls(asked, code, reason or "")


@dataclass(frozen=True, slots=True)
class Attention:
    """What needs a person, and what that rests on."""

    items: tuple[Ranked, ...]
    total: int
    sources: tuple[SourceState, ...]
    names: Mapping[str, Known]
    """Of the entities spoken of."""
    set_aside: tuple[Item, ...] = ()
    """What was called resolved and goes on all the same."""


@dataclass(frozen=True, slots=True)
class AttentionUnread:
    """Praxis could not be asked; what Maven knows itself."""

    missing: Missing
    confirmation: PendingConfirmation | None
    watched: tuple[tuple[str, Known], ...]
    """Action and target of executions whose end or effect is not known yet."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a thing is, as far as Praxis has seen."""

    target: Known
    sources: tuple[SourceState, ...] = ()
    items: tuple[Item, ...] = ()
    missing: Missing | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A finished look at a thing: its status or its logs."""

    execution: Execution


@dataclass(frozen=True, slots=True)
class Challenge:
    """Hexis wants a yes first."""

    confirmation: PendingConfirmation
    can_confirm: bool
    """This channel can carry the person's yes."""


@dataclass(frozen=True, slots=True)
class Carried:
    """Something was set going; how far it has come."""

    execution: Execution
    phase: Literal["ended", "under_way", "handed_over", "stopping", "unseen"]
    """`stopping`: Maven itself is going down. `unseen`: Hexis could not be asked again."""


@dataclass(frozen=True, slots=True)
class YesLost:
    """The yes was sent and no answer came, and reading did not help."""

    confirmation: PendingConfirmation


@dataclass(frozen=True, slots=True)
class YesRefused:
    """Hexis did not take the yes."""

    confirmation: PendingConfirmation
    reason: str
    still_waits: bool
    missing: Missing | None = None
    """What could not be asked, when that was the reason."""


@dataclass(frozen=True, slots=True)
class Declined:
    """The person said no; nothing was done."""

    confirmation: PendingConfirmation
    told_hexis: bool


@dataclass(frozen=True, slots=True)
class Lapsed:
    """The proposal was too old to be answered."""

    confirmation: PendingConfirmation


@dataclass(frozen=True, slots=True)
class NothingWaits:
    """A yes, no or cancel without a question."""

    verdict: Literal["yes", "no", "cancel"]


@dataclass(frozen=True, slots=True)
class CalledOff:
    """The question "which one?" is dropped."""


@dataclass(frozen=True, slots=True)
class AskAgain:
    """A proposal waits, and what was said does not answer it."""

    confirmation: PendingConfirmation
    why: Literal["unclear", "not_asked_last", "other_question"] = "unclear"
    """Neither yes nor no; after something else was said; or to what another window shows."""


@dataclass(frozen=True, slots=True)
class WhichOne:
    """Several things may be meant, or only something like it is known."""

    choice: PendingChoice
    said: str


@dataclass(frozen=True, slots=True)
class PickOne:
    """A yes to "which one?", which picks none of them."""

    choice: PendingChoice


@dataclass(frozen=True, slots=True)
class NoSuch:
    """Nexus knows nothing of that name."""

    said: str
    was_order: bool = False
    """Something was to be done to it."""


@dataclass(frozen=True, slots=True)
class NoReference:
    """A thing is meant and none was named or spoken of."""

    intent: str


@dataclass(frozen=True, slots=True)
class NamesUnread:
    """Nexus could not be asked, so the name means nothing for now."""

    said: str
    missing: Missing
    action: str | None
    """What was wanted, when it was more than to know."""


@dataclass(frozen=True, slots=True)
class CannotAct:
    """Hexis could not be asked; what Praxis says of the thing meanwhile."""

    target: Known
    action: str
    missing: Missing
    health: Health | None


@dataclass(frozen=True, slots=True)
class NoCapability:
    """Hexis offers no such thing for this target, or several."""

    target: Known
    action: str
    offered: tuple[Capability, ...]
    """All there are; of this action, when `is_several`."""
    is_several: bool = False


@dataclass(frozen=True, slots=True)
class ActionRefused:
    """Hexis answered, and will not."""

    target: Known
    action: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class StoryTold:
    """What became of something done."""

    story: Story | None
    missing: tuple[Missing, ...]
    target: Known | None
    is_own: bool = False
    """Whoever asks now had asked for it."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed in a time."""

    since: datetime
    changes: tuple[Change, ...]
    names: Mapping[str, Known]
    missing: Missing | None = None
    target: Known | None = None


@dataclass(frozen=True, slots=True)
class Abilities:
    """What can be done to a thing."""

    target: Known
    capabilities: tuple[Capability, ...] = ()
    missing: Missing | None = None
    asked_for: str | None = None
    """The action the question was about."""


@dataclass(frozen=True, slots=True)
class Description:
    """Who or what something is."""

    target: Known
    entity: Entity | None
    missing: Missing | None = None


@dataclass(frozen=True, slots=True)
class Handled:
    """An item was taken note of, or called dealt with."""

    item: Told
    verb: Literal["acknowledge", "done"]
    still_active: bool = False
    missing: Missing | None = None
    reason: str = ""
    """The code of why Praxis would not."""


@dataclass(frozen=True, slots=True)
class NothingTold:
    """There is no item that "got it" or "done" could mean."""

    verb: Literal["acknowledge", "done"]


@dataclass(frozen=True, slots=True)
class Talk:
    """Small talk and what is said of the conversation itself."""

    intent: str
    text: str = ""
    """What is repeated, or what was said."""


Outcome = (
    Attention | AttentionUnread | Health | Report | Challenge | Carried | YesLost | YesRefused
    | Declined | Lapsed | NothingWaits | CalledOff | AskAgain | WhichOne | PickOne | NoSuch
    | NoReference | NamesUnread | CannotAct | NoCapability | ActionRefused | StoryTold | Changes
    | Abilities | Description | Handled | NothingTold | Talk
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dropped:
    """A proposal was put aside because something else was asked to be done."""

    confirmation: PendingConfirmation
    told_hexis: bool = True
