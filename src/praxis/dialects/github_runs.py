"""What runs on GitHub: workflows, jobs, checks, statuses and deployments, by branch.

Only what is completed decides, and a run that was skipped or cancelled shows neither ill nor well.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from praxis.contract import ObservedState, Severity
from praxis.dialects import bounded
from praxis.dialects.decoding import Name, decoded, required
from praxis.dialects.github_repository import Envelope, Repository, latest
from praxis.domain.told import Report

_STATES: dict[str, ObservedState] = {
    "success": "ok",
    "failure": "problem",
    "error": "problem",
    "timed_out": "problem",
    "startup_failure": "problem",
    "action_required": "waiting",
    "waiting": "waiting",
    "queued": "progress",
    "requested": "progress",
    "pending": "progress",
    "in_progress": "progress",
}
"""What a conclusion, a status or a state says; all others change nothing."""


class _Suite(msgspec.Struct, frozen=True, kw_only=True):
    head_branch: str | None = None


class _App(msgspec.Struct, frozen=True, kw_only=True):
    slug: str | None = None
    name: str | None = None


class _Pull(msgspec.Struct, frozen=True, kw_only=True):
    number: int | None = None


class _Step(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None = None
    conclusion: str | None = None


class _Output(msgspec.Struct, frozen=True, kw_only=True):
    title: str | None = None


class _Run(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow run, a job, a check run or a check suite: they share most of their fields."""

    id: Name = None
    name: str | None = None
    status: str | None = None
    conclusion: str | None = None
    attempt: int | None = msgspec.field(default=None, name="run_attempt")
    number: int | None = msgspec.field(default=None, name="run_number")
    title: str | None = msgspec.field(default=None, name="display_title")
    event: str | None = None
    path: str | None = None
    workflow: str | None = msgspec.field(default=None, name="workflow_name")
    branch: str | None = msgspec.field(default=None, name="head_branch")
    sha: str | None = msgspec.field(default=None, name="head_sha")
    head: Repository | None = msgspec.field(default=None, name="head_repository")
    suite: _Suite | None = msgspec.field(default=None, name="check_suite")
    app: _App | None = None
    pulls: list[_Pull] | None = msgspec.field(default=None, name="pull_requests")
    steps: list[_Step] | None = None
    output: _Output | None = None
    link: str | None = msgspec.field(default=None, name="html_url")
    created_at: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    updated_at: str | None = None


