"""Redaction: no planted secret survives, the output is bounded, doing it twice changes nothing."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import redact
from kit.auth import Secret
from tests.requirements import requirement

PROGRAM = Secret("terminal", bytes(range(32)))
SECRETS = [
    PROGRAM.token_for("nexus"),
    "Bearer abcdefghijklmnop",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "github_pat_11ABCDEFG0abcdefghijklmnop",
    "glpat-abcdefghijklmnopqrst",
    "xoxb-123456789012-abcdef",
    "sk-proj-abcdefghijklmnopqrstuvwx",
    "AKIAABCDEFGHIJKLMNOP",
    "AIzaSyA-abcdefghijklmnopqrstuvwxyz01234",
    "123456789:AAabcdefghijklmnopqrstuvwxyz0123456",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    "https://ann:hunter2hunter2@home.example/",
    "password=hunter2hunter2",
    'api_key: "hunter2 hunter2 hunter2"',
    "пароль: hunter2hunter2",
    "токен = hunter2hunter2",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw\n-----END PRIVATE KEY-----",
]
CORES = {
    secret: core
    for secret in SECRETS
    for core in [
        next(
            (
                word
                for word in ["hunter2", "MIIEvQ", "dXNlcjpwYXNzd29yZA", "abcdefghijklmnop"]
                if word in secret
            ),
            secret[-12:],
        )
    ]
}

plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)


def nested(leaf: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaf,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.tuples(inner, inner)
            | st.dictionaries(st.text(max_size=8), inner, max_size=4)
        ),
        max_leaves=8,
    )


@given(secret=st.sampled_from(SECRETS), before=st.text(max_size=40), after=st.text(max_size=40))
def test_no_secret_survives_in_a_text(secret: str, before: str, after: str) -> None:
    shown = redact.text(f"{before} {secret} {after}", 4000)

    assert CORES[secret] not in shown
    assert redact.HIDDEN in shown


@given(value=nested(st.sampled_from(SECRETS) | plain))
@requirement("invariant.10")
def test_no_secret_survives_in_any_nesting(value: Any) -> None:
    shown = redact.summary(value)

    for core in CORES.values():
        assert core not in shown


@given(
    secret=st.sampled_from(SECRETS),
    padding=st.integers(0, 4000),
    filler=st.sampled_from(["a ", "слово ", PROGRAM.token_for("praxis") + " "]),
)
def test_no_half_of_a_secret_survives_where_a_text_is_cut(
    secret: str, padding: int, filler: str
) -> None:
    text = (filler * 400)[:padding] + " " + secret + " " + filler * 400
    shown = redact.text(text, 400)

    assert CORES[secret][:6] not in shown
    assert len(shown) <= 401


@given(text=st.text() | st.sampled_from(SECRETS), limit=st.integers(1, 200))
def test_redacting_twice_changes_nothing(text: str, limit: int) -> None:
    once = redact.text(text, limit)

    assert redact.text(once, limit) == once


@given(value=nested(st.text(max_size=2000) | plain), limit=st.integers(50, 600))
def test_a_summary_is_bounded(value: Any, limit: int) -> None:
    assert len(redact.summary(value, limit)) <= limit + 1


@pytest.mark.parametrize(
    "name",
    ["token", "api_key", "apiKey", "API-KEY", "password", "Passphrase", "client_secret", "cookie",
     "authorization", "channel_assertion", "private_key", "пароль", "Секретное слово", "токен"],
)  # fmt: skip
@pytest.mark.parametrize("value", ["plain words", 12345, ["a", "b"], {"inner": "x1y2z3"}])
def test_what_is_called_a_secret_is_hidden_whatever_it_is(name: str, value: Any) -> None:
    shown = redact.bounded({"outer": [{name: value}]})

    assert shown == {"outer": [{name: redact.HIDDEN}]}


class Login(msgspec.Struct):
    user: str
    password: str
    notes: list[str]


@dataclasses.dataclass
class Card:
    owner: str
    api_key: str


def test_structs_and_data_classes_are_shown_by_their_fields_without_the_secret_ones() -> None:
    shown = redact.summary(
        {"login": Login("ann", "hunter2", ["token=hunter2x"]), "card": Card("ann", "hunter2")}
    )

    assert "hunter2" not in shown
    assert shown.count("ann") == 2


def test_a_secret_in_a_key_is_hidden_too() -> None:
    shown = redact.summary({PROGRAM.token_for("nexus"): 1})

    assert "eco1" not in shown


@pytest.mark.parametrize(
    "value",
    [b"\xff\x00token=abc", 1 << 200, float("inf"), {1, 2}, object(), "\ud800", {"\ud800": 1},
     {1: 2}, Exception("password=hunter2"), type, lambda: None],
)  # fmt: skip
def test_anything_at_all_can_be_summed_up(value: Any) -> None:
    shown = redact.summary({"a": [value]})

    assert "hunter2" not in shown
    assert shown.isprintable()


def test_control_characters_and_directions_of_writing_are_shown_as_what_they_are() -> None:
    assert redact.text("a\x1b[31mb\u202ec\rd") == "a\\u001b[31mb\\u202ec\\u000dd"


@pytest.mark.parametrize("invisible", ["\u200b", "\u2028", "\u00ad", "\u3164", "\u061c", "\ufeff"])
def test_what_cannot_be_seen_is_shown_as_what_it_is(invisible: str) -> None:
    assert redact.text(f"a{invisible}b") == f"a\\u{ord(invisible):04x}b"


def test_tags_that_spell_a_hidden_text_are_shown() -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "ok")

    assert redact.text(f"a{hidden}b") == "a\\udb40\\udc6f\\udb40\\udc6bb"


LENGTH = 64 << 10
HOSTILE = [
    "token%", "токен%", "token\n%", "token=%", "token\"%", "bearer%", "basic \t%",
]  # fmt: skip
REPEATED = [
    "-eyJ", "eyJ-", "_eyJ", ".eyJaaaaaaaa", "a-", "-", "w", "token", "token ", "token\" ",
    "token='a", 'token="a', "://", "://:", "://a:", "-----BEGIN ", "12345678:a", "1",
    "-----BEGIN PRIVATE KEY-----END ", "bearer ", "sk-", "xoxb-", "eco1.", "ghp_", "AKIA",
    "\u200b", "\U000e0041", "ж-eyJ",
]  # fmt: skip


@pytest.mark.parametrize("start", HOSTILE)
@pytest.mark.timeout(5)
def test_a_long_row_of_spaces_takes_no_longer_than_any_text(start: str) -> None:
    shown = redact.text(start.replace("%", " " * LENGTH), LENGTH)

    assert len(shown) <= LENGTH + 1


@pytest.mark.parametrize("piece", REPEATED)
@pytest.mark.timeout(5)
def test_no_repetition_takes_longer_than_any_text(piece: str) -> None:
    shown = redact.text(piece * (LENGTH // len(piece)), LENGTH)

    assert len(shown) <= LENGTH + 1


@pytest.mark.parametrize(
    "before", ["", " ", "x-", "session-", ".", "'", "(", "слово-", "a-b-", "-"]
)
def test_a_web_token_is_found_after_any_mark(before: str) -> None:
    shown = redact.text(f"{before}eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl")

    assert not [piece for piece in ("eyJ", "hbGci", "c2lnbm") if piece in shown]


@pytest.mark.parametrize("between", ["=", " = ", ": ", '" : ', "'  =\t", ' " = ', "\n=\n"])
def test_a_named_secret_is_found_whatever_stands_around_the_sign(between: str) -> None:
    assert "hunter2" not in redact.text(f"password{between}hunter2")


def test_ordinary_words_are_left_alone() -> None:
    for text in ["tokens are words", "the password was changed", "пароль сменили", "basic rules",
                 "10:30 начать", "sk-ru", "a-eyJust.words.here",
                 "see https://home.example:8080/a@b"]:  # fmt: skip
        assert redact.text(text) == text


def test_long_lists_and_depths_are_counted() -> None:
    shown = redact.bounded({"a": list(range(20)), "b": {"c": {"d": {"e": {"f": {"g": 1}}}}}})

    assert shown["a"] == [*range(8), "… 12 more"]
    assert shown["b"] == {"c": {"d": {"e": {"f": "{…}"}}}}
