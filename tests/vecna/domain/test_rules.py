"""The rules of shared memory by themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vecna.domain.prompt import age
from vecna.domain.recall import decay_before

MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("now", "before"),
    [
        (datetime(2026, 11, 30, tzinfo=UTC), datetime(2026, 5, 30, tzinfo=UTC)),
        (datetime(2026, 8, 31, tzinfo=UTC), datetime(2026, 2, 28, tzinfo=UTC)),
        (datetime(2024, 8, 30, tzinfo=UTC), datetime(2024, 2, 29, tzinfo=UTC)),
        (datetime(2026, 1, 15, tzinfo=UTC), datetime(2025, 7, 15, tzinfo=UTC)),
        (datetime(2026, 6, 1, tzinfo=UTC), datetime(2025, 12, 1, tzinfo=UTC)),
    ],
)
def test_half_a_year_is_six_months_of_the_calendar(now: datetime, before: datetime) -> None:
    assert decay_before(now) == before


@given(now=MOMENTS)
def test_half_a_year_is_never_much_more_or_less(now: datetime) -> None:
    assert timedelta(days=180) <= now - decay_before(now) <= timedelta(days=187)


@given(now=MOMENTS, later=st.timedeltas(timedelta(0), timedelta(days=400)))
def test_nothing_grows_younger(now: datetime, later: timedelta) -> None:
    assert decay_before(now) <= decay_before(now + later)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "just now"),
        (59.9, "just now"),
        (60, "1 min ago"),
        (3599, "59 min ago"),
        (3600, "1 h ago"),
        (86_399, "23 h ago"),
        (86_400, "1 d ago"),
        (30 * 86_400, "1 mo ago"),
        (400 * 86_400, "13 mo ago"),
    ],
)
def test_age_is_told_in_the_largest_unit_that_fits(seconds: float, words: str) -> None:
    assert age(seconds) == words
