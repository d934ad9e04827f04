"""Alertmanager and Grafana: each alert for itself, and what is missing said aloud."""

from typing import Any

import pytest

from praxis.dialects import Unfit
from praxis.domain.told import Beat, Report, Told
from tests.praxis.dialects.telling import is_beat, items, report, tell

_ZERO = "0001-01-01T00:00:00Z"


def _alert(status: str | None = "firing", name: str = "DiskFull", **more: Any) -> dict[str, Any]:
    return {
        "status": status,
        "labels": {"alertname": name, "instance": "nas:9100", "severity": "warning"},
        "annotations": {"summary": f"{name} on nas"},
        "startsAt": "2026-11-30T10:00:00.123456789Z",
        "endsAt": _ZERO if status == "firing" else "2026-11-30T11:00:00Z",
        "generatorURL": "http://prom:9090/graph",
        "fingerprint": "a1b2c3d4e5f60718",
        **more,
    }


def _batch(*alerts: object, **more: Any) -> dict[str, Any]:
    return {
        "version": "4",
        "groupKey": '{}:{alertname="DiskFull"}',
        "status": "firing",
        "alerts": list(alerts),
        "truncatedAlerts": 0,
        **more,
    }


def _grafana(*alerts: object, **more: Any) -> dict[str, Any]:
    return _batch(*alerts, version="1", orgId=7, state="alerting", title="[FIRING:1]", **more)


def _of(told: Told, kind: str) -> list[Report]:
    return [each for each in told if isinstance(each, Report) and each.kind == kind]


def test_an_alert_has_its_own_status_and_not_that_of_the_group() -> None:
    other = _alert("resolved", fingerprint="ffff")
    told = _of(tell("alertmanager", _batch(_alert(), other)), "alert")

    assert [(each.key, each.state) for each in told] == [
        ("a1b2c3d4e5f60718", "problem"),
        ("ffff", "ok"),
    ]
    assert [str(each.observed_at) for each in told] == [
        "2026-11-30 10:00:00.123456+00:00",
        "2026-11-30 11:00:00+00:00",
    ]


def test_a_resend_is_the_same_report_though_its_forecast_of_an_end_moves() -> None:
    first = _of(tell("alertmanager", _batch(_alert(endsAt="2026-11-30T10:05:00Z"))), "alert")
    second = _of(tell("alertmanager", _batch(_alert(endsAt="2026-11-30T10:09:00Z"))), "alert")

    assert first[0].event_id == second[0].event_id


def test_without_a_fingerprint_the_labels_are_the_identity() -> None:
    labels = {"b": "2", "a": "1", "alertname": "X"}
    turned = dict(reversed(labels.items()))
    one = _of(tell("alertmanager", _batch(_alert(fingerprint=None, labels=labels))), "alert")
    two = _of(tell("alertmanager", _batch(_alert(fingerprint="", labels=turned))), "alert")

    assert one[0].key == two[0].key


def test_a_truncated_batch_is_a_problem_of_what_is_seen() -> None:
    told = tell("alertmanager", _batch(_alert(), truncatedAlerts=2))
    (missing,) = _of(told, "visibility")

    assert (missing.state, missing.details["missing"]) == ("problem", "2")
    assert len(items(told)) == 2


def test_a_complete_batch_of_before_does_not_take_it_back() -> None:
    truncated = tell("alertmanager", _batch(_alert(), truncatedAlerts=2))
    complete = tell("alertmanager", _batch(_alert()))

    for told in ([*truncated, *complete], [*complete, *truncated]):
        assert {each.operational for each in items(told).values()} == {"active"}


@pytest.mark.parametrize(
    "labels",
    [
        {"alertname": "Watchdog"},
        {"alertname": "DeadMansSwitch", "severity": "critical"},
        {"alertname": "Anything", "severity": "none"},
    ],
)
def test_what_always_fires_is_a_beat_and_its_end_is_silence(labels: dict[str, str]) -> None:
    assert is_beat(tell("alertmanager", _batch(_alert(labels=labels))))
    assert not _of(tell("alertmanager", _batch(_alert("resolved", labels=labels))), "alert")


def test_an_empty_batch_is_a_beat() -> None:
    assert tell("alertmanager", _batch()) == [Beat()]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"version": "4"}, "alerts"),
        (_batch(_alert(status=None)), "alerts[0].status"),
        (_batch(_alert(startsAt="gestern")), "alerts[0].startsAt"),
        (_batch({"status": "firing"}), "alerts[0].labels"),
        (_batch(_alert(labels=[])), "alerts[0].labels"),
        ([], "body"),
    ],
)
def test_what_does_not_fit_is_named(body: object, field: str) -> None:
    with pytest.raises(Unfit) as refusal:
        tell("alertmanager", body)

    assert refusal.value.field == field


def test_grafana_keeps_organisations_apart_and_reads_offsets() -> None:
    told = tell("grafana", _grafana(_alert(startsAt="2021-10-12T09:51:03.157076+02:00")))
    (alert,) = _of(told, "alert")

    assert alert.key == "7:a1b2c3d4e5f60718"
    assert str(alert.observed_at) == "2021-10-12 07:51:03.157076+00:00"


def test_a_rule_without_data_is_a_problem_of_another_kind() -> None:
    (alert,) = _of(tell("grafana", _grafana(_alert(name="DatasourceNoData"))), "alert.no_data")

    assert alert.state == "problem"


def test_a_series_that_is_gone_was_not_seen_well() -> None:
    gone = _alert("resolved", annotations={"grafana_state_reason": "MissingSeries"})
    (alert,) = _of(tell("grafana", _grafana(gone)), "alert")

    assert alert.state == "info"


@pytest.mark.parametrize(
    ("state", "meant"),
    [("alerting", "problem"), ("ok", "ok"), ("no_data", "problem"), ("pending", "info")],
)
def test_a_dashboard_alert_is_known_by_its_rule(state: str, meant: str) -> None:
    body: dict[str, object] = {
        "dashboardId": 1,
        "evalMatches": [{"value": 1, "metric": "Count", "tags": {}}],
        "message": "Notification Message",
        "orgId": 1,
        "panelId": 2,
        "ruleId": 3,
        "ruleName": "Panel Title alert",
        "ruleUrl": "http://localhost:3000/d/hZ7BuVbWz/test?editPanel=2",
        "state": state,
        "tags": {"severity": "critical"},
        "title": "[Alerting] Panel Title alert",
    }
    told = report("grafana", body)

    assert (told.key, told.state, told.severity) == ("1:rule:3", meant, "critical")
