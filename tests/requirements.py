"""What the system must do, by id, and the tests that show it.

A test names what it shows with `@requirement("arch.2")`. A requirement that is not wholly built
yet is planned for an issue; once that issue is in `DONE_ISSUES`, its requirements need tests.
`test_requirements.py` compares the two.
"""

from dataclasses import dataclass

import pytest

SPINE = "1. The spine: one whole path through all parts, on real processes"
NEXUS = "2. Nexus whole: resolve names in two languages, and never wrongly"
PRAXIS = "3. Praxis whole: attention from evidence"
HEXIS = "4. Hexis whole: controlled execution that can be trusted"
MAVEN = (
    "5. Maven's mind: understanding, dialogue, memory, reminders, digestion, "
    "memory evaluation, trace"
)
VECNA = "6. Vecna whole: shared agent memory, compatible and faster"
CHANNELS = "Maven's channels: web, Telegram, CalDAV and voice (no issue yet)"

ISSUES = frozenset({SPINE, NEXUS, PRAXIS, HEXIS, MAVEN, VECNA, CHANNELS})

DONE_ISSUES: frozenset[str] = frozenset({SPINE, NEXUS, PRAXIS})
"""The issues whose requirements can no longer be merely planned."""


@dataclass(frozen=True)
class Requirement:
    """One thing the system must do."""

    id: str
    text: str
    planned: str | None = None
    """The issue that completes it; none once its tests show the whole of it."""


def requirement(*ids: str) -> pytest.MarkDecorator:
    """Mark a test as showing these requirements."""
    return pytest.mark.requirement(*ids)


def planned(issue: str, texts: dict[str, str]) -> list[Requirement]:
    """List requirements that the named issue will complete."""
    return [Requirement(id, text, planned=issue) for id, text in texts.items()]


def shown(texts: dict[str, str]) -> list[Requirement]:
    """List requirements that are whole, so that each needs a test."""
    return [Requirement(id, text) for id, text in texts.items()]


ARCHITECTURE = [
    *shown(
        {
            "arch.1": "A name in Russian or in English leads Maven, through Nexus, to the entity.",
            "arch.2": "A name of several things is asked about before anything changes.",
            "arch.3": "Maven sums up what Praxis holds and keeps no copy of it.",
            "arch.4": "Surfaced, acknowledged and resolved stay three different things in Maven.",
            "arch.5": "Maven finds what Hexis can do to a canonical entity.",
            "arch.6": "There is no way for Maven to hand Hexis a command of its own making.",
            "arch.7": "A protected action needs a confirmation bound to exactly that action.",
            "arch.8": "That a command succeeded and that the thing recovered are told separately.",
            "arch.9": "Whether an item is resolved is for Praxis alone to say.",
            "arch.10": "Every call that leaves Maven is in the trace of its turn.",
            "arch.11": "Nexus, Praxis and Hexis can each be down without taking the others along.",
            "arch.12": "No part opens the database of another.",
            "arch.15": "With Nexus, Praxis and Hexis all down, Maven is still of use.",
            "arch.16": "With Maven down, Nexus, Praxis and Hexis are still of use.",
            "arch.17": "Each contract between parts has a version, and it is checked.",
            "arch.18": "A request carries who asked and its correlation id all the way.",
            "arch.19": "Nothing leads from Praxis to an execution by itself.",
            "arch.20": "All of it works without any cloud service.",
        },
    ),
    *planned(
        MAVEN,
        {
            "arch.13": "The resident model routes, phrases and sums up within bounds, no more.",
            "arch.14": "What a model says passes the same validation and policy as all else.",
        },
    ),
]

