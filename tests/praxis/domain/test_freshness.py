"""Silence: what is fresh, what is stale, and when Praxis itself was deaf."""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from praxis.domain.freshness import KnownSource, Patience, freshness, is_silent

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
PATIENCE = Patience(grace=3.0, slack_s=2.0, start_up_s=60.0)
SOURCE = KnownSource(
    source="backup",
    kind="job",
    entity_id=None,
    expected_every_s=10,
    health_check=None,
    registered_at=NOON,
)
HEARD = replace(SOURCE, last_observed_at=NOON, last_state="ok")


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def test_a_source_is_fresh_for_its_interval_times_the_grace_and_then_stale() -> None:
    assert freshness(HEARD, None, after(32), PATIENCE) == "fresh"
    assert freshness(HEARD, None, after(33), PATIENCE) == "stale"
    assert freshness(HEARD, after(30), after(60), PATIENCE) == "fresh"


def test_a_source_that_never_spoke_is_never_fresh_and_its_silence_counts_from_registration() -> (
    None
):
    assert freshness(SOURCE, None, after(1), PATIENCE) == "never"
    assert not is_silent(SOURCE, None, NOON, after(32), PATIENCE)
    assert is_silent(SOURCE, None, NOON, after(33), PATIENCE)


def test_after_a_start_nothing_is_judged_that_could_not_have_been_heard() -> None:
    started = after(600)

    assert not is_silent(HEARD, None, started, after(631), PATIENCE)
    assert is_silent(HEARD, None, started, after(633), PATIENCE)
    assert freshness(HEARD, None, after(601), PATIENCE) == "stale", "grace makes nothing fresh"


def test_a_start_does_not_hide_the_silence_of_a_slow_source_for_long() -> None:
    nightly = replace(HEARD, expected_every_s=86_400)
    started = after(4 * 86_400)

    assert is_silent(nightly, None, started, started + timedelta(seconds=61), PATIENCE)
