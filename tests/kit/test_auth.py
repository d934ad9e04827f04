"""Secrets of programs, the grants made from them, and the files both are kept in."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import assertion
from kit.assertion import LIFETIME, SKEW, Assertion
from kit.auth import Grants, Secret, grant, save_grants, write_private
from kit.errors import PermissionDenied, Unauthenticated

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SAID = Assertion(turn_id="trn_1", requester="user:анна", channel="terminal", issued_at=NOW)
SECRET = Secret("terminal", bytes(range(32)))
KEY = SECRET.assertion_key_for("hexis")


def test_a_secret_is_kept_so_that_only_its_owner_can_read_it(tmp_path: Path) -> None:
    secret = Secret.create("cli")
    path = tmp_path / "credentials" / "cli"
    secret.save(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert Secret.load(path).token_for("nexus") == secret.token_for("nexus")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o611])
def test_a_secret_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "cli"
    Secret.create("cli").save(path)
    path.chmod(mode)

    with pytest.raises(Unauthenticated, match="chmod 600") as caught:
        Secret.load(path)

    assert caught.value.reason == "credential_exposed"


@pytest.mark.parametrize("content", [b"", b"\n", b"short", b"\xff" * 44, b"a" * 44, b"=" * 44])
def test_a_file_without_a_whole_secret_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cli"
    write_private(path, content)

    with pytest.raises(Unauthenticated) as caught:
        Secret.load(path)

    assert caught.value.reason == "credential_malformed"


def test_a_missing_secret_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(Unauthenticated, match=str(tmp_path)) as caught:
        Secret.load(tmp_path / "cli")

    assert caught.value.reason == "credential_missing"


@pytest.mark.parametrize("name", ["", "a.b", "a b", "a\nb", "я", "a" * 65, "../cli"])
def test_a_program_has_a_plain_name(name: str) -> None:
    with pytest.raises(Unauthenticated):
        Secret.create(name)


def test_a_secret_does_not_show_itself() -> None:
    shown = f"{SECRET!r} {SECRET} {[SECRET]}"

    assert SECRET.token_for("nexus").split(".")[2] not in shown
    assert "AAEC" not in shown


def test_what_one_part_is_shown_is_of_no_use_at_another() -> None:
    assert SECRET.token_for("nexus") != SECRET.token_for("praxis")
    assert SECRET.assertion_key_for("nexus") != SECRET.assertion_key_for("hexis")


def test_grants_hold_no_token(tmp_path: Path) -> None:
    path = tmp_path / "grants.json"
    save_grants(path, [grant(SECRET, "hexis", scopes=["a"], speaks_for=["user:*"], channel=True)])

    assert SECRET.token_for("hexis").split(".")[2] not in path.read_text("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("allowed", "requester", "may"),
    [
        ("user:*", "user:ann", True),
        ("user:*", "agent:ann", False),
        ("user:ann", "user:ann", True),
        ("user:ann", "user:anna", False),
        ("user:an*", "user:anna", True),
        ("*", "service:hexis", True),
        ("", "user:ann", False),
    ],
)
def test_a_program_speaks_for_exactly_those_it_may(
    tmp_path: Path, allowed: str, requester: str, may: bool
) -> None:
    path = tmp_path / "grants.json"
    save_grants(path, [grant(SECRET, "hexis", scopes=[], speaks_for=[allowed])])
    principal = Grants(path).authenticate(f"Bearer {SECRET.token_for('hexis')}")

    assert principal.may_speak_for(requester) is may


def test_replacing_a_file_leaves_nothing_else_behind(tmp_path: Path) -> None:
    for content in (b"one", b"two"):
        write_private(tmp_path / "file", content)

    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"two"


def test_an_assertion_says_what_was_sworn() -> None:
    assert assertion.verify(KEY, assertion.mint(KEY, SAID), NOW) == SAID
    assert assertion.verify(KEY, assertion.mint(KEY, SAID), NOW + LIFETIME) == SAID
    assert assertion.verify(KEY, assertion.mint(KEY, SAID), NOW - SKEW) == SAID


@pytest.mark.parametrize("moved", [LIFETIME + timedelta(seconds=1), -SKEW - timedelta(seconds=1)])
def test_an_assertion_counts_only_for_its_time(moved: timedelta) -> None:
    with pytest.raises(PermissionDenied) as caught:
        assertion.verify(KEY, assertion.mint(KEY, SAID), NOW + moved)

    assert caught.value.reason == "assertion_expired"


@given(position=st.integers(0, 10_000), character=st.sampled_from("ABCxyz019-_.=я"))
def test_no_altered_assertion_is_accepted(position: int, character: str) -> None:
    word = assertion.mint(KEY, SAID)
    position %= len(word)
    altered = word[:position] + character + word[position + 1 :]

    if altered != word:
        with pytest.raises(PermissionDenied):
            assertion.verify(KEY, altered, NOW)


@given(word=st.text(max_size=80) | st.just("asr1.terminal.e30.AAAA"))
def test_nothing_that_is_not_an_assertion_is_accepted(word: str) -> None:
    with pytest.raises(PermissionDenied):
        assertion.verify(KEY, word, NOW)


def test_an_assertion_by_another_key_is_refused() -> None:
    other = Secret.create("terminal").assertion_key_for("hexis")

    with pytest.raises(PermissionDenied):
        assertion.verify(KEY, assertion.mint(other, SAID), NOW)
