"""What each program may do, on the real processes: least privilege, and no way round it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from ecosystem.parts import PERMISSIONS
from hexis.client.executor import Executor
from hexis.contract import CONTRACT as HEXIS
from hexis.contract.execution import Confirm, Execute, Execution
from kit import assertion, trace
from kit.address import Address, dial
from kit.assertion import Assertion
from kit.auth import Secret
from kit.connection import Connection
from kit.errors import PermissionDenied, ServiceError
from nexus.client import NexusClient
from nexus.contract import CONTRACT as NEXUS
from nexus.contract import Resolve, Resolved
from tests.ecosystem.driver import Ecosystem
from tests.requirements import requirement

slow = pytest.mark.slow


def secret_of(ecosystem: Ecosystem, program: str) -> Secret:
    """A program's credential, as the program itself would load it."""
    return ecosystem.secrets[program]


def hexis_as(ecosystem: Ecosystem, program: str) -> Executor:
    """Hexis, called with one program's credential for the person."""
    address = Address(path=str(ecosystem.home / "run" / "hexis.sock"))
    return Executor(address, secret_of(ecosystem, program), requester=owner(ecosystem))


def owner(ecosystem: Ecosystem) -> str:
    """The person the ecosystem belongs to."""
    return ecosystem.owner


async def vecna_id(ecosystem: Ecosystem) -> str:
    """The canonical id of Vecna."""
    address = Address(path=str(ecosystem.home / "run" / "nexus.sock"))
    async with NexusClient(
        address, secret_of(ecosystem, "cli"), requester=owner(ecosystem)
    ) as nexus:
        found = await nexus.resolve(Resolve(text="векну", purpose="mutate"))
    assert isinstance(found, Resolved)
    return found.entity_id


async def ask_to_restart_vecna(ecosystem: Ecosystem) -> Execution:
    """What Maven's daemon does when a person says "restart vecna"."""
    entity_id = await vecna_id(ecosystem)
    request = Execute(capability_id="cap_supervisor_restart", entity_id=entity_id, wait_s=0)
    with trace.working_for(trace.originate(owner(ecosystem), causation_id="trn_asking0000001")):
        async with hexis_as(ecosystem, "mavend") as hexis:
            return await hexis.execute(request)


async def confirm_as(
    ecosystem: Ecosystem, program: str, confirmation_id: str, word: str | None
) -> Execution:
    """Try to say yes with one program's credential and one assertion."""
    call = trace.originate(owner(ecosystem), causation_id="trn_answering00001")
    with trace.working_for(replace(call, channel_assertion=word)):
        async with hexis_as(ecosystem, program) as hexis:
            return await hexis.confirm(Confirm(confirmation_id=confirmation_id, wait_s=20))


def spoken(ecosystem: Ecosystem, program: str = "terminal", **changes: object) -> str:
    """The assertion a program mints for an utterance, with something made different."""
    said = Assertion(
        turn_id="trn_answering00001",
        requester=owner(ecosystem),
        channel=program,
        issued_at=datetime.now(UTC),
    )
    key = secret_of(ecosystem, program).assertion_key_for("hexis")
    return assertion.mint(key, msgspec.structs.replace(said, **changes))


@requirement("invariant.4", "arch.19")
def test_no_part_but_the_persons_own_programs_may_confirm() -> None:
    confirming = {p.program for p in PERMISSIONS if "hexis.confirm" in p.scopes}
    channels = {p.program for p in PERMISSIONS if p.channel}

    assert confirming == {"terminal", "cli"}
    assert channels == {"terminal", "cli"}


@requirement("invariant.4", "arch.19", "phase.4.no-autonomous-execution")
def test_praxis_may_ask_others_for_nothing_but_to_read() -> None:
    scopes = {scope for p in PERMISSIONS if p.program == "praxis" for scope in p.scopes}
    operations = [each for part in (NEXUS, HEXIS) for each in part.operations.values()]

    assert scopes == {"nexus.read", "hexis.discover"}
    assert {each.effect for each in operations if each.scope in scopes} == {"read"}


