"""Admission: credentials, requesters, assertions, contract versions, headers."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from kit import assertion
from kit.assertion import Assertion
from kit.auth import save_grants
from kit.client import AnyClient
from kit.contract import Contract, Nothing
from kit.errors import (
    FailedPrecondition,
    InvalidArgument,
    PermissionDenied,
    Unauthenticated,
    Unavailable,
)
from kit.testing import Program
from kit.trace import originate, working_for
from tests.kit.conftest import Stage
from tests.kit.sample.contract import Approve, Echo, Keep, SampleClient
from tests.kit.wire import connected
from tests.requirements import requirement

READER = Program("reader", ["sample.read"], ["user:*"])
CHANNEL = Program("terminal", ["sample.read", "sample.approve"], ["user:*"], channel=True)
OTHER_CHANNEL = Program("web", ["sample.read"], ["user:ann"], channel=True)


def know(stage: Stage, *programs: Program) -> None:
    save_grants(
        stage.folder / "grants.json",
        [program.grant_for("sample") for program in (stage.tester, *programs)],
    )


async def test_a_program_without_a_known_credential_is_refused(stage: Stage) -> None:
    async with stage.client(READER) as client:
        with pytest.raises(Unauthenticated) as caught:
            await client.echo(Echo())

    assert caught.value.reason == "credential_unknown"


async def test_a_token_made_for_another_part_is_refused(stage: Stage) -> None:
    token = stage.tester.secret.token_for("nexus")
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", f"host: x\r\nauthorization: Bearer {token}\r\n", "{}")

    assert (answer.status, answer.error.code) == (401, "unauthenticated")


@pytest.mark.parametrize(
    "authorization",
    ["Basic dGVzdGVyOng=", "Bearer", "Bearer ", "Bearer eco1", "Bearer eco1.tester",
     "Bearer eco1.tester.", "Bearer eco1..", "Bearer \xff\xfe", "bearer eco1.tester.x"],
)  # fmt: skip
async def test_a_malformed_credential_is_unauthenticated(stage: Stage, authorization: str) -> None:
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", f"host: x\r\nauthorization: {authorization}\r\n", "{}")

    assert (answer.status, answer.error.code) == (401, "unauthenticated")


async def test_a_program_may_do_only_what_its_scopes_allow(stage: Stage) -> None:
    know(stage, READER)
    async with stage.client(READER) as client:
        heard = await client.echo(Echo(text="allowed"))
        with pytest.raises(PermissionDenied) as caught:
            await client.keep(Keep(text="not allowed"))

    assert heard.principal == "reader"
    assert caught.value.reason == "scope_missing"


async def test_a_program_may_not_speak_for_whom_it_likes(stage: Stage) -> None:
    async with stage.client(requester="service:praxis") as client:
        with pytest.raises(PermissionDenied) as caught:
            await client.echo(Echo())

    assert caught.value.reason == "requester_foreign"


@pytest.mark.parametrize(
    "requester", ["user:ann", "user:анна", "user:100%", "agent:max/α+1", "user:%61nn", "user:a:b"]
)
async def test_a_requester_arrives_as_it_was_named(stage: Stage, requester: str) -> None:
    async with stage.client(requester=requester) as client:
        heard = await client.echo(Echo())

    assert heard.requester == requester


async def test_a_requester_may_also_be_plain_utf_8(stage: Stage) -> None:
    headers = stage.headers.replace("user:ann", "user:анна")
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", headers, "{}")

    assert json.loads(answer.body)["requester"] == "user:анна"


async def test_two_spellings_of_one_letter_are_one_requester(stage: Stage) -> None:
    async with stage.client(requester="user:и\u0306ода") as client:
        heard = await client.echo(Echo())

    assert heard.requester == "user:йода"


@pytest.mark.parametrize(
    "requester",
    ["", "ann", "user:", "root:ann", "user:a b", "user:a\u202eb", "user:a\u200bb",
     "user:" + "a" * 200, "user:a\r\nx-requester: user:bob", "user:a\nb", "user:a\x00b"],
)  # fmt: skip
async def test_a_malformed_requester_is_refused(stage: Stage, requester: str) -> None:
    async with stage.client() as client:
        with working_for(originate(requester)), pytest.raises(InvalidArgument):
            await client.echo(Echo())


@pytest.mark.parametrize("value", [b"user:\xff", b"user:%ff", b"user:%00"])
async def test_a_requester_that_cannot_be_read_is_refused(stage: Stage, value: bytes) -> None:
    head = stage.headers.encode().replace(b"user:ann", value)
    async with connected(stage.address) as wire:
        await wire.send(b"POST /v1/echo HTTP/1.1\r\n" + head + b"content-length: 2\r\n\r\n{}")
        answer = await wire.answer()

    assert (answer.status, answer.error.field) == (400, "x-requester")


async def test_a_program_that_speaks_for_one_need_not_name_it(stage: Stage) -> None:
    single = Program("single", ["sample.read"], ["service:single"])
    know(stage, single)
    token = single.secret.token_for("sample")
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", f"host: x\r\nauthorization: Bearer {token}\r\n", "{}")
        named = stage.headers.replace("x-requester: user:ann\r\n", "")
        also = await wire.post("echo", named, "{}")

    assert json.loads(answer.body)["requester"] == "service:single"
    assert json.loads(also.body)["requester"] == "service:tester"


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("x-correlation-id", "a b"),
        ("x-correlation-id", "a" * 201),
        ("x-causation-id", "caf\xe9"),
        ("x-deadline-ms", "soon"),
        ("x-deadline-ms", "-5"),
        ("x-deadline-ms", "1_0"),
        ("x-deadline-ms", "9" * 13),
        ("idempotency-key", "a" * 201),
        ("x-channel-assertion", "a" * 4001),
        ("x-contract", "\xf6"),
    ],
)
async def test_a_malformed_header_is_refused_by_name(stage: Stage, header: str, value: str) -> None:
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", f"{stage.headers}{header}: {value}\r\n", "{}")

    assert (answer.status, answer.error.field) == (400, header)


async def test_a_header_that_decides_something_is_sent_once(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", f"{stage.headers}x-requester: user:bob\r\n", "{}")

    assert (answer.status, answer.error.field) == (400, "x-requester")
    assert answer.error.reason == "duplicate_header"


@requirement("arch.18", "phase.2.correlation-ids", "invariant.10")
async def test_the_context_of_a_call_arrives_with_it(client: SampleClient) -> None:
    call = originate("user:bob", timeout_s=2.0, causation_id="trn_1")
    with working_for(call):
        heard = await client.echo(Echo())

    assert (heard.requester, heard.causation_id) == ("user:bob", "trn_1")
    assert (heard.correlation_id, heard.trace_id) == (call.correlation_id, call.trace_id)
    assert 0 < heard.remaining_ms <= 2000


async def test_a_failure_names_the_correlation_id_of_its_call(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", f"{stage.headers}x-correlation-id: cor_1\r\n", '{"a":1}')

    assert answer.error.correlation_id == "cor_1"


@pytest.mark.parametrize("value", [b"\r\nx-a: b", "ы", "a b", "a\x00"])
async def test_no_value_of_the_context_can_add_a_header(
    client: SampleClient, value: str | bytes
) -> None:
    text = value if isinstance(value, str) else value.decode()
    with working_for(originate("user:ann", causation_id=text)), pytest.raises(InvalidArgument):
        await client.echo(Echo())
    with pytest.raises(InvalidArgument):
        await client.keep(Keep(text="a"), key=text)


class NewerClient(SampleClient):
    contract = Contract("sample", "2.0")


class MinorClient(SampleClient):
    contract = Contract("sample", "1.9")


class OtherClient(SampleClient):
    contract = Contract("simple", "1.0")


@requirement("arch.17", "invariant.2")
async def test_another_major_version_is_refused_naming_both(stage: Stage) -> None:
    async with NewerClient(stage.address, stage.tester.secret, requester="user:ann") as client:
        with pytest.raises(FailedPrecondition) as caught:
            await client.echo(Echo())

    assert caught.value.reason == "contract_mismatch"
    assert "sample/2.0" in caught.value.message
    assert "sample/1.2" in caught.value.message


@requirement("arch.17")
async def test_another_minor_version_is_served(stage: Stage) -> None:
    async with MinorClient(stage.address, stage.tester.secret, requester="user:ann") as client:
        heard = await client.echo(Echo(text="older or newer"))

    assert heard.text == "older or newer"


async def test_meta_tells_its_contract_to_whoever_speaks_another(stage: Stage) -> None:
    async with AnyClient("sample", stage.address, stage.tester.secret) as client:
        client.contract = Contract("sample", "7.0")  # pyright: ignore[reportAttributeAccessIssue]
        meta = await client.meta(Nothing())

    assert meta.contract == "sample/1.2"
    assert "keep" in meta.operations


def yes(
    stage: Stage, program: Program = CHANNEL, requester: str = "user:ann", age_s: float = 0.0
) -> str:
    said = Assertion(
        turn_id="trn_2",
        requester=requester,
        channel=program.secret.principal,
        issued_at=stage.clock.now() - timedelta(seconds=age_s),
    )
    return assertion.mint(program.secret.assertion_key_for("sample"), said)


async def approve(stage: Stage, word: str | None) -> tuple[int, str]:
    headers = stage.headers + (f"x-channel-assertion: {word}\r\n" if word else "")
    async with connected(stage.address) as wire:
        answer = await wire.post("approve", headers, "{}")
    return answer.status, json.loads(answer.body).get("reason") or json.loads(answer.body)[
        "turn_id"
    ]


async def test_an_assertion_stands_in_for_the_scope_of_who_forwards_it(stage: Stage) -> None:
    know(stage, CHANNEL, OTHER_CHANNEL)

    assert await approve(stage, yes(stage)) == (200, "trn_2")


async def test_without_an_assertion_there_is_no_approval(stage: Stage) -> None:
    know(stage, CHANNEL)

    assert await approve(stage, None) == (403, "assertion_needed")


@requirement("arch.7", "invariant.6")
async def test_an_altered_foreign_or_old_assertion_is_refused(stage: Stage) -> None:
    know(stage, CHANNEL, OTHER_CHANNEL)
    good = yes(stage)
    head, payload, mac = good.rsplit(".", 2)
    another = yes(stage, requester="user:bob").rsplit(".", 2)[1]
    stranger = Program("stranger", [], ["user:*"], channel=True)

    assert await approve(stage, f"{head}.{another}.{mac}") == (403, "assertion_invalid")
    assert await approve(stage, f"asr1.web.{payload}.{mac}") == (403, "assertion_invalid")
    assert await approve(stage, yes(stage, requester="user:bob")) == (403, "assertion_foreign")
    assert await approve(stage, yes(stage, stranger)) == (403, "assertion_foreign")
    assert await approve(stage, yes(stage, age_s=121)) == (403, "assertion_expired")
    assert await approve(stage, yes(stage, age_s=-6)) == (403, "assertion_expired")
    assert await approve(stage, "nonsense") == (403, "assertion_invalid")


async def test_a_channel_without_the_scope_cannot_lend_it(stage: Stage) -> None:
    know(stage, CHANNEL, OTHER_CHANNEL)

    assert await approve(stage, yes(stage, OTHER_CHANNEL)) == (403, "assertion_needed")


async def test_a_program_that_is_no_channel_mints_nothing(stage: Stage) -> None:
    minted = yes(stage, stage.tester)

    assert await approve(stage, minted) == (403, "assertion_foreign")


async def test_the_channel_may_approve_by_its_own_scope_too(stage: Stage) -> None:
    know(stage, CHANNEL)
    async with stage.client(CHANNEL) as client:
        approved = await client.approve(Approve())

    assert approved.turn_id == ""


async def test_a_rotated_token_counts_at_once_and_the_old_one_no_more(stage: Stage) -> None:
    rotated = Program("tester", ["sample.read"], ["user:*"])
    async with stage.client() as old, stage.client(rotated) as new:
        await old.echo(Echo())
        save_grants(stage.folder / "grants.json", [rotated.grant_for("sample")])
        with pytest.raises(Unauthenticated):
            await old.echo(Echo())
        heard = await new.echo(Echo(text="rotated"))

    assert heard.text == "rotated"


@pytest.mark.parametrize("spoilt", ["not json", "exposed", "gone", "bad key"])
async def test_grants_that_cannot_be_trusted_let_nobody_in_until_they_are_mended(
    stage: Stage, client: SampleClient, spoilt: str
) -> None:
    path = stage.folder / "grants.json"
    good = path.read_bytes()
    await client.echo(Echo())

    match spoilt:
        case "not json":
            path.write_bytes(good[:-5])
        case "exposed":
            path.write_bytes(good + b"\n")
            path.chmod(0o640)
        case "gone":
            path.unlink()
        case _:
            path.write_bytes(good.replace(b'"assertion_key": null', b'"assertion_key": "\xc3\xb6"'))
    with pytest.raises(Unavailable) as caught:
        await client.echo(Echo())
    assert caught.value.reason == "grants_unreadable"

    path.unlink(missing_ok=True)
    know(stage)
    heard = await client.echo(Echo(text="mended"))
    assert heard.text == "mended"


async def test_a_client_of_another_part_is_told_so(stage: Stage) -> None:
    secret = stage.tester.secret
    async with OtherClient(stage.address, secret) as client:
        with pytest.raises(Unauthenticated):
            await client.echo(Echo())
