"""What a person decides about an item: checked, written beside the facts, told in the feed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from kit.errors import Conflict, FailedPrecondition, NotFound
from praxis.contract import IgnoreEnd, What
from praxis.domain.changes import Step
from praxis.domain.standing import LEADS_TO, LEGAL, Ignored, Standing, Verb, decide, ignore
from praxis.store import items
from praxis.store.intake import Intake
from praxis.store.items import Kept

_TOLD_AS: dict[Verb, What] = {
    "surface": "item_surfaced",
    "acknowledge": "item_acknowledged",
    "unacknowledge": "item_unacknowledged",
    "resolve": "item_resolved",
    "reopen": "item_reopened",
    "ignore": "item_ignored",
    "unignore": "item_unignored",
    "pin": "item_pinned",
    "unpin": "item_unpinned",
}


@dataclass(frozen=True, slots=True)
class Decided:
    """What a person wants of an item, who they are, and why."""

    verb: Verb
    requester: str
    note: str = ""
    channel: str = ""
    ends: IgnoreEnd = "worse"
    until: datetime | None = None


def load(intake: Intake, item_id: str, field: str) -> Kept:
    """The item to decide about.

    Raises:
        NotFound: There is none of this id.
    """
    try:
        kept = items.load(intake.connection, item_id)
    except NotFound as error:
        raise NotFound(error.message, field=field) from error
    if not kept.facts.episodes:
        raise NotFound(f"There is no item {item_id}.", field=field)
    return kept


def changes(kept: Kept, decided: Decided) -> bool:
    """Whether it is not so already."""
    match decided.verb:
        case "ignore":
            ignored = kept.standing.ignored
            return ignored is None or (ignored.ends, ignored.until) != (decided.ends, decided.until)
        case "unignore":
            return kept.standing.ignored is not None
        case "pin":
            return not kept.standing.is_pinned
        case "unpin":
            return kept.standing.is_pinned
        case _:
            return kept.attention != LEADS_TO[decided.verb]


def check(kept: Kept, decided: Decided, if_version: int | None) -> None:
    """Refuse what the item, as it is now, does not allow.

    Raises:
        Conflict: It is not what the person saw any more.
        FailedPrecondition: No way leads there from its present state.
    """
    if if_version is not None and if_version != kept.version:
        raise Conflict(
            f"The item has moved on: it is at version {kept.version}, not {if_version};"
            f" it is {kept.facts.operational} and {kept.attention}. Look at it again.",
            reason="version_changed",
            field="if_version",
        )
    if kept.attention not in LEGAL.get(decided.verb, {kept.attention}):
        raise FailedPrecondition(
            f"An item that is {kept.attention} cannot become {LEADS_TO[decided.verb]}.",
            reason="illegal_transition",
        )
    if decided.verb == "ignore" and not kept.facts.is_active:
        raise FailedPrecondition(
            "The item has recovered; there is nothing to ignore.", reason="illegal_transition"
        )


def settle(intake: Intake, kept: Kept, decided: Decided) -> Kept:
    """Write down what was decided, and tell of it."""
    verb = decided.verb
    kept = replace(
        kept,
        standing=_standing(kept, decided, intake.now),
        version=kept.version + (verb != "surface"),
    )
    items.add_decision(
        intake.connection,
        kept,
        verb,
        intake.now,
        requester=decided.requester,
        channel=decided.channel,
        note=decided.note,
    )
    items.save(intake.connection, kept)
    intake.say(
        Step(
            what=_TOLD_AS[verb],
            actor=decided.requester,
            item_id=kept.item_id,
            entity_id=kept.entity_id,
            source=kept.source,
            details=_details(kept, decided),
        )
    )
    return kept


def _standing(kept: Kept, decided: Decided, now: datetime) -> Standing:
    standing, facts = kept.standing, kept.facts
    match decided.verb:
        case "ignore":
            return ignore(standing, facts, now, decided.ends, decided.until)
        case "unignore":
            return replace(standing, ignored=None)
        case "pin" | "unpin":
            return replace(standing, is_pinned=decided.verb == "pin")
        case _:
            return decide(standing, LEADS_TO[decided.verb], facts, now)


def _details(kept: Kept, decided: Decided) -> dict[str, str]:
    ignored: Ignored | None = kept.standing.ignored
    details = {
        "kind": kept.facts.kind,
        "operational": kept.facts.operational,
        "severity": kept.facts.shown_severity,
    }
    if decided.verb == "resolve" and kept.facts.is_active:
        details["still_firing"] = "yes"
    if decided.verb in {"reopen", "unignore"}:
        details["reason"] = "by_person"
    if decided.verb == "ignore" and ignored is not None:
        details["ends"] = ignored.ends
        if ignored.until is not None:
            details["until"] = ignored.until.isoformat()
    return details | {
        name: value
        for name, value in (("channel", decided.channel), ("note", decided.note))
        if value
    }
