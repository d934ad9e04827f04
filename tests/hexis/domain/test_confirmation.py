"""The seal of a challenge: it holds for exactly one action."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexis.contract.execution import Target
from hexis.domain.confirmation import Challenge, Terms, canonical, is_genuine, seal
from hexis.domain.target import Identity
from tests.requirements import requirement

KEY = b"k" * 32
AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
CHALLENGE = Challenge(
    terms=Terms(
        confirmation_id="cnf_1",
        issued_at=AT,
        expires_at=AT + timedelta(seconds=120),
        asked_turn="trn_1",
        asked_word="",
    ),
    execution_id="exe_1",
    capability_id="cap_restart",
    capability_version="1-abc",
    definition_digest="abc",
    identity=Identity(entity_id="ent_1", system="supervisor", external_id="a", host_id="ent_2"),
    title={"en": "Restart"},
    target=Target(entity_id="ent_1", type="service", names={"en": "A"}, host_names={"en": "Den"}),
    arguments={"lines": 3, "force": False},
    requester="user:anna",
    risk="protected",
)
CHANGES: list[dict[str, Any]] = [
    {"execution_id": "exe_2"},
    {"capability_id": "cap_stop"},
    {"capability_version": "2-abc"},
    {"definition_digest": "abd"},
    {"title": {"en": "Look at"}},
    {"target": msgspec.structs.replace(CHALLENGE.target, names={"en": "B"})},
    {"target": msgspec.structs.replace(CHALLENGE.target, host_names={})},
    {"arguments": {"lines": 3, "force": True}},
    {"arguments": {"lines": "3", "force": False}},
    {"arguments": {"lines": 3}},
    {"requester": "user:boris"},
    {"risk": "low"},
    {"identity": msgspec.structs.replace(CHALLENGE.identity, entity_id="ent_9")},
    {"identity": msgspec.structs.replace(CHALLENGE.identity, external_id="b")},
    {"identity": msgspec.structs.replace(CHALLENGE.identity, host_id="")},
    {"terms": msgspec.structs.replace(CHALLENGE.terms, confirmation_id="cnf_2")},
    {"terms": msgspec.structs.replace(CHALLENGE.terms, issued_at=AT - timedelta(seconds=1))},
    {"terms": msgspec.structs.replace(CHALLENGE.terms, expires_at=AT + timedelta(days=1))},
    {"terms": msgspec.structs.replace(CHALLENGE.terms, asked_turn="trn_2")},
    {"terms": msgspec.structs.replace(CHALLENGE.terms, asked_word="x")},
]


@requirement("arch.7", "invariant.6")
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_no_other_action_has_the_same_seal(change: dict[str, Any]) -> None:
    other = msgspec.structs.replace(CHALLENGE, **change)

    assert is_genuine(KEY, CHALLENGE, seal(KEY, CHALLENGE))
    assert not is_genuine(KEY, other, seal(KEY, CHALLENGE))


def test_another_key_makes_another_seal() -> None:
    assert not is_genuine(b"j" * 32, CHALLENGE, seal(KEY, CHALLENGE))


def test_every_field_of_the_challenge_is_under_the_seal() -> None:
    changed = {name for change in CHANGES for name in change}

    assert changed == set(Challenge.__struct_fields__)


Arguments = st.dictionaries(st.text(max_size=8), st.integers(-9, 9) | st.booleans() | st.text())


@given(Arguments, Arguments)
def test_two_sets_of_arguments_share_their_bytes_when_they_are_the_same(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    left = canonical(msgspec.structs.replace(CHALLENGE, arguments=one))
    right = canonical(msgspec.structs.replace(CHALLENGE, arguments=dict(reversed(other.items()))))

    same = one == other and all(type(one[name]) is type(other[name]) for name in one)
    assert (left == right) is same


@given(st.integers(0, 255), st.integers(0, 31))
def test_one_bit_of_the_seal_is_enough(mask: int, at: int) -> None:
    mac = bytearray(seal(KEY, CHALLENGE))
    mac[at] ^= mask

    assert is_genuine(KEY, CHALLENGE, bytes(mac)) is (mask == 0)
