"""What the pages can say: the fields every language fills, and how it counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from praxis.contract import (
    Attention,
    ExecutionState,
    Freshness,
    IgnoreEnd,
    ObservedState,
    RoutineStanding,
    Severity,
    What,
)

Language = Literal["en", "ru"]
LANGUAGES: tuple[Language, ...] = ("en", "ru")
Verb = Literal[
    "acknowledge",
    "unacknowledge",
    "resolve",
    "reopen",
    "ignore",
    "unignore",
    "pin",
    "unpin",
]
"""What the pages let a person decide."""
Forms = tuple[str, ...]
"""Of a counted phrase: one and other in English; one, few and many in Russian."""
Unit = Literal["second", "minute", "hour", "day"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """One language; `{n}` in a counted phrase is the number."""

    language: Language
    other_name: str
    """What the other language calls itself."""

    attention: str
    sources: str
    routines: str
    rejected: str
    search: str
    search_label: str
    pages: str
    skip: str
    language_label: str
    keys: str
    close: str
    live: str
    lost: str
    unreachable_title: str
    unreachable_body: str
    try_again: str
    shown_is_old: str
    no_script: str

    needs: str
    calm: str
    pinned_title: str
    noted_title: str
    needs_title: str
    aside_title: str
    aside_about: str
    not_all: str
    """With `{shown}` and `{total}`."""
    items: Forms
    alike: Forms
    times: Forms
    sources_fresh: Forms
    sources_silent: Forms
    silent_title: str
    silent_body: str
    believed: str
    no_sources: str
    no_sources_body: str
    no_match: str
    looked_at: str
    """With `{total}`."""
    filter: str
    any: str
    apply: str
    clear: str
    severity: str
    source: str
    entity: str
    entity_hint: str
    state: str
    cause: str
    states: dict[str, str]

    severities: dict[Severity, str]
    attentions: dict[Attention, str]
    observed: dict[ObservedState, str]
    freshness: dict[Freshness, str]
    executions: dict[ExecutionState, str]
    reasons: dict[str, str]
    because: str
    verbs: dict[Verb, str]
    done: dict[Verb, str]
    undo: str
    more: str
    about_item: str
    """With `{title}`: what the buttons of a line are about."""

    active: str
    active_since: str
    recovered: str
    recovered_at: str
    recover_by: str
    first_seen: str
    last_seen: str
    count: str
    episodes: str
    flaps: str
    kind: str
    key: str
    subject: str
    group: str
    link: str
    link_hint: str
    ignored_until: str
    ignored: dict[IgnoreEnd, str]
    still_counted: str

    decide: str
    note: str
    note_hint: str
    resolve_active: str
    ignore_ends: dict[IgnoreEnd, str]
    ignore_how: str
    until: str
    until_hint: str
    spans: dict[str, str]

    timeline: str
    timeline_cut: str
    evidence: str
    execution: str
    what: dict[What, str]
    by: str
    by_itself: dict[str, str]
    still_firing: str
    details: str

    capabilities: str
    capabilities_about: str
    capabilities_none: str
    capabilities_unknown: str
    capabilities_no_entity: str
    risks: dict[str, str]

    conflict: str
    conflict_body: str
    changed: str
    nothing_told: str
    refused: str
    not_known: str
    not_known_body: str
    kept_typed: str

    last_heard: str
    never_heard: str
    expected: str
    not_expected: str
    last_report: str
    since_change: str
    every: dict[Unit, Forms]
    sources_about: str
    sources_none: str

    found: Forms
    found_none: str
    search_hint: str

    routines_about: str
    routines_none: str
    standings: dict[RoutineStanding, str]
    due: str
    last_done: str
    started: str
    zone: str
    schedule: str

    rejected_about: str
    rejected_none: str
    field: str
    size: str
    excerpt: str
    replay: str
    replayed: str
    replay_failed: str

    missing: str
    missing_body: str
    sign_in: str
    sign_in_body: str
    sign_in_used: str
    go_on: str
    forbidden: str
    failed: str
    failed_body: str
    back: str

    now: str
    ago: dict[Unit, Forms]
    ahead: dict[Unit, Forms]
    months: tuple[str, ...]

    keys_about: str
    keys_on: str
    keys_rows: tuple[tuple[str, str], ...]
    changes: Forms
    refreshed: str

    def counted(self, forms: Forms, n: int) -> str:
        """A phrase with its number, in the form that number asks for."""
        return forms[form_of(self.language, n)].replace("{n}", f"{n}")


def form_of(language: Language, n: int) -> int:
    """Which of the forms of a phrase goes with a number."""
    if language == "en":
        return 0 if n == 1 else 1
    if n % 10 == 1 and n % 100 != 11:
        return 0
    return 1 if n % 10 in {2, 3, 4} and n % 100 not in {12, 13, 14} else 2
