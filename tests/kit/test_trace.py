"""The context of a call: carried by the task, and readable on the wire."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import trace
from kit.trace import originate, working_for


@given(requester=st.text(st.characters(codec="utf-8"), max_size=40))
def test_a_requester_survives_the_wire_as_printable_ascii(requester: str) -> None:
    wire = trace.requester_to_wire(requester)

    assert trace.requester_from_wire(wire.encode("ascii")) == requester
    assert all("!" <= character <= "~" for character in wire)


@given(value=st.binary(max_size=60))
def test_any_header_value_is_a_requester_or_none(value: bytes) -> None:
    read = trace.requester_from_wire(value)

    assert read is None or isinstance(read.encode(), bytes)


@pytest.mark.parametrize(
    ("value", "trace_id"),
    [
        ("00-" + "a" * 32 + "-" + "b" * 16 + "-01", "a" * 32),
        ("cc-" + "a" * 32 + "-" + "b" * 16 + "-01-more", "a" * 32),
        ("00-" + "0" * 32 + "-" + "b" * 16 + "-01", ""),
        ("00-" + "A" * 32 + "-" + "b" * 16 + "-01", ""),
        ("00-" + "a" * 31 + "-" + "b" * 16 + "-01", ""),
        ("", ""),
        ("nonsense", ""),
    ],
)
def test_only_a_valid_traceparent_is_taken_up(value: str, trace_id: str) -> None:
    assert trace.parse_traceparent(value) == trace_id


def test_a_traceparent_reads_as_it_was_written() -> None:
    trace_id = trace.new_trace_id()

    assert trace.parse_traceparent(trace.format_traceparent(trace_id)) == trace_id


async def test_the_context_belongs_to_its_task() -> None:
    async def who(name: str) -> list[str]:
        seen: list[str] = []
        with working_for(originate(name)):
            for _ in range(3):
                await asyncio.sleep(0)
                call = trace.current_call()
                seen.append(call.requester if call else "")
        return seen

    first, second = await asyncio.gather(who("user:ann"), who("user:bob"))

    assert (set(first), set(second)) == ({"user:ann"}, {"user:bob"})
    assert trace.current_call() is None


def test_what_follows_from_a_call_keeps_its_correlation() -> None:
    call = originate("user:ann", timeout_s=5)
    after = call.because("trn_1")

    assert (after.causation_id, after.correlation_id) == ("trn_1", call.correlation_id)
    assert 0 < (after.remaining_s() or 0) <= 5
