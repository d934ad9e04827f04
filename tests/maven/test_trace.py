"""The trace of a turn: every stage and every call, whole, redacted and kept."""

import json
import sqlite3

import msgspec

from hexis.contract import CONTRACT as HEXIS
from maven.contract import TraceEntry
from maven.turn import STAGES
from nexus.contract import CONTRACT as NEXUS
from praxis.contract import CONTRACT as PRAXIS
from tests.maven.world import World
from tests.requirements import requirement

SECRET = "hunter2-hunter2"
SPOKEN = {each.name: str(each) for each in (NEXUS, PRAXIS, HEXIS)}


@requirement("arch.10", "phase.1.trace-integration", "invariant.10")
async def test_the_trace_holds_every_stage_and_every_call_with_all_its_fields(world: World) -> None:
    await world.talk("restart vecna", "yes")

    record = await world.turn()

    stages = [each.stage for each in record.trace if each.service == "maven"]
    calls = {f"{each.service}.{each.operation}" for each in record.trace}
    assert stages == [stage.name for stage in STAGES]
    assert {"hexis.confirm", "hexis.get_execution"} <= calls
    assert [each.sequence for each in record.trace] == list(range(1, len(record.trace) + 1))
    for entry in record.trace:
        for field in ("turn_id", "correlation_id", "causation_id", "service", "operation", "stage",
                      "contract_version", "request_summary"):  # fmt: skip
            assert getattr(entry, field), f"{entry.service}.{entry.operation} lacks {field}"
        assert entry.turn_id == entry.causation_id == record.turn_id
        assert entry.duration_ms >= 0
        if entry.service != "maven":
            assert entry.contract_version == SPOKEN[entry.service]


@requirement(
    "arch.17",
    "arch.18",
    "phase.1.typed-nexus-client",
    "phase.1.typed-praxis-client",
    "phase.1.typed-hexis-client",
    "phase.2.correlation-ids",
)
async def test_one_correlation_joins_all_calls_of_a_turn(world: World) -> None:
    await world.say("how is vecna?")

    record = await world.turn()

    assert len({each.correlation_id for each in record.trace}) == 1
    assert {each.service for each in record.trace} == {"maven", "nexus", "praxis", "hexis"}


@requirement("arch.13", "arch.14")
async def test_the_trace_says_that_no_model_took_part(world: World) -> None:
    await world.say("как там векна?")

    record = await world.turn()

    router = next(each for each in record.trace if each.stage == "router")
    assert router.status == "fallback"
    assert "no model" in (router.fallback_reason or "")
    assert router.contract_version == "maven.router/1.0"


async def test_a_call_that_failed_is_in_the_trace_with_its_code(world: World) -> None:
    await world.stop("praxis")
    await world.say("what needs attention?")

    record = await world.turn()

    failed = [each for each in record.trace if each.status == "error"]
    assert {(each.service, each.error_code) for each in failed} == {("praxis", "unavailable")}
    snapshot = next(each for each in record.trace if each.stage == "snapshot")
    assert snapshot.fallback_reason == "without praxis"


async def test_secrets_do_not_reach_the_trace_or_the_history(world: World) -> None:
    await world.say(f"tell me about password={SECRET} and token: {SECRET}")
    await world.say(f"как там token={SECRET}")
    answer = await world.say("restart vecna")

    record = await world.turn()

    kept = (world.folder / "maven" / "maven.db").read_bytes()
    kept += (world.folder / "maven" / "maven.db-wal").read_bytes()
    assert SECRET.encode() not in kept
    assert b"asr1." not in kept
    assert b"eco1." not in kept
    assert record.turn_id == answer.turn_id


async def test_no_entry_of_a_trace_is_unbounded(world: World) -> None:
    await world.say("что такое " + "ж" * 1900)

    record = await world.turn()

    assert max(len(msgspec.json.encode(each)) for each in record.trace) < 4000


async def test_the_trace_outlives_maven(world: World) -> None:
    await world.say("как там векна?")
    before = await world.turn()
    await world.stop("maven")
    await world.start("maven")

    after = await world.turn(before.turn_id)

    assert after == before


async def test_a_trace_is_as_wide_as_its_table(world: World) -> None:
    await world.say("hello")

    with sqlite3.connect(world.folder / "maven" / "maven.db") as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(trace)")]
    connection.close()

    assert columns
    assert set(columns) == {field.name for field in msgspec.structs.fields(TraceEntry)}


async def test_a_trace_shows_values_as_they_are(world: World) -> None:
    await world.say("как там векна?")

    record = await world.turn()

    stages = {each.stage: each for each in record.trace if each.service == "maven"}
    heard = json.loads(stages["input"].response_summary)
    found = json.loads(stages["fast_path"].response_summary)
    assert heard["utterance"] == "как там векна?"
    assert found == {
        "found": {"intent": "health", "language": "ru", "name": "векна"}, "language": "ru",
    }  # fmt: skip
    assert stages["query"].response_summary.startswith('{"outcome":{"Health":{"target":')
    assert not any('"is":' in each.request_summary + each.response_summary for each in record.trace)


async def test_a_read_turn_writes_once(world: World) -> None:
    await world.talk("как там векна?", "what needs attention?")

    record = await world.turn()

    assert record.duration_ms < 2000
