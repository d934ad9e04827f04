"""Identifiers sort in the order they were made, whatever the clock does."""

from __future__ import annotations

import re
import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.clock import from_text, to_text
from kit.errors import InvalidArgument
from kit.ids import Ids, encode
from kit.testing import FrozenClock

SHAPE = re.compile(r"itm_[0-9a-hjkmnp-tv-z]{26}")


@given(steps=st.lists(st.integers(-10_000, 10_000), min_size=2, max_size=60))
def test_identifiers_sort_in_the_order_they_were_made(steps: list[int]) -> None:
    clock = FrozenClock()
    ids = Ids(clock)
    made: list[str] = []
    for step in steps:
        clock.advance(step / 1000)
        made.append(ids.new("itm"))

    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert all(SHAPE.fullmatch(each) for each in made)


def test_identifiers_of_a_later_process_sort_after_those_of_an_earlier_one() -> None:
    clock = FrozenClock()
    earlier = [Ids(clock).new("itm") for _ in range(10)]
    clock.advance(0.001)
    later = [Ids(clock).new("itm") for _ in range(10)]

    assert max(earlier) < min(later)


def test_threads_never_make_the_same_identifier() -> None:
    ids = Ids(FrozenClock())
    made: list[list[str]] = [[] for _ in range(4)]

    def work(mine: list[str]) -> None:
        mine.extend(ids.new("itm") for _ in range(5000))

    threads = [threading.Thread(target=work, args=(mine,)) for mine in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({each for mine in made for each in mine}) == 20_000


@given(
    earlier=st.integers(0, (1 << 48) - 2), gap=st.integers(1, 1000), entropy=st.integers(0, 1 << 79)
)
def test_the_text_sorts_as_the_time_does(earlier: int, gap: int, entropy: int) -> None:
    assert encode(earlier, entropy) < encode(min(earlier + gap, (1 << 48) - 1), 0)


@given(
    times=st.lists(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)), min_size=2)  # noqa: DTZ001
)
def test_stored_times_sort_as_text_and_come_back_the_same(times: list[datetime]) -> None:
    aware = [time.replace(tzinfo=UTC) for time in times]
    texts = [to_text(time) for time in aware]

    assert [from_text(text) for text in sorted(texts)] == sorted(aware)
    assert to_text(aware[0].astimezone()) == texts[0]


@pytest.mark.parametrize(
    ("year", "hours"), [(1, 10), (9999, -10)], ids=["before the year 1", "after the year 9999"]
)
def test_a_time_that_has_no_text_is_refused(year: int, hours: int) -> None:
    at = datetime(year, 1 if year == 1 else 12, 1 if year == 1 else 31, 12, tzinfo=UTC)
    moved = at.replace(tzinfo=timezone(timedelta(hours=hours)), hour=0 if year == 1 else 23)

    with pytest.raises(InvalidArgument) as caught:
        to_text(moved)

    assert caught.value.reason == "time_out_of_range"


def test_a_frozen_clock_moves_only_when_told() -> None:
    clock = FrozenClock()
    before = clock.now(), clock.monotonic()
    clock.advance(2.5)

    assert clock.now() - before[0] == timedelta(seconds=2.5)
    assert clock.monotonic() - before[1] == 2.5
