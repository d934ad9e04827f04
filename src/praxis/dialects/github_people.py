"""What waits for a person on GitHub: reviews that were asked for and issues that were assigned."""

from __future__ import annotations

import msgspec

from praxis.contract import ObservedState
from praxis.dialects import bounded
from praxis.dialects.decoding import Name, decoded, required
from praxis.dialects.github_repository import Envelope, Login, latest
from praxis.domain.told import Report


class _Subject(msgspec.Struct, frozen=True, kw_only=True):
    """An issue or a pull request."""

    number: int | None = None
    title: str | None = None
    link: str | None = msgspec.field(default=None, name="html_url")
    merged: bool | None = None
    assignees: list[Login] | None = None
    reviewers: list[Login] | None = msgspec.field(default=None, name="requested_reviewers")
    teams: list[Login] | None = msgspec.field(default=None, name="requested_teams")
    updated_at: str | None = None
    closed_at: str | None = None


class _Review(msgspec.Struct, frozen=True, kw_only=True):
    id: Name = None
    state: str | None = None
    link: str | None = msgspec.field(default=None, name="html_url")
    submitted_at: str | None = None


class _Told(Envelope, frozen=True, kw_only=True):
    issue: _Subject | None = None
    pull_request: _Subject | None = None
    review: _Review | None = None
    requested_reviewer: Login | None = None
    requested_team: Login | None = None
    assignee: Login | None = None


def pull_request(body: bytes) -> Report | None:
    """A pull request that waits for a review, or is over."""
    told = decoded(body, _Told)
    pull = required(told.pull_request, "pull_request")
    asked = _asked(pull)
    match required(told.action, "action"):
        case "review_requested":
            return _report(told, pull, "review", "waiting", "waits for a review")
        case "review_request_removed" if not asked:
            return _report(told, pull, "review", "progress", "waits for no review")
        case "closed":
            words = "was merged" if pull.merged else "was closed"
            return _report(told, pull, "review", "ok", words)
        case _:
            return None


def review(body: bytes) -> Report | None:
    """A review that was given: it ends the waiting, or asks the author for changes."""
    told = decoded(body, _Told)
    pull = required(told.pull_request, "pull_request")
    given = required(told.review, "review")
    verdict = required(given.state, "review.state").lower()
    if required(told.action, "action") != "submitted":
        return None
    if verdict == "changes_requested":
        return _report(told, pull, "review", "waiting", "waits for changes", given)
    if verdict == "approved" and not _asked(pull):
        return _report(told, pull, "review", "progress", "was approved", given)
    return None


def issue(body: bytes) -> Report | None:
    """An issue that somebody is to deal with, or that is over."""
    told = decoded(body, _Told)
    subject = required(told.issue, "issue")
    action = required(told.action, "action")
    if action in {"closed", "deleted", "transferred"}:
        return _report(told, subject, "issue", "ok", f"was {action}")
    is_assigned = bool(subject.assignees)
    if action == "assigned" or (action in {"opened", "reopened"} and is_assigned):
        return _report(told, subject, "issue", "waiting", "was assigned")
    if action == "unassigned" and not is_assigned:
        return _report(told, subject, "issue", "progress", "is nobody's")
    return None


def _report(
    told: _Told,
    subject: _Subject,
    kind: str,
    state: ObservedState,
    words: str,
    given: _Review | None = None,
) -> Report:
    place = told.place
    field = "pull_request" if kind == "review" else "issue"
    number = required(subject.number, f"{field}.number")
    if given is not None:
        at = latest("review", submitted_at=given.submitted_at)
    else:
        at = latest(field, updated_at=subject.updated_at, closed_at=subject.closed_at)
    whom = _names(told.requested_reviewer, told.requested_team) or _names(told.assignee)
    noun = "pull" if kind == "review" else "issue"
    return Report(
        key=bounded.key(place, noun, number),
        kind=kind,
        state=state,
        severity="info" if state in {"ok", "progress"} else "warning",
        summary=bounded.line(f"{place}#{number} {words}: {subject.title or ''}"),
        observed_at=at,
        event_id=bounded.key(noun, place, number, told.action, whom, at) if at else None,
        subject=bounded.line(f"{place}#{number}", 200),
        group=place,
        link=bounded.link(given.link if given else subject.link),
        details=bounded.details({"action": told.action, "title": subject.title, "whom": whom}),
    )


def _asked(pull: _Subject) -> bool:
    return bool(pull.reviewers or pull.teams)


def _names(*people: Login | None) -> str:
    return ", ".join(each.login or each.slug or "" for each in people if each)