@slow
@requirement("invariant.4", "arch.19")
async def test_praxis_is_refused_when_it_tries_to_execute(ecosystem: Ecosystem) -> None:
    entity_id = await vecna_id(ecosystem)
    address = Address(path=str(ecosystem.home / "run" / "hexis.sock"))
    request = Execute(capability_id="cap_supervisor_restart", entity_id=entity_id)

    async with Executor(address, secret_of(ecosystem, "praxis")) as hexis:
        with pytest.raises(PermissionDenied):
            await hexis.execute(request)


@slow
@requirement("arch.7", "invariant.6")
@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("no assertion", "assertion_needed"),
        ("altered", "assertion_invalid"),
        ("too old", "assertion_expired"),
        ("older than the question", "assertion_not_later"),
        ("another person's", "assertion_foreign"),
        ("made by mavend itself", "assertion_foreign"),
        ("of the turn that asked", "assertion_not_later"),
        ("of an innocent later turn", "assertion_other_question"),
        ("of the asking turn by a clock ahead", "assertion_other_question"),
        ("a yes to another question", "assertion_other_question"),
    ],
)
async def test_confirming_without_a_genuine_later_word_is_refused(
    ecosystem: Ecosystem, case: str, reason: str
) -> None:
    early = datetime.now(UTC)
    asked = await ask_to_restart_vecna(ecosystem)
    assert asked.confirmation is not None
    this = asked.confirmation.confirmation_id
    now = datetime.now(UTC)
    words = {
        "no assertion": None,
        "altered": spoken(ecosystem, answers=this)[:-4] + "AAAA",
        "too old": spoken(ecosystem, answers=this, issued_at=now - timedelta(minutes=10)),
        "older than the question": spoken(ecosystem, answers=this, issued_at=early),
        "another person's": spoken(ecosystem, answers=this, requester="user:mallory"),
        "made by mavend itself": spoken(ecosystem, program="mavend", answers=this),
        "of the turn that asked": spoken(ecosystem, answers=this, turn_id="trn_asking0000001"),
        "of an innocent later turn": spoken(ecosystem),
        "of the asking turn by a clock ahead": spoken(
            ecosystem, issued_at=now + timedelta(seconds=3)
        ),
        "a yes to another question": spoken(ecosystem, answers="cnf_00000000000000000000000000"),
    }
    before = ecosystem.pid("vecna")

    with pytest.raises(ServiceError) as refused:
        await confirm_as(ecosystem, "mavend", this, words[case])

    assert isinstance(refused.value, PermissionDenied)
    assert refused.value.reason == reason
    assert ecosystem.pid("vecna") == before


@slow
@requirement("arch.7", "invariant.6")
async def test_a_genuine_yes_works_once(ecosystem: Ecosystem) -> None:
    asked = await ask_to_restart_vecna(ecosystem)
    assert asked.confirmation is not None
    confirmation_id = asked.confirmation.confirmation_id

    word = spoken(ecosystem, answers=confirmation_id)
    done = await confirm_as(ecosystem, "mavend", confirmation_id, word)
    word = spoken(ecosystem, answers=confirmation_id, turn_id="trn_answering00002")
    with pytest.raises(ServiceError) as again:
        await confirm_as(ecosystem, "mavend", confirmation_id, word)

    assert done.state == "succeeded"
    assert again.value.reason == "confirmation_consumed"


@slow
async def test_a_token_made_for_one_part_is_nothing_to_another(ecosystem: Ecosystem) -> None:
    address = Address(path=str(ecosystem.home / "run" / "hexis.sock"))
    request = b"POST /v1/list_capabilities HTTP/1.1\r\nhost: hexis\r\ncontent-length: 2\r\n"
    for_nexus = secret_of(ecosystem, "mavend").token_for("nexus")
    connection = await dial(Connection, address)

    status, body = await connection.exchange(
        request + f"authorization: Bearer {for_nexus}\r\n\r\n{{}}".encode(), timeout_s=5
    )

    connection.close()
    assert status == 401
    assert b"credential_unknown" in body
