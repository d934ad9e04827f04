"""GitHub: what is completed decides, by what it is about and never by which run it was."""

from typing import Any
from urllib.parse import urlencode

import pytest

from praxis.dialects import Unfit
from tests.praxis.dialects.telling import is_beat, items, report, tell

_AT = "2026-11-30T10:00:00Z"
_REPOSITORY = {"full_name": "home/lights", "default_branch": "main"}


def _run(conclusion: str | None, number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "action": "completed" if conclusion else "in_progress",
        "repository": _REPOSITORY,
        "workflow": {"name": "tests", "path": ".github/workflows/tests.yml"},
        "workflow_run": {
            "id": number,
            "name": "tests",
            "status": "completed" if conclusion else "in_progress",
            "conclusion": conclusion,
            "head_branch": "main",
            "head_repository": {"full_name": "home/lights"},
            "run_attempt": 1,
            "updated_at": f"2026-11-30T10:0{number}:00Z",
            **more,
        },
    }


def _check(**more: Any) -> dict[str, Any]:
    return {
        "action": "completed",
        "repository": _REPOSITORY,
        "check_run": {
            "id": 9,
            "name": "lint",
            "status": "completed",
            "conclusion": "failure",
            "completed_at": _AT,
            "app": {"slug": "linter"},
            "check_suite": {"head_branch": "main"},
            "output": {"title": "2 errors"},
            **more,
        },
    }


def _alert(action: str, state: str, **more: Any) -> dict[str, Any]:
    return {
        "action": action,
        "repository": _REPOSITORY,
        "alert": {"number": 4, "state": state, "updated_at": _AT, **more},
    }


def _pull(action: str, **more: Any) -> dict[str, Any]:
    return {
        "action": action,
        "repository": _REPOSITORY,
        "pull_request": {"number": 12, "title": "Свет", "updated_at": _AT, **more},
    }


@pytest.mark.parametrize(
    ("conclusion", "state"),
    [
        ("success", "ok"),
        ("failure", "problem"),
        ("timed_out", "problem"),
        ("startup_failure", "problem"),
        ("action_required", "waiting"),
        ("cancelled", "info"),
        ("skipped", "info"),
        ("neutral", "info"),
        (None, "progress"),
    ],
)
def test_a_conclusion_decides(conclusion: str | None, state: str) -> None:
    told = report("github", _run(conclusion), x_github_event="workflow_run")

    assert (told.key, told.state) == ("home/lights:workflow:tests:main", state)


def test_the_next_run_of_the_same_branch_recovers_the_item() -> None:
    bad = report("github", _run("failure", 1), x_github_event="workflow_run")
    good = report("github", _run("success", 2), x_github_event="workflow_run")

    for told in ([bad, good], [good, bad, good]):
        (item,) = items(told).values()
        assert item.operational == "recovered"


def test_a_branch_of_a_fork_is_another_one() -> None:
    fork = _run("failure", head_repository={"full_name": "guest/lights"})

    assert report("github", fork, x_github_event="workflow_run").key.endswith("guest/lights#main")


def test_a_delivery_sent_again_is_the_same_report_whatever_its_own_id() -> None:
    first = report("github", _run("failure"), x_github_event="workflow_run", x_github_delivery="1")
    again = report("github", _run("failure"), x_github_event="workflow_run", x_github_delivery="2")

    assert first == again


def test_a_check_is_known_by_its_app_its_name_and_its_branch() -> None:
    told = report("github", _check(), x_github_event="check_run")

    assert (told.key, told.state) == ("home/lights:check:linter:lint:main", "problem")
    assert told.details["title"] == "2 errors"


def test_a_check_of_no_branch_is_known_by_its_request() -> None:
    body = _check(check_suite={"head_branch": None}, pull_requests=[{"number": 5}])

    assert report("github", body, x_github_event="check_run").key.endswith(":#5")


def test_to_ask_for_a_check_again_decides_nothing() -> None:
    body = _check() | {"action": "rerequested"}

    assert report("github", body, x_github_event="check_run").state == "info"


def test_a_suite_is_known_by_its_app() -> None:
    suite = {
        "id": 1,
        "status": "completed",
        "conclusion": "failure",
        "head_branch": "main",
        "updated_at": _AT,
        "app": {"slug": "linter"},
    }
    body = {"action": "completed", "repository": _REPOSITORY, "check_suite": suite}

    assert report("github", body, x_github_event="check_suite").key == (
        "home/lights:suite:linter:main"
    )


@pytest.mark.parametrize(
    ("said", "state"), [("success", "ok"), ("failure", "problem"), ("error", "problem")]
)
def test_a_status_is_of_the_default_branch_where_it_may_be(said: str, state: str) -> None:
    body = {
        "id": 1,
        "state": said,
        "context": "build",
        "sha": "abc",
        "branches": [{"name": "a"}, {"name": "main"}],
        "updated_at": _AT,
        "repository": _REPOSITORY,
    }
    told = report("github", body, x_github_event="status")

    assert (told.key, told.state) == ("home/lights:status:build:main", state)


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("failure", "problem"),
        ("success", "ok"),
        ("waiting", "waiting"),
        ("in_progress", "progress"),
        ("inactive", "info"),
    ],
)
def test_a_deployment_is_known_by_its_environment(said: str, state: str) -> None:
    body = {
        "repository": _REPOSITORY,
        "deployment_status": {"id": 1, "state": said, "environment": "home", "updated_at": _AT},
    }
    told = report("github", body, x_github_event="deployment_status")

    assert (told.key, told.state) == ("home/lights:deployment:home", state)