PHASES = [
    *shown(
        {
            "phase.1.typed-nexus-client": "Nexus is called through a typed client.",
            "phase.1.typed-praxis-client": "Praxis is called through a typed client.",
            "phase.1.typed-hexis-client": "Hexis is called through a typed client.",
            "phase.1.trace-integration": "A turn leaves a trace of its stages and calls.",
            "phase.1.resolve-entity": "Maven has a tool that resolves a name.",
            "phase.1.list-attention": "Maven has a tool that lists what needs attention.",
            "phase.1.list-changes": "Maven has a tool that lists what changed.",
            "phase.1.list-capabilities": "Maven has a tool that lists what can be done.",
            "phase.2.acknowledge-item": "A person can acknowledge an item through Maven.",
            "phase.2.resolve-item": "A person can resolve an item through Maven.",
            "phase.2.dialogue-continuation": "A short answer continues the question before it.",
            "phase.2.entity-disambiguation": "Maven asks which one is meant and takes the choice.",
            "phase.2.correlation-ids": "One correlation id joins all that was done for a request.",
            "phase.3.execution-request": "Maven asks Hexis for an execution on a person's behalf.",
            "phase.3.confirmation-lifecycle": "A challenge is issued, confirmed once, and expires.",
            "phase.3.execution-correlation": "Praxis joins an execution to the item it concerned.",
            "phase.4.change-cursor": "Changes in Praxis are read from a cursor on, each once.",
            "phase.4.no-autonomous-execution": "A digest or an item by itself executes nothing.",
            "phase.5.integration-harness": "Tests drive all parts together, as real processes.",
            "phase.5.latency-budgets": "Latency has budgets, and a measurement compares them.",
        },
    ),
    *planned(
        HEXIS,
        {
            "phase.3.status-polling": "The state of an execution can be followed to its end.",
            "phase.3.unknown-outcome": "An execution nobody saw end is unknown, and not repeated.",
            "phase.5.security-tests": "Known attacks are tests, and each is refused.",
        },
    ),
    *planned(
        MAVEN,
        {
            "phase.1.world-state-providers": "What a turn knows of the world comes from providers.",
            "phase.1.inspect-item": "Maven has a tool that shows one item.",
            "phase.1.inspect-capability": "Maven has a tool that shows one capability.",
            "phase.2.ignore-and-pin": "A person can ignore and pin an item through Maven.",
            "phase.4.bounded-summaries": "A digest of operations has a limit and keeps to it.",
            "phase.4.surfacing-semantics": "What a digest told is surfaced, and no more than that.",
            "phase.4.repeated-patterns": "What keeps happening is noticed as one pattern.",
            "phase.4.source-degradation": "A digest says which sources it could not hear.",
            "phase.5.protocol-compatibility": "Old clients and old fixtures keep working.",
            "phase.5.degraded-modes": "Every combination of missing parts is tested.",
            "phase.5.replay-fixtures": "Stored turns are replayed and compared.",
            "phase.5.routing-evaluation": "Routing is measured on utterances for every tool.",
        },
    ),
    *planned(
        CHANNELS,
        {"phase.3.web-execution-history": "The web shows which executions there were."},
    ),
]

INVARIANTS = [
    *shown(
        {
            "invariant.1": "Each part keeps to its own authority.",
            "invariant.2": "A part is reached by its versioned contract and typed client alone.",
            "invariant.4": "No path leads from an item to an execution unless a person asks.",
            "invariant.5": "Only an id that Nexus resolved reaches what changes something.",
            "invariant.6": "A confirmation is bound to one exact action, expires, is used once.",
            "invariant.7": "No state of an item, nor success and recovery, is taken for another.",
            "invariant.8": "A mutation of uncertain outcome is never sent again by a machine.",
            "invariant.10": "Every call says who, why, until when; secrets never reach a record.",
            "invariant.11": "Nothing needs a cloud service, and nothing is sent to one unasked.",
        },
    ),
    *planned(
        HEXIS,
        {"invariant.9": "Each part is of use alone, and a missing one is told as missing."},
    ),
    *planned(
        MAVEN,
        {"invariant.3": "A model's output is data, and without any model everything still works."},
    ),
]


