"""The webhooks of GitHub: what each event tells, by the name its header bears."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import parse_qs

from praxis.dialects import Delivery, Unfit, github_alerts, github_people, github_runs
from praxis.dialects.bounded import key
from praxis.dialects.decoding import required, text_of
from praxis.domain.told import Beat, Report, Told

_READERS: dict[str, Callable[[bytes], Report | None]] = {
    "workflow_run": github_runs.workflow_run,
    "workflow_job": github_runs.workflow_job,
    "check_run": github_runs.check_run,
    "check_suite": github_runs.check_suite,
    "status": github_runs.status,
    "deployment_status": github_runs.deployment_status,
    "dependabot_alert": github_alerts.dependabot,
    "code_scanning_alert": github_alerts.code_scanning,
    "secret_scanning_alert": github_alerts.secret_scanning,
    "repository_vulnerability_alert": github_alerts.vulnerability,
    "pull_request": github_people.pull_request,
    "pull_request_review": github_people.review,
    "issues": github_people.issue,
}


class GitHub:
    """What runs, what is unsafe and what waits in a repository; never by a run or a delivery."""

    name = "github"

    def read(self, delivery: Delivery) -> Told:
        """A report of what the event is about; a beat where that is nothing to Praxis.

        Raises:
            Unfit: It is no delivery of GitHub.
        """
        event = required(delivery.headers.get("x-github-event"), "X-GitHub-Event")
        reader = _READERS.get(event)
        report = reader(_payload(delivery)) if reader else None
        if report is None:
            return [Beat()]
        sent = delivery.headers.get("x-github-delivery")
        return [report if report.event_id or not sent else replace(report, event_id=key(sent))]


def _payload(delivery: Delivery) -> bytes:
    """The JSON, which a webhook may also be set to send as a form."""
    if "x-www-form-urlencoded" not in delivery.headers.get("content-type", ""):
        return delivery.body
    try:
        fields = parse_qs(text_of(delivery.body), max_num_fields=10)
    except ValueError as error:
        raise Unfit("The form has too many fields.", "body") from error
    return required(fields.get("payload", [""])[0], "payload").encode("utf-8", "replace")
