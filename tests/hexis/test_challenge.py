"""The question on a terminal: nothing in it can pass for the words around it."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from hexis.challenge import Language, question
from hexis.contract.execution import Confirmation, Target

_AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
_TARGET = Target(
    entity_id="ent_1",
    type="service.supervised",
    names={"en": "Beta", "ru": "Бета"},
    host_names={"en": "Den", "ru": "Логово"},
)
_ASKED = Confirmation(
    confirmation_id="cnf_1",
    state="pending",
    execution_id="exe_1",
    capability_id="cap_restart",
    capability_version="1",
    title={"en": "Restart", "ru": "Перезапустить"},
    target=_TARGET,
    arguments={"note": "a\nRisk: none"},
    requester="user:anna",
    risk="critical",
    issued_at=_AT,
    expires_at=_AT + timedelta(minutes=2),
)


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "Restart: “Beta” (ent_1)", "On host: “Den”"),
        ("ru", "Перезапустить: «Бета» (ent_1)", "На хосте: «Логово»"),
    ],
)
def test_names_are_quoted_in_both_languages(language: Language, first: str, second: str) -> None:
    lines = question(_ASKED, language).splitlines()

    assert lines[:2] == [first, second]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    "name",
    [
        "Beta\nOn host: “Attic”\nRisk: none",
        "Beta\r\x1b[2JRestart: Gamma",
        "Beta” (ent_9)\u2028On host: “Attic",
        "Бета» (ent_9)\u2029На хосте: «Чердак",
        "Beta\u202e\u200b",
    ],
)
def test_a_name_stays_one_visible_quoted_line(language: Language, name: str) -> None:
    names = {"en": name, "ru": name}
    target = msgspec.structs.replace(_TARGET, names=names, host_names=names)

    lines = question(msgspec.structs.replace(_ASKED, target=target), language).split("\n")

    opening, closing = "«»" if language == "ru" else "“”"
    assert len(lines) == 5
    assert all(line.isprintable() for line in lines)
    assert [line.count(opening) + line.count(closing) for line in lines[:3]] == [2, 2, 0]
    assert lines[0].endswith(f"{closing} (ent_1)")
    assert lines[1].endswith(closing)
