"""What Maven keeps: turns for as long as set, traces shorter, and watches across restarts."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from kit.store import Store
from maven.contract import Answer, Notification, TraceEntry, TurnRecord
from maven.domain.dialogue import Dialogue, Known
from maven.domain.watch import Watch
from maven.store import Conversations, digest_of
from maven.store.known import MOST, KnownEntities
from maven.store.watches import Watches

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def record(turn_id: str, at: datetime) -> TurnRecord:
    """A turn with one entry in its trace."""
    entry = TraceEntry(
        turn_id=turn_id,
        sequence=1,
        correlation_id="cor_1",
        causation_id=turn_id,
        stage="input",
        service="maven",
        operation="input",
        started_at=at,
        duration_ms=0.1,
        status="ok",
        contract_version="maven/1.0",
        request_summary="{}",
        response_summary="{}",
    )
    return TurnRecord(
        turn_id=turn_id,
        conversation_id="home",
        requester="user:anna",
        channel="terminal",
        at=at,
        duration_ms=1.0,
        text="hello",
        answer=Answer(turn_id=turn_id, conversation_id="home", text="Hi.", language="en"),
        trace=[entry],
    )


def watch(execution_id: str) -> Watch:
    """A watch over one restart."""
    return Watch(
        execution_id=execution_id,
        requester="user:anna",
        conversation_id="home",
        turn_id="trn_1",
        correlation_id="cor_1",
        language="ru",
        action="restart",
        target=Known("ent_a", {"ru": "Векна"}, "service"),
        expects_recovery=True,
        created_at=NOW,
        give_up_at=NOW + timedelta(minutes=15),
    )


def notification(execution_id: str) -> Notification:
    """News of one restart."""
    return Notification(
        notification_id=f"ntf_{execution_id}",
        cursor=0,
        at=NOW,
        conversation_id="home",
        kind="recovered",
        text="«Векна» в порядке.",
        language="ru",
        execution_id=execution_id,
    )


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A store of Maven's."""
    made = Store(tmp_path / "maven.db", "maven.store")
    yield made
    await made.close()


async def test_a_trace_is_forgotten_before_its_turn(store: Store) -> None:
    conversations = Conversations(store)
    for number, days in enumerate((400, 60, 1)):
        at = NOW - timedelta(days=days)
        await conversations.keep(record(f"trn_{number}", at), b"", Dialogue())

    await conversations.forget(NOW - timedelta(days=30), NOW - timedelta(days=365))

    kept = [conversations.turn("user:anna", f"trn_{number}") for number in range(3)]
    assert [each and len(each.trace) for each in kept] == [None, 0, 1]


async def test_the_state_of_a_dialogue_comes_back_as_it_was(store: Store) -> None:
    conversations = Conversations(store)
    state = Dialogue(language="ru", focus=[Known("ent_a", {"ru": "Векна"}, "service")])

    await conversations.keep(record("trn_1", NOW), digest_of("hello", "home"), state)

    assert conversations.dialogue("user:anna", "home") == state
    assert conversations.dialogue("user:boris", "home") == Dialogue()


async def test_the_same_news_is_kept_once(store: Store) -> None:
    watches = Watches(store)
    await watches.begin(watch("exe_1"), Dialogue())
    news = [("user:anna", notification("exe_1"))]

    first = await watches.settle(news, [], [], 7)
    again = await watches.settle(news, [], [("exe_1", "recovered")], 9)

    assert (first, again) == (1, 0)
    assert len(watches.notifications("user:anna", None, 0, 10)) == 1


async def test_the_place_in_the_feed_is_kept_while_something_is_watched(store: Store) -> None:
    watches = Watches(store)
    await watches.begin(watch("exe_1"), Dialogue())
    await watches.settle([], [], [], 7)
    while_watching = watches.cursor()

    await watches.settle([], [], [("exe_1", "recovered")], 9)

    assert while_watching == 7
    assert watches.cursor() is None
    assert watches.open() == []


async def test_a_name_that_nexus_vouched_for_is_remembered_with_the_turn(store: Store) -> None:
    conversations, known = Conversations(store), KnownEntities(store)
    vecna = known.note(Known("ent_a", {"ru": "Векна"}, "service"))
    await conversations.keep(record("trn_1", NOW), b"", Dialogue(), known.unsaved())
    renamed = known.note(Known("ent_a", {"ru": "Вэкна"}, "service"))
    before = KnownEntities(store).get("ent_a")
    await conversations.keep(record("trn_2", NOW), b"", Dialogue(), known.unsaved())

    assert before == vecna
    assert KnownEntities(store).get("ent_a") == renamed
    assert KnownEntities(store).fresh("ent_a") is None
    assert KnownEntities(store).get("ent_b") is None
    assert known.unsaved() == []


async def test_names_learnt_longest_ago_are_forgotten_first(store: Store) -> None:
    conversations = Conversations(store)
    names = [Known(f"ent_{number}", {"en": "x"}) for number in range(MOST + 1)]
    await conversations.keep(record("trn_1", NOW - timedelta(days=1)), b"", Dialogue(), names[:1])
    await conversations.keep(record("trn_2", NOW), b"", Dialogue(), names[1:])

    await conversations.forget(NOW - timedelta(days=30), NOW - timedelta(days=365))

    assert KnownEntities(store).get("ent_0") is None
    assert KnownEntities(store).get("ent_1") == names[1]


async def test_news_counts_as_told_once_it_was_fetched_and_until_the_next_turn(
    store: Store,
) -> None:
    conversations, watches = Conversations(store), Watches(store)
    await conversations.keep(record("trn_1", NOW - timedelta(minutes=1)), b"", Dialogue())
    await watches.begin(watch("exe_1"), Dialogue())
    news = msgspec.structs.replace(
        notification("exe_1"), item_ids=["itm_1"], at=NOW + timedelta(seconds=1)
    )
    await watches.settle([("user:anna", news)], [], [], 7)
    unfetched = watches.told_since_turn("user:anna", "home")
    await watches.surfaced(watches.notifications("user:anna", None, 0, 10), NOW)
    fetched = watches.told_since_turn("user:anna", "home")
    elsewhere = watches.told_since_turn("user:anna", "office")
    await conversations.keep(record("trn_2", NOW + timedelta(minutes=1)), b"", Dialogue())

    assert unfetched is None
    assert fetched == (["itm_1"], watch("exe_1").target)
    assert elsewhere is None
    assert watches.told_since_turn("user:anna", "home") is None
