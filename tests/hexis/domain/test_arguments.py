"""Arguments: what may be declared, and what is made of what was given."""

import string
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexis.domain.arguments import Argument, Words, check_declaration, normalise, schema
from kit.errors import InvalidArgument

SAID = Words(en="Something", ru="Что-то")
LINES = Argument(type="integer", description=SAID, minimum=1, maximum=500, default=40)
UNIT = Argument(type="string", description=SAID, pattern="[a-z]+", max_length=8)
MODE = Argument(type="string", description=SAID, enum=["fast", "быстро"], default="fast")
FORCE = Argument(type="boolean", description=SAID, default=False)
DECLARED = {"unit": UNIT, "lines": LINES, "mode": MODE, "force": FORCE}


def test_defaults_are_filled_in_and_the_order_is_one() -> None:
    normal = normalise(DECLARED, {"unit": "abc", "lines": 3})

    assert list(normal.items()) == [
        ("force", False),
        ("lines", 3),
        ("mode", "fast"),
        ("unit", "abc"),
    ]


@given(
    st.dictionaries(
        st.text(max_size=60), st.none() | st.booleans() | st.integers() | st.text(), max_size=4
    )
)
def test_normalising_twice_is_normalising_once(given_: dict[str, Any]) -> None:
    try:
        once = normalise(DECLARED, {"unit": "a", **given_})
    except InvalidArgument:
        return

    assert normalise(DECLARED, once) == once
    assert set(once) == set(DECLARED)


@given(st.text(string.printable, min_size=1).filter(lambda name: name not in DECLARED))
def test_an_argument_nobody_declared_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        normalise(DECLARED, {"unit": "abc", name: 1})

    assert refused.value.reason == "argument_unknown"
    assert (refused.value.field or "").isprintable()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lines", True),
        ("lines", 1.0),
        ("lines", "3"),
        ("lines", 0),
        ("lines", 501),
        ("lines", None),
        ("force", 1),
        ("force", "true"),
        ("unit", "abc\n"),
        ("unit", "ABC"),
        ("unit", "abcdefghi"),
        ("unit", "--help"),
        ("unit", ["abc"]),
        ("mode", "slow"),
    ],
)
def test_a_value_of_another_kind_or_out_of_bounds_is_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidArgument) as refused:
        normalise(DECLARED, {"unit": "abc", name: value})

    assert (refused.value.reason, refused.value.field) == ("argument_invalid", f"arguments.{name}")


@pytest.mark.parametrize("letter", ["\0", "\n", "\r", "\x1b", "\x7f", "\u202e", "\u200b", "\ud800"])
def test_a_string_with_control_characters_is_refused_whatever_its_pattern(letter: str) -> None:
    """HX-027, HX-050."""
    anything = Argument(type="string", description=SAID, pattern=r"(?s).*", max_length=100)

    with pytest.raises(InvalidArgument):
        normalise({"text": anything}, {"text": f"a{letter}b"})


def test_what_has_no_default_must_be_given() -> None:
    with pytest.raises(InvalidArgument) as refused:
        normalise(DECLARED, {})

    assert (refused.value.reason, refused.value.field) == ("argument_missing", "arguments.unit")


@pytest.mark.parametrize(
    "argument",
    [
        Argument(type="integer", description=SAID),
        Argument(type="integer", description=SAID, minimum=1),
        Argument(type="integer", description=SAID, minimum=2, maximum=1),
        Argument(type="integer", description=SAID, minimum=0, maximum=2**60),
        Argument(type="integer", description=SAID, minimum=1, maximum=5, default=9),
        Argument(type="integer", description=SAID, minimum=1, maximum=5, default=True),
        Argument(type="integer", description=SAID, minimum=1, maximum=5, pattern="x"),
        Argument(type="string", description=SAID),
        Argument(type="string", description=SAID, pattern="x"),
        Argument(type="string", description=SAID, pattern="(", max_length=3),
        Argument(type="string", description=SAID, enum=[]),
        Argument(type="string", description=SAID, enum=["a"], default="b"),
        Argument(type="string", description=SAID, enum=["a"], minimum=1),
        Argument(type="boolean", description=SAID, enum=["a"]),
        Argument(type="boolean", description=SAID, default="yes"),
    ],
    ids=lambda argument: msgspec.json.encode(argument).decode()[:60],
)
def test_a_declaration_that_cannot_be_kept_to_is_refused(argument: Argument) -> None:
    with pytest.raises(InvalidArgument):
        check_declaration("name", argument)


def test_the_schema_is_closed_and_says_what_is_needed() -> None:
    shown = schema(DECLARED)

    assert shown["additionalProperties"] is False
    assert shown["required"] == ["unit"]
    assert shown["properties"]["unit"]["pattern"] == "^(?:[a-z]+)$"
    assert shown["properties"]["mode"]["enum"] == ["fast", "быстро"]
