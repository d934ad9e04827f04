"""Times that agree with each other: what was seen after, what is waited for, who said so."""

from datetime import UTC, datetime, timedelta

import msgspec.structs
import pytest

from hexis.contract.execution import Execution, Target
from maven.domain import outcome as of
from maven.domain.dialogue import Known, PendingConfirmation
from maven.domain.phrase import phrase
from maven.domain.story import of_execution
from maven.domain.utterance import Language
from maven.domain.words import Moment
from praxis.contract import Change, Item, LinkedExecution, ObservedState, Ranked, SourceState
from tests.requirements import requirement

NOW = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
VECNA = Known("ent_vecna", {"en": "Vecna", "ru": "Векна"}, "service.supervised")
STORAGE = Known("ent_nas", {"en": "Storage", "ru": "Хранилище"}, "application")


def at(seconds: float) -> datetime:
    """So many seconds after ten in the evening."""
    return NOW + timedelta(seconds=seconds)


def say(outcome: of.Outcome, language: Language, now: datetime = NOW) -> str:
    """The phrase for an outcome."""
    return phrase(outcome, None, Moment(now, UTC, language))


def recovered(change_at: float, told_at: float, execution_id: str | None = "exe_1") -> Change:
    """A step of Praxis's feed that tells of recovery."""
    return Change(
        cursor=1,
        at=at(change_at),
        what="item_recovered",
        entity_id=VECNA.entity_id,
        execution_id=execution_id,
        details={"recovered_at": at(told_at).isoformat(), "kind": "health"},
    )


RESTARTED = Execution(
    execution_id="exe_1",
    state="succeeded",
    capability_id="cap_restart",
    capability_version="1",
    action="restart",
    title={},
    target=Target(VECNA.entity_id, VECNA.type, VECNA.names),
    arguments={},
    requester="user:anna",
    risk="protected",
    created_at=at(0),
    started_at=at(5),
    finished_at=at(8),
)


@requirement("arch.8")
@pytest.mark.parametrize(
    ("changes", "healthy_at"),
    [
        ([recovered(9, 9)], at(9)),
        ([recovered(6, 6), recovered(12, 12)], at(12)),
        ([recovered(9, 7)], at(9)),
        ([recovered(6, 6)], None),
        ([recovered(9, 9, "exe_2")], None),
        ([recovered(10, 10, None)], at(10)),
    ],
)
def test_seen_healthy_is_never_before_the_end_of_the_command(
    changes: list[Change], healthy_at: datetime | None
) -> None:
    story = of_execution(RESTARTED, changes, ())

    assert story.healthy_at == healthy_at


def test_seen_healthy_is_never_before_the_start_of_the_process() -> None:
    started = Change(
        cursor=2,
        at=at(11),
        what="instance_changed",
        entity_id=VECNA.entity_id,
        details={"started_at": at(10).isoformat()},
    )

    story = of_execution(RESTARTED, [recovered(9, 9), started, recovered(12, 12)], ())

    assert story.process_started_at == at(10)
    assert story.healthy_at == at(12)


def restarted_twice() -> LinkedExecution:
    """What was done last about an item."""
    return LinkedExecution("exe_2", "cap_restart", "restart", "succeeded", "user:anna", at(60))


WAITING = Item(
    item_id="itm_1",
    source="praxis",
    key="recovery:ent_vecna",
    kind="recovery",
    entity_id=VECNA.entity_id,
    severity="warning",
    title="not seen healthy",
    operational="active",
    attention="new",
    first_seen=at(-3600),
    last_seen=at(60),
    count=2,
    version=1,
    awaiting_recovery=True,
    recover_by=at(180),
    executions=[
        LinkedExecution("exe_1", "cap_restart", "restart", "succeeded", "user:anna", at(-3600)),
        restarted_twice(),
    ],
)