NEXUS_WHOLE = shown(
    {
        "nexus.model.entity": "An entity has a type, names per language, facts and a revision.",
        "nexus.model.alias": "A name says who vouches for it, and one that is rejected stays away.",
        "nexus.model.mapping": (
            "What another system calls a thing has one owner, whoever writes at once."
        ),
        "nexus.model.relation": "A relation reads from both ends, and nothing contains itself.",
        "nexus.model.history": "Every change is kept with who, for whom, why, before and after.",
        "nexus.model.merge": "Merge and split keep every id answering and lose nothing.",
        "nexus.resolution.three-ways": "The answer is one entity, several to ask about, or none.",
        "nexus.resolution.inflection": (
            "Russian case forms, both alphabets and word order are understood."
        ),
        "nexus.resolution.kinds": "A word for the kind of thing narrows what is meant.",
        "nexus.resolution.slips": (
            "Slips of the finger and the other layout are understood for reading."
        ),
        "nexus.resolution.partial": (
            "Part of a name and initials are understood, and never for a mutation."
        ),
        "nexus.resolution.mutate": "Only a verified name comes back as resolved for a mutation.",
        "nexus.resolution.focus": (
            "What the talk is about orders, and decides nothing between unlike things."
        ),
        "nexus.resolution.feedback": (
            "A person's answer becomes a name, is audited and can be taken back."
        ),
        "nexus.resolution.read-only": "Resolving writes nothing and creates nothing.",
        "nexus.surface.batch": "Many questions are one call.",
        "nexus.surface.search": "Search and type-ahead work in both alphabets.",
        "nexus.surface.neighbourhood": "What surrounds an entity is bounded by depth and number.",
        "nexus.surface.changes": "A cursor tells every change once, and waits for news.",
        "nexus.surface.reconciliation": "The Reconciliation API is served whole, on two base URLs.",
        "nexus.surface.cli": (
            "The command says how it went by its exit status, and completes names."
        ),
        "nexus.surface.catalog": (
            "A catalog is planned, applied all or nothing, and pruned only when asked."
        ),
        "nexus.surface.import": "Backstage descriptions and tables are taken over.",
        "nexus.surface.discovery": "What this host holds is proposed, and a person accepts it.",
        "nexus.surface.first-steps": (
            "Ten things of one's own are named and found, bent, from a page."
        ),
        "nexus.measured.start": "A start makes no keys, and a write is seen by the next question.",
        "nexus.measured.growth": "Time, memory, disk and building are measured as names grow.",
        "nexus.measured.bars": (
            "The bars on labelled questions hold, and every script plays as written."
        ),
    },
)

PRAXIS_WHOLE = [
    *shown(
        {
            "praxis.model.observation": "An observation counts once, in whatever order it comes.",
            "praxis.model.identity": "An item is its source and key; its entity may come later.",
            "praxis.model.lifecycle": "Every transition has its undo, and says who, when and why.",
            "praxis.model.version": "A decision about what has moved on is refused.",
            "praxis.model.ignore": "Ignoring has an end, goes on counting and is listed.",
            "praxis.model.flapping": "What flaps is one item, one notice, well once it is quiet.",
            "praxis.model.recovery": "Only an explicit healthy observation recovers an item.",
            "praxis.model.routines": (
                "What was not completed in time is an item, in its own time zone, with grace."
            ),
            "praxis.model.order": "Every item says why it ranks where it does.",
            "praxis.sources.freshness": (
                "Silent sources become stale, and nothing of theirs recovers."
            ),
            "praxis.sources.push": "Other programs report in their own dialects.",
            "praxis.sources.signed": "Signed deliveries are taken with their signature alone.",
            "praxis.sources.rejected": "What does not fit is kept, shown and replayed.",
            "praxis.sources.pull": "Praxis looks by itself; one failing look harms no other.",
            "praxis.surface.search": "Items are found by word forms of both languages.",
            "praxis.surface.web": (
                "The pages work by keys, narrow, live, without script, and axe finds no fault."
            ),
            "praxis.surface.stream": "The feed is a stream of events, taken up where it was left.",
            "praxis.surface.capabilities": "What could be done is shown, and cannot be done here.",
            "praxis.surface.cli": "The command reports from any shell and shows changes live.",
            "praxis.measured.payloads": "Every recorded payload does what is expected of it.",
            "praxis.measured.killed": "A hundred kills under load lose nothing acknowledged.",
            "praxis.measured.real": "Real programs are observed in tests.",
        }
    ),
]

REQUIREMENTS = {
    each.id: each for each in [*ARCHITECTURE, *PHASES, *INVARIANTS, *NEXUS_WHOLE, *PRAXIS_WHOLE]
}