@pytest.mark.parametrize(
    ("action", "state", "meant"),
    [
        ("created", "open", "problem"),
        ("fixed", "fixed", "ok"),
        ("dismissed", "dismissed", "ok"),
        ("auto_dismissed", "auto_dismissed", "ok"),
        ("reopened", "open", "problem"),
        ("reintroduced", "open", "problem"),
        ("assigned", "open", "info"),
    ],
)
def test_a_weakness_ends_with_its_alert(action: str, state: str, meant: str) -> None:
    body = _alert(action, state, security_advisory={"severity": "high", "summary": "bad"})
    told = report("github", body, x_github_event="dependabot_alert")

    assert (told.key, told.state, told.severity) == ("home/lights:dependabot:4", meant, "error")


def test_a_finding_in_the_code_has_the_severity_of_its_rule() -> None:
    rule = {"id": "js/xss", "severity": "warning", "security_severity_level": "critical"}
    body = _alert("reopened_by_user", "open", rule=rule, tool={"name": "CodeQL"})
    told = report("github", body, x_github_event="code_scanning_alert")

    assert (told.key, told.severity) == ("home/lights:code_scanning:4", "critical")
    assert (
        report(
            "github", _alert("closed_by_user", "dismissed"), x_github_event="code_scanning_alert"
        ).state
        == "ok"
    )


def test_a_secret_that_was_found_is_not_kept() -> None:
    body = _alert("created", "open", secret_type="mailgun_api_key", secret="XXXX-found-here")
    told = report("github", body, x_github_event="secret_scanning_alert")

    assert (told.state, told.severity) == ("problem", "critical")
    assert "XXXX" not in str(told)


def test_an_old_alert_of_a_dependency_is_known_by_its_id() -> None:
    body = {
        "action": "resolve",
        "repository": _REPOSITORY,
        "alert": {"id": 7649605, "affected_package_name": "many_versioned_gem"},
    }
    told = report(
        "github", body, x_github_event="repository_vulnerability_alert", x_github_delivery="d"
    )

    assert (told.key, told.state) == ("home/lights:vulnerability:7649605", "ok")
    assert told.event_id == "d"


def test_a_review_is_waited_for_until_it_is_given() -> None:
    asked = report(
        "github",
        _pull("review_requested", requested_reviewers=[{"login": "anna"}]),
        x_github_event="pull_request",
    )
    given = report(
        "github",
        _pull("submitted", requested_reviewers=[])
        | {"review": {"state": "approved", "submitted_at": "2026-11-30T11:00:00Z"}},
        x_github_event="pull_request_review",
    )
    (item,) = items([asked, given]).values()

    assert (asked.key, asked.state, given.state) == ("home/lights:pull:12", "waiting", "progress")
    assert item.operational == "recovered"


def test_one_review_of_two_ends_no_waiting() -> None:
    body = _pull("submitted", requested_reviewers=[{"login": "boris"}]) | {
        "review": {"state": "approved", "submitted_at": _AT}
    }

    assert is_beat(tell("github", body, x_github_event="pull_request_review"))


def test_a_request_that_is_over_waits_for_nobody() -> None:
    told = report("github", _pull("closed", merged=True), x_github_event="pull_request")

    assert told.state == "ok"


@pytest.mark.parametrize(
    ("action", "assignees", "state"),
    [
        ("assigned", [{"login": "anna"}], "waiting"),
        ("unassigned", [], "progress"),
        ("closed", [], "ok"),
    ],
)
def test_an_issue_waits_while_it_is_somebodys(
    action: str, assignees: list[dict[str, str]], state: str
) -> None:
    issue = {"number": 3, "title": "Лампа", "assignees": assignees, "updated_at": _AT}
    body = {"action": action, "repository": _REPOSITORY, "issue": issue}

    assert report("github", body, x_github_event="issues").state == state


@pytest.mark.parametrize("event", ["ping", "star", "an_event_of_tomorrow"])
def test_what_tells_nothing_is_a_beat(event: str) -> None:
    assert is_beat(tell("github", {"zen": "Keep it logically awesome."}, x_github_event=event))


def test_a_form_carries_the_same_json() -> None:
    form = urlencode({"payload": '{"action": "closed"}'}).encode()

    with pytest.raises(Unfit) as refusal:
        tell(
            "github",
            form,
            x_github_event="issues",
            content_type="application/x-www-form-urlencoded",
        )

    assert refusal.value.field == "issue"


def test_without_the_name_of_the_event_it_is_none() -> None:
    with pytest.raises(Unfit) as refusal:
        tell("github", _run("failure"))

    assert refusal.value.field == "X-GitHub-Event"