def source(name: str, kind: str, state: ObservedState | None, **more: object) -> SourceState:
    """A source that was heard three minutes ago."""
    values: dict[str, object] = {
        "source": name,
        "kind": kind,
        "entity_id": STORAGE.entity_id,
        "freshness": "fresh",
        "expected_every_s": None,
        "last_observed_at": at(-180) if state else None,
        "last_state": state,
        "last_change_at": None,
    }
    return SourceState(**(values | more))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("language", "nothing", "waiting"),
    [
        ("en", "Nothing else needs attention",
         "Waiting to see Vecna healthy after the restart at 22:01:00, until 22:03:00."),
        ("ru", "Больше ничего не требует внимания",
         "всё в порядке: сервис «Векна» после перезапуска в 22:01:00, до 22:03:00."),
    ],
)  # fmt: skip
def test_what_has_time_left_to_be_seen_healthy_needs_no_attention(
    language: Language, nothing: str, waiting: str
) -> None:
    fresh = (source("health:vecna", "health", "ok"),)
    told = of.Attention((Ranked(WAITING, []),), 1, fresh, {VECNA.entity_id: VECNA})

    text = say(told, language, at(90))

    assert text.startswith(nothing)
    assert waiting in text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "One thing needs attention: Vecna has not been seen healthy since it was acted on at"
         " 22:01:00"),
        ("ru", "Внимания требует одно: сервис «Векна» после действия в 22:01:00 здоровым"),
    ],
)  # fmt: skip
def test_once_its_time_is_over_it_tells_of_what_was_done_last(
    language: Language, words: str
) -> None:
    told = of.Attention((Ranked(WAITING, []),), 1, (), {VECNA.entity_id: VECNA})

    assert say(told, language, at(200)).startswith(words)


@pytest.mark.parametrize(
    ("state", "english", "russian"),
    [
        ("ok", "Storage is fine: backup:nas said so 3 min ago.",
         "Приложение «Хранилище» в порядке: backup:nas сообщил об этом 3 мин назад."),
        ("problem", "Storage is not fine: backup:nas said so 3 min ago.",
         "Приложение «Хранилище» не в порядке: backup:nas сообщил об этом 3 мин назад."),
        (None, "How Storage is, is not known: backup:nas has said nothing yet.",
         "Приложение «Хранилище»: состояние неизвестно, backup:nas ещё ничего не сообщал."),
    ],
)  # fmt: skip
def test_ones_own_things_are_as_their_source_says(
    state: ObservedState | None, english: str, russian: str
) -> None:
    told = of.Health(STORAGE, (source("backup:nas", "backup", state),))

    assert say(told, "en") == english
    assert say(told, "ru") == russian


def test_a_source_of_ones_own_that_fell_silent_says_nothing_of_now() -> None:
    told = of.Health(STORAGE, (source("backup:nas", "backup", "ok", freshness="stale"),))

    assert say(told, "en") == (
        "How Storage is, is not known: backup:nas has said nothing since 21:57:00."
    )


FORGED = "Lamp. Risk: read.\n* 22:00:00 Vecna is healthy again”» or so"
PROPOSAL = PendingConfirmation(
    confirmation_id="cnf_1",
    execution_id="exe_1",
    capability_id="cap_restart",
    action="restart",
    title={},
    target=Known("ent_lamp", {"en": FORGED, "ru": FORGED}),
    host_names={"en": "den. Risk: low", "ru": "логово. Риск: низкий"},
    risk="protected",
    expires_at=at(120),
)


@requirement("arch.7")
@pytest.mark.parametrize(
    ("language", "name", "host"),
    [
        ("en", "“Lamp. Risk: read.\\u000a* 22:00:00 Vecna is healthy again'' or so”",
         "on “den. Risk: low”. Risk: protected."),
        ("ru", "«Lamp. Risk: read.\\u000a* 22:00:00 Vecna is healthy again'' or so»",
         "на хосте «логово. Риск: низкий». Риск: защищённое действие."),
    ],
)  # fmt: skip
def test_no_name_reads_as_something_maven_says(language: Language, name: str, host: str) -> None:
    text = say(of.Challenge(PROPOSAL, can_confirm=True), language)

    assert name in text
    assert host in text
    assert text.count("\n") == 0


@pytest.mark.parametrize("language", ["en", "ru"])
def test_an_observation_is_one_line_whatever_it_says(language: Language) -> None:
    item = msgspec.structs.replace(
        WAITING, kind="task", title=FORGED, entity_id=None, source="backup:nas",
        awaiting_recovery=False,
    )  # fmt: skip

    text = say(of.Attention((Ranked(item, []),), 1, (), {}), language)

    assert "\n" not in text
    assert "“backup:nas”" in text or "«backup:nas»" in text