class _Workflow(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None = None
    path: str | None = None


class _Runs(Envelope, frozen=True, kw_only=True):
    workflow: _Workflow | None = None
    workflow_run: _Run | None = None
    workflow_job: _Run | None = None
    check_run: _Run | None = None
    check_suite: _Run | None = None


class _Branch(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None = None


class _Status(Envelope, frozen=True, kw_only=True):
    id: Name = None
    state: str | None = None
    context: str | None = None
    description: str | None = None
    link: str | None = msgspec.field(default=None, name="target_url")
    sha: str | None = None
    branches: list[_Branch] | None = None
    created_at: str | None = None
    updated_at: str | None = None


class _DeploymentState(msgspec.Struct, frozen=True, kw_only=True):
    id: Name = None
    state: str | None = None
    environment: str | None = None
    description: str | None = None
    link: str | None = msgspec.field(default=None, name="target_url")
    created_at: str | None = None
    updated_at: str | None = None


class _Deployment(msgspec.Struct, frozen=True, kw_only=True):
    environment: str | None = None
    ref: str | None = None
    task: str | None = None


class _Deployed(Envelope, frozen=True, kw_only=True):
    deployment_status: _DeploymentState | None = None
    deployment: _Deployment | None = None


def workflow_run(body: bytes) -> Report:
    """A run of a workflow, by the workflow and the branch."""
    told = decoded(body, _Runs)
    run = required(told.workflow_run, "workflow_run")
    workflow = told.workflow or _Workflow()
    name = workflow.name or run.name or workflow.path or run.path
    name = required(name, "workflow.name")
    return _report(told, run, "workflow_run", "ci.run", name, ("workflow", name))


def workflow_job(body: bytes) -> Report:
    """A job of a workflow; the steps that failed are the evidence."""
    told = decoded(body, _Runs)
    job = required(told.workflow_job, "workflow_job")
    name = required(job.name, "workflow_job.name")
    workflow = job.workflow or ""
    title = f"{workflow} / {name}" if workflow else name
    return _report(told, job, "workflow_job", "ci.job", title, ("job", workflow, name))


def check_run(body: bytes) -> Report:
    """A check of an app on a branch."""
    told = decoded(body, _Runs)
    check = required(told.check_run, "check_run")
    name = required(check.name, "check_run.name")
    return _report(told, check, "check_run", "ci.check", name, ("check", _app(check), name))


def check_suite(body: bytes) -> Report:
    """All the checks of an app on a branch."""
    told = decoded(body, _Runs)
    suite = required(told.check_suite, "check_suite")
    name = _app(suite) or "checks"
    return _report(told, suite, "check_suite", "ci.suite", name, ("suite", _app(suite)))


def status(body: bytes) -> Report:
    """The status another service gives a commit, by its context and the branch."""
    told = decoded(body, _Status)
    place = told.place
    state = required(told.state, "state")
    context = told.context or "default"
    names = sorted(branch.name for branch in told.branches or [] if branch.name)
    default = told.repository.default_branch if told.repository else None
    branch = default if default in names else next(iter(names), told.sha or "")
    at = latest("status", updated_at=told.updated_at, created_at=told.created_at)
    words = f"{context} {_said(state)} on {branch}"
    return Report(
        key=bounded.key(place, "status", context, branch),
        kind="ci.status",
        state=_STATES.get(state, "info"),
        severity=_severity(state),
        summary=bounded.line(f"{place}: {words}"),
        observed_at=at,
        event_id=_event_id("status", place, told.id, state, at),
        subject=place,
        group=bounded.line(f"{place}@{branch}", 200),
        link=bounded.link(told.link),
        details=bounded.details(
            {"context": context, "branch": branch, "commit": told.sha, "says": told.description}
        ),
    )


def deployment_status(body: bytes) -> Report:
    """How a deployment stands, by its environment."""
    told = decoded(body, _Deployed)
    place = told.place
    now = required(told.deployment_status, "deployment_status")
    deployment = told.deployment or _Deployment()
    state = required(now.state, "deployment_status.state")
    environment = now.environment or deployment.environment
    environment = required(environment, "deployment_status.environment")
    at = latest("deployment_status", updated_at=now.updated_at, created_at=now.created_at)
    return Report(
        key=bounded.key(place, "deployment", environment),
        kind="deploy.status",
        state=_STATES.get(state, "info"),
        severity=_severity(state),
        summary=bounded.line(f"{place}: deployment to {environment} {_said(state)}"),
        observed_at=at,
        event_id=_event_id("deployment_status", place, now.id, state, at),
        subject=place,
        group=bounded.line(f"{place}@{deployment.ref or environment}", 200),
        link=bounded.link(now.link),
        details=bounded.details(
            {
                "environment": environment,
                "state": state,
                "ref": deployment.ref,
                "task": deployment.task,
                "says": now.description,
            }
        ),
    )


def _report(
    told: _Runs, run: _Run, field: str, kind: str, title: str, identity: tuple[str, ...]
) -> Report:
    place = told.place
    state = _decided(run, told.action, field)
    branch = _branch(run, place)
    times = {
        "completed_at": run.completed_at,
        "updated_at": run.updated_at,
        "started_at": run.started_at,
        "created_at": run.created_at,
    }
    at = latest(field, **times)
    failed = [step.name for step in run.steps or [] if step.name and _is_bad(step.conclusion)]
    return Report(
        key=bounded.key(place, *identity, branch),
        kind=kind,
        state=_STATES.get(state, "info"),
        severity=_severity(state),
        summary=bounded.line(f"{place}: {title} {_said(state)} on {branch}"),
        observed_at=at,
        event_id=_event_id(field, place, f"{run.id}.{run.attempt or 1}", state, at),
        subject=place,
        group=bounded.line(f"{place}@{branch}", 200),
        link=bounded.link(run.link),
        details=bounded.details(
            {
                "failed_steps": ", ".join(failed),
                "conclusion": run.conclusion,
                "branch": branch,
                "commit": run.sha,
                "title": run.title or (run.output.title if run.output else None),
                "event": run.event,
                "run_number": run.number,
                "attempt": run.attempt,
            }
        ),
    )


def _decided(run: _Run, action: str | None, field: str) -> str:
    """The conclusion of what is completed, the status of what goes on."""
    if action in {"rerequested", "requested_action"}:
        return "stale"
    status = required(run.status or action, f"{field}.status")
    return required(run.conclusion, f"{field}.conclusion") if status == "completed" else status


def _branch(run: _Run, place: str) -> str:
    """The branch, with its repository where that is a fork; without one, the request or commit."""
    branch = run.branch or (run.suite.head_branch if run.suite else None)
    if not branch:
        number = next((pull.number for pull in run.pulls or [] if pull.number), None)
        return f"#{number}" if number else run.sha or ""
    home = run.head.full_name if run.head else None
    return f"{home}#{branch}" if home and home != place else branch


def _app(run: _Run) -> str:
    return (run.app.slug or run.app.name or "") if run.app else ""


def _is_bad(conclusion: str | None) -> bool:
    return _STATES.get(conclusion or "") == "problem"


def _severity(state: str) -> Severity:
    meant = _STATES.get(state)
    if meant == "problem":
        return "error"
    return "warning" if meant == "waiting" else "info"


def _said(state: str) -> str:
    words = {"success": "succeeded", "failure": "failed", "error": "failed"}
    return words.get(state) or f"is {state.replace('_', ' ')}"


def _event_id(field: str, place: str, number: Name, state: str, at: datetime | None) -> str | None:
    """The same for whatever tells of it again; None where it has no time to tell it by."""
    return bounded.key(field, place, number, state, at) if at and number is not None else None
