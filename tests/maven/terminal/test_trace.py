"""`maven trace`, `turns` and `notifications`: looking back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import msgspec

from maven.contract import Answer, TraceEntry, TurnRecord
from maven.terminal.trace_view import coloured, plain, trace_view
from tests.maven.terminal.conftest import Maven
from tests.maven.terminal.scripted import Home

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
TURN = "trn_01jz0000000000000000000000"


def entry(sequence: int, stage: str, name: str, **more: object) -> TraceEntry:
    service, operation = name.split(".")
    fields: dict[str, object] = {
        "turn_id": TURN,
        "sequence": sequence,
        "correlation_id": "cor_1234",
        "causation_id": TURN,
        "stage": stage,
        "service": service,
        "operation": operation,
        "started_at": AT + timedelta(milliseconds=10 * sequence),
        "duration_ms": 3.21,
        "status": "ok",
        "contract_version": f"{service}/1.0",
        "request_summary": "",
        "response_summary": "",
    }
    return TraceEntry(**(fields | more))  # type: ignore[arg-type]


def record(*entries: TraceEntry) -> TurnRecord:
    return TurnRecord(
        turn_id=TURN,
        conversation_id="terminal",
        requester="user:anna",
        channel="terminal",
        at=AT,
        duration_ms=48.0,
        text="перезапусти векну",
        answer=Answer(
            turn_id=TURN,
            conversation_id="terminal",
            text="Перезапустить Векну?",
            language="ru",
            degraded=["praxis"],
        ),
        trace=list(entries),
    )


WHOLE = record(
    entry(0, "input", "maven.take_turn", request_summary='{"text":"перезапусти векну"}'),
    entry(1, "resolution", "nexus.resolve", response_summary='{"status":"resolved"}'),
    entry(2, "query", "praxis.list_items", status="error", error_code="unavailable"),
    entry(3, "phrasing", "maven.phrase", status="fallback", fallback_reason="no model"),
)


def test_every_field_of_section_13_is_shown() -> None:
    shown = trace_view(WHOLE, plain, None)

    for field in (
        TURN,
        "cor_1234",
        "nexus.resolve",
        "3.2 ms",
        "error",
        "nexus/1.0",
        '→ {"text":"перезапусти векну"}',
        '← {"status":"resolved"}',
        "fallback no model",
        "error unavailable",
    ):
        assert field in shown
    assert re.search(rf"causation +{TURN}", shown)


def test_ids_that_differ_within_a_turn_are_shown_with_their_call() -> None:
    shown = trace_view(
        record(
            entry(0, "input", "maven.take_turn"),
            entry(1, "action", "hexis.confirm", correlation_id="cor_5678", causation_id="cnf_9"),
        ),
        plain,
        None,
    )

    assert "correlation cor_1234" in shown
    assert "correlation cor_5678" in shown
    assert "causation cnf_9" in shown


def test_on_a_terminal_summaries_are_cut_and_calls_drawn_on_a_time_line() -> None:
    long = record(
        entry(0, "query", "praxis.search", request_summary="я" * 300),
        entry(4, "query", "praxis.list_items", duration_ms=8.0),
    )

    lines = trace_view(long, plain, 100).splitlines()
    coloured_lines = trace_view(long, coloured, 100).splitlines()

    assert max(map(len, lines)) <= 100
    assert any(line.endswith("…") for line in lines)
    assert [line.count("▪") for line in lines if "praxis." in line] == [2, 4]
    assert any("\x1b[36mpraxis.search" in line for line in coloured_lines)


def test_a_trace_cannot_drive_the_terminal() -> None:
    hostile = "\x1b[2J\x9b1m\n"
    shown = trace_view(
        record(
            entry(
                0,
                f"query{hostile}",
                "praxis.search",
                operation=f"search{hostile}",
                contract_version=hostile,
                error_code=hostile,
                request_summary=hostile,
            )
        ),
        plain,
        None,
    )

    assert not set(shown) & set("\x1b\x9b")


async def test_the_last_turn_is_shown_unless_another_is_named(home: Home, maven: Maven) -> None:
    async with home.serving():
        await maven("ask", "first")
        await maven("ask", "second")
        first = home.maven.turns[0].turn_id
        last, named = await maven("trace"), await maven("trace", first)
        as_json = await maven("trace", "last", "--json")
        unknown = await maven("trace", TURN)

    assert last.out.startswith("› second\n")
    assert named.out.startswith("› first\n")
    assert msgspec.json.decode(as_json.out, type=TurnRecord).text == "second"
    assert unknown.status == 4


async def test_past_turns_and_what_was_said_unasked_are_listed(home: Home, maven: Maven) -> None:
    home.maven.notify("Vecna is healthy again.")

    async with home.serving():
        await maven("ask", "как там векна?")
        turns = await maven("turns")
        told = await maven("notifications")
        told_as_json = await maven("list-notifications", "--after", "0", "--json")

    assert "said: как там векна?" in turns.out
    assert "answered: You said: как там векна?" in turns.out
    assert re.fullmatch(r"\* \d\d:\d\d:\d\d Vecna is healthy again\.\n", told.out)
    assert '"text": "Vecna is healthy again."' in told_as_json.out
