"""When there is something to tell of a watched execution, and the story told of one."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from hexis.contract.execution import Execution, ExecutionState, Target
from maven.domain.dialogue import Known
from maven.domain.story import of_changes, of_execution
from maven.domain.watch import Watch, from_changes, from_execution, from_health, given_up
from praxis.contract import Change, Freshness, ObservedState, SourceState

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
VECNA = Known("ent_vecna", {"en": "Vecna"}, "service.supervised")


def watch(told: str | None = None) -> Watch:
    """A watch over one restart."""
    return Watch(
        execution_id="exe_1",
        requester="user:anna",
        conversation_id="home",
        turn_id="trn_1",
        correlation_id="cor_1",
        language="en",
        action="restart",
        target=VECNA,
        expects_recovery=True,
        created_at=NOW,
        give_up_at=NOW + timedelta(minutes=15),
        told=told,
    )


def change(what: str, cursor: int, execution_id: str = "exe_1", **details: str) -> Change:
    """One step of Praxis's feed."""
    return Change(
        cursor=cursor,
        at=NOW + timedelta(seconds=cursor),
        what=what,  # pyright: ignore[reportArgumentType] - one of the words of the contract
        entity_id="ent_vecna",
        execution_id=execution_id,
        details=details,
    )


def execution(state: ExecutionState) -> Execution:
    """What Hexis says of the restart."""
    return Execution(
        execution_id="exe_1",
        state=state,
        capability_id="cap_restart",
        capability_version="1",
        action="restart",
        title={},
        target=Target("ent_vecna", "service.supervised", {"en": "Vecna"}),
        arguments={},
        requester="user:anna",
        risk="protected",
        created_at=NOW,
        expects_recovery=True,
        started_at=NOW,
        finished_at=NOW + timedelta(seconds=1),
    )


def test_recovery_after_another_execution_is_no_news_of_this_one() -> None:
    assert from_changes(watch(), [change("item_recovered", 1, "exe_2")]) == []


def test_a_late_recovery_follows_the_news_that_there_was_none() -> None:
    news = from_changes(watch(), [change("item_not_recovered", 1), change("item_recovered", 2)])

    assert [(each.kind, each.is_last) for each in news] == [
        ("not_recovered", False),
        ("recovered", True),
    ]


def test_nothing_after_the_last_word_is_told() -> None:
    news = from_changes(watch(), [change("item_recovered", 1), change("item_not_recovered", 2)])

    assert [each.kind for each in news] == ["recovered"]


@pytest.mark.parametrize(
    ("state", "told", "is_news", "is_last"),
    [
        ("running", None, False, False),
        ("succeeded", None, True, False),
        ("succeeded", "succeeded", False, False),
        ("failed", None, True, True),
        ("unknown", None, True, True),
        ("unknown", "unknown", False, False),
    ],
)
def test_an_end_is_news_to_who_has_not_heard_of_it(
    state: ExecutionState, told: str | None, is_news: bool, is_last: bool
) -> None:
    news = from_execution(watch(told), execution(state))

    assert (news is not None) == is_news
    assert news is None or news.is_last == is_last


def test_a_watch_is_given_up_in_the_end() -> None:
    assert given_up(watch(), NOW) is None
    assert given_up(watch(), NOW + timedelta(minutes=15)) is not None


@pytest.mark.parametrize(
    ("told", "seen_s", "state", "freshness", "is_news"),
    [
        ("succeeded", 1, "ok", "fresh", True),
        ("succeeded", -1, "ok", "fresh", False),
        ("succeeded", 1, "problem", "fresh", False),
        ("succeeded", 1, "ok", "stale", False),
        ("unknown", 1, "ok", "fresh", False),
    ],
)
def test_health_seen_after_the_end_is_recovery(
    told: str, seen_s: int, state: ObservedState, freshness: Freshness, is_news: bool
) -> None:
    source = SourceState(
        source="health:vecna",
        kind="health",
        entity_id="ent_vecna",
        freshness=freshness,
        expected_every_s=1,
        last_observed_at=NOW + timedelta(seconds=seen_s),
        last_state=state,
        last_change_at=None,
    )

    news = from_health(msgspec.structs.replace(watch(told), ended_at=NOW), [source])

    assert (news is not None) == is_news
    assert news is None or (news.kind, news.at) == ("recovered", NOW + timedelta(seconds=seen_s))


def test_success_alone_is_no_recovery_in_a_story() -> None:
    story = of_execution(execution("succeeded"), [], [])

    assert story.ended_at == NOW + timedelta(seconds=1)
    assert story.healthy_at is None
    assert story.is_watched


def test_a_story_takes_the_time_of_recovery_from_what_was_observed() -> None:
    seen = NOW + timedelta(seconds=5)
    changes = [
        change("instance_changed", 3, "", started_at=NOW.isoformat()),
        change("item_recovered", 6, recovered_at=seen.isoformat()),
    ]

    story = of_execution(execution("succeeded"), changes, None)

    assert (story.process_started_at, story.healthy_at) == (NOW, seen)


def test_praxis_alone_can_tell_the_story() -> None:
    changes = [
        change("execution_reported", 1, state="running", action="restart", requester="user:anna"),
        change("execution_reported", 2, state="succeeded", action="restart", requester="user:anna"),
        change("item_recovered", 3),
    ]

    story = of_changes(changes, "restart", VECNA)

    assert story is not None
    assert (story.state, story.requester) == ("succeeded", "user:anna")
    assert story.started_at == NOW + timedelta(seconds=1)
    assert story.healthy_at == NOW + timedelta(seconds=3)
    assert of_changes(changes[2:], "restart", VECNA) is None
