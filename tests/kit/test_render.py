"""What is printed for a person: tables, outlines, JSON, and nothing that drives a terminal."""

from __future__ import annotations

import sys
import unicodedata
from datetime import datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.render import as_json, as_outline, as_table, columns_of, cut, visible, visible_line

ROWS: dict[str, Any] = {
    "turns": [
        {"turn_id": "trn_0000000001", "said": "что требует внимания?", "done": True, "tags": []},
        {"turn_id": "trn_2", "said": "restart vecna " * 9, "done": False, "tags": ["a", "b"]},
    ],
    "next_after": 2,
}


def test_a_list_of_flat_rows_is_a_table_that_fits_and_keeps_ids_whole() -> None:
    table = as_table(ROWS, 60)

    assert table is not None
    assert table == (
        "turn_id         said                              done  tags\n"
        "trn_0000000001  что требует внимания?             yes\n"
        "trn_2           restart vecna restart vecna res…  no    a, b\n"
        "next_after: 2"
    )
    assert max(map(columns_of, table.splitlines())) <= 60


def test_there_is_no_table_where_it_would_not_fit_or_rows_are_deep() -> None:
    deep = {"rows": [{"row_id": "row_1", "parts": [{"name": "x"}]}]}

    assert as_table(ROWS, 30) is None
    assert as_table(deep, 100) is None
    assert as_table({"rows": []}, 100) is None
    assert as_table({"a": [{"x": 1}], "b": [{"x": 1}]}, 100) is None
    assert as_table([1, 2], 100) is None


def test_a_table_shows_local_time_and_flat_dictionaries() -> None:
    at = datetime(2026, 11, 30, 14, 0).astimezone()

    table = as_table({"rows": [{"at": at, "names": {"en": "Vecna", "ru": "Векна"}}]}, 100)

    assert table == ("at                   names\n2026-11-30 14:00:00  en=Vecna ru=Векна")


def test_an_outline_leaves_out_what_is_empty() -> None:
    assert as_outline({"a": "", "b": None, "c": [], "d": {"e": [1, {"f": False}]}}) == (
        "d:\n  e:\n    - 1\n    - f: no"
    )
    assert as_outline({}) == "(nothing)"


def test_wide_characters_take_two_columns() -> None:
    assert columns_of("日本e\u0301") == 5
    assert cut("日本語", 5) == "日本…"
    assert cut("日本語", 4) == "日…"


@given(st.text())
def test_nothing_printed_can_drive_a_terminal(text: str) -> None:
    reply = {"rows": [{text: text, "b": text}]}
    printed = [
        visible(text),
        visible_line(text),
        as_outline(reply),
        as_json({"x": text}) if text.isprintable() or text.isascii() else "",
        as_table(reply, 10_000) or "",
    ]

    for each in printed:
        assert not [c for c in each if c not in "\n\t" and (c < " " or "\x7f" <= c <= "\x9f")]
        assert not set(each) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert "\n" not in visible_line(text)


def test_no_format_character_of_unicode_is_left_unseen() -> None:
    unseen = [
        f"{code:04x}"
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        and chr(code) in visible_line(chr(code))
    ]

    assert unseen == []


@pytest.mark.parametrize(
    "character",
    ["\u00ad", "\u061c", "\u115f", "\u1160", "\u2028", "\u2029", "\u200d", "\u3164", "\uffa0",
     "\ufeff", "\U000e0001", "\U000e0041", "\U000e0100", "\x85", "\ud800"],
)  # fmt: skip
def test_what_cannot_be_seen_is_written_out_on_every_way_to_a_person(character: str) -> None:
    name = f"rm{character}x"
    shown = [visible(name), visible_line(name), as_outline({name: name})]
    shown.append(as_table({"rows": [{"name": name}]}, 100) or "")

    assert not [each for each in shown if character in each or "\\u" not in each]
    assert all(each.isascii() for each in shown)


def test_letters_marks_and_emoji_stay_as_they_are() -> None:
    text = "Ёлка, résumé, e\u0301, 日本語, ⚠\ufe0f ☎ 🚀 «да» — №1"

    assert visible_line(text) == text


@given(st.text(st.characters(codec="utf-8")))
def test_json_still_says_the_same(text: str) -> None:
    assert msgspec.json.decode(as_json({"x": text})) == {"x": text}
