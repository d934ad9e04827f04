"""Recorded deliveries give the items they must: once, twice and backwards."""

import pytest

from praxis.dialects import Delivery
from praxis.dialects.recognise import recognise
from praxis.dialects.registry import DIALECTS
from praxis.domain.told import Report, Told
from tests.praxis.dialects.telling import delivery, is_beat, items, payload, requests

_GITHUB = {
    "07": "workflow_run",
    "08": "workflow_job",
    "10": "dependabot_alert",
    "14": "deployment_status",
}
_DIALECTS = {
    "01": "alertmanager",
    "03": "alertmanager",
    "04": "alertmanager",
    **dict.fromkeys(_GITHUB, "github"),
    "21": "journald",
    "22": "journald",
    "37": "cloudevents",
    "39": "cloudevents",
}


def _delivered(number: str) -> Delivery:
    if number in _GITHUB:
        return delivery(payload(number), x_github_event=_GITHUB[number])
    if number == "39":
        (binary,) = requests(payload(number))
        return binary
    return delivery(payload(number))


def _told(*numbers: str) -> Told:
    return [
        each for number in numbers for each in DIALECTS[_DIALECTS[number]].read(_delivered(number))
    ]


def test_an_alert_opens_an_item_by_its_fingerprint() -> None:
    (key, item), *others = items(_told("01")).items()

    assert others == []
    assert (key, item.severity, item.subject) == (
        "3707bba41e3cd671",
        "critical",
        "instance=homesrv:9100",
    )


def test_its_resolution_recovers_it() -> None:
    (item,) = items(_told("01", "03")).values()

    assert item.operational == "recovered"


def test_the_alert_that_always_fires_is_a_beat() -> None:
    assert is_beat(_told("04"))


def test_a_run_that_succeeds_and_a_deployment_that_succeeds_are_no_items() -> None:
    assert items(_told("07", "14")) == {}


def test_a_job_that_failed_names_the_steps() -> None:
    told = DIALECTS["github"].read(_delivered("08"))

    assert list(items(told)) == ["Codertocat/Hello-World:job:CodeQL:linters:main"]
    assert "Run yarn run format-check" in str(told)


def test_a_weak_dependency_has_the_severity_of_its_advisory() -> None:
    ((key, item),) = items(_told("10")).items()

    assert (key, item.severity) == ("wolfy1339/pika-pack:dependabot:20", "warning")


def test_a_unit_that_failed_is_an_item_by_its_name() -> None:
    ((key, item),) = items(_told("21")).items()

    assert (key, item.operational) == ("user:muzick-indexer.service", "active")


def test_a_crash_loop_is_one_item_that_ends_failed() -> None:
    (item,) = items(_told("22")).values()

    assert (item.operational, item.episodes, item.count) == ("active", 1, 6)
    assert item.title.endswith("Start request repeated too quickly.")


def test_an_event_in_two_modes_is_one_item() -> None:
    (item,) = items(_told("37", "39")).values()

    assert item.count == 1


def test_pings_open_a_run_close_it_and_tell_of_failures() -> None:
    pings = list(requests(payload("19")))
    told = [each for ping in pings for each in DIALECTS["healthchecks"].read(ping)]
    uuid = "5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278"

    assert [(each.key, each.state) for each in told if isinstance(each, Report)] == [
        (uuid, "progress"),
        (uuid, "ok"),
        (uuid, "problem"),
        (uuid, "info"),
        (uuid, "problem"),
        ("fqOOd6-F4MMNuCEnzTU01w/database-backup", "progress"),
    ]


def test_twice_and_backwards_give_the_same_items() -> None:
    once = items(_told(*_DIALECTS))

    assert len(once) == 5
    assert items(_told(*_DIALECTS, *_DIALECTS)) == once
    assert items(_told(*reversed(_DIALECTS))) == once
    assert items(reversed(_told(*_DIALECTS))) == once


@pytest.mark.parametrize("number", _DIALECTS)
def test_each_is_recognised(number: str) -> None:
    assert recognise(_delivered(number)) == _DIALECTS[number]
