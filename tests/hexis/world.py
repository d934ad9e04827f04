"""Hexis with its neighbours, and the programs and people that talk to it."""

import importlib.resources
import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import msgspec

from hexis.app import open_part
from hexis.client.executor import Executor
from hexis.contract.execution import (
    Confirm,
    Confirmation,
    Execute,
    Execution,
    GetExecution,
    ListConfirmations,
)
from hexis.settings import Settings
from kit.address import Address, dial
from kit.assertion import Assertion, mint
from kit.client import AnyClient
from kit.connection import Connection
from kit.contract import HealthReply, Nothing
from kit.daemon import Running
from kit.testing import FrozenClock, Program, grants, hosting
from kit.trace import originate, working_for
from nexus.app import open_part as open_nexus
from nexus.client import NexusClient
from nexus.contract import ApplyCatalog, ArchiveEntity, CatalogEntry
from nexus.settings import Settings as NexusSettings
from praxis.app import open_part as open_praxis
from praxis.client import PraxisClient
from praxis.contract import ListChanges
from praxis.settings import Settings as PraxisSettings

ANNA, BORIS, AGENT = "user:anna", "user:boris", "agent:max"
SHIPPED = (
    importlib.resources.files("hexis").joinpath("providers/supervisor.toml").read_text("utf-8")
)
STATUS, LOGS, RESTART = (f"cap_supervisor_{verb}" for verb in ("status", "logs", "restart"))
Opened = AbstractAsyncContextManager[Running]
_LOOKS = ["hexis.discover", "hexis.execute"]


class World:
    """Everything around one Hexis, laid out as on a machine in one folder.

    `alpha`, `beta`, … are entities on the host `den`.
    """

    def __init__(self, folder: Path, supervisor_socket: Path) -> None:
        self.folder = folder
        self.clock = FrozenClock(datetime.now(UTC))
        self.settings = Settings(
            capabilities=str(folder / "config" / "capabilities"),
            supervisor_socket=str(supervisor_socket),
            grace_s=0.2,
        )
        self.mavend = Program("mavend", _LOOKS, ["user:*", "service:mavend"])
        self.terminal = Program("terminal", ["hexis.confirm"], ["user:*"], channel=True)
        self.cli = Program("cli", [*_LOOKS, "hexis.confirm"], ["user:*"], channel=True)
        self.mute = Program("mute", [], ["user:*"], channel=True)
        self.mcp = Program("mcp", [*_LOOKS, "hexis.confirm"], ["agent:*"])
        self._hexis = Program("hexis", ["nexus.read", "praxis.observe"], ["*"])
        self._owner = Program("owner", ["nexus.read", "nexus.write", "praxis.read"], ["user:*"])
        self._running = AsyncExitStack()
        self._clients = AsyncExitStack()
        self._neighbours: dict[str, AsyncExitStack] = {}
        self._turns = 0
        self.ids: dict[str, str] = {}
        self.write_capabilities(SHIPPED)
        programs = (self.mavend, self.terminal, self.cli, self.mute, self.mcp)
        self._known = grants(folder / "hexis" / "grants.json", "hexis", *programs)
        for program in (self._hexis, self.cli):
            program.secret.save(folder / "credentials" / program.secret.principal)
        (folder / "run").mkdir(mode=0o700)

    async def __aenter__(self) -> Self:
        for name in ("nexus", "praxis"):
            await self.start(name)
        self.nexus = await self._clients.enter_async_context(
            NexusClient(self.address("nexus"), self._owner.secret, requester=ANNA)
        )
        self.praxis = await self._clients.enter_async_context(
            PraxisClient(self.address("praxis"), self._owner.secret, requester=ANNA)
        )
        await self.describe(
            **{name: name for name in ("alpha", "beta", "broken", "absent", "stubborn", "hexis")}
        )
        await self.start("hexis")
        return self

    async def __aexit__(self, *_: object) -> None:
        for name in ("hexis", "praxis", "nexus"):
            await self.stop(name)
        await self._clients.aclose()

    def address(self, part: str) -> Address:
        """Where a part listens."""
        return Address(path=str(self.folder / "run" / f"{part}.sock"))

    async def start(self, part: str) -> None:
        """Start a part over what it has kept."""
        stack = self._neighbours[part] = AsyncExitStack()
        opener = {"nexus": self._nexus, "praxis": self._praxis, "hexis": self._part}[part]
        await stack.enter_async_context(hosting(opener(), Path(self.address(part).path)))

    async def stop(self, part: str) -> None:
        """Stop a part, if it runs."""
        await self._neighbours.pop(part, AsyncExitStack()).aclose()

    async def restart(self) -> None:
        """Stop Hexis and start it over what it has kept."""
        await self.stop("hexis")
        await self.start("hexis")

    async def describe(
        self,
        *,
        type: str = "service.supervised",
        name: str = "",
        host: str = "Den",
        **programs: str,
    ) -> None:
        """Make entities on the host `den`, each standing for a supervised program."""
        entries = [
            CatalogEntry(key="den", type="device.host", names={"en": host, "ru": "Логово"}),
            *(
                CatalogEntry(
                    key=key,
                    type=type,
                    names={"en": name or key.title(), "ru": f"{key}-служба"},
                    external={"supervisor": program},
                    relations={"runs_on": "den"},
                )
                for key, program in programs.items()
            ),
        ]
        applied = await self.nexus.apply_catalog(ApplyCatalog(catalog="test", entries=entries))
        self.ids |= applied.entity_ids

    async def archive(self, name: str) -> None:
        """Take an entity out of use."""
        await self.nexus.archive_entity(ArchiveEntity(entity_id=self.ids[name]))

    def use_supervisor(self, socket: Path) -> None:
        """Make Hexis look for the supervisor elsewhere from its next start on."""
        self.settings = msgspec.structs.replace(self.settings, supervisor_socket=str(socket))

    def write_capabilities(self, text: str, name: str = "supervisor.toml") -> Path:
        """Put a provider file where Hexis reads it at its next start."""
        path = self.folder / "config" / "capabilities" / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600)
        return path

    @asynccontextmanager
    async def calling(
        self,
        program: Program,
        requester: str = ANNA,
        *,
        turn: str | None = None,
        word: str | None = None,
    ) -> AsyncGenerator[Executor]:
        """A client of Hexis whose calls belong to one turn of one requester."""
        call = originate(requester, causation_id=turn or self.new_turn())
        async with Executor(self.address("hexis"), program.secret) as client:
            with working_for(replace(call, channel_assertion=word)):
                yield client

    def follow_real_time(self, ahead_s: float = 0.0) -> None:
        """Set the clock to the machine's, or a little ahead of it."""
        self.clock.advance((datetime.now(UTC) - self.clock.now()).total_seconds() + ahead_s)

    def new_turn(self) -> str:
        """The id of a turn nobody has had."""
        self._turns += 1
        return f"trn_{self._turns}"

    def word(
        self,
        turn: str | None = None,
        *,
        requester: str = ANNA,
        channel: Program | None = None,
        later_s: float = 0.0,
        answers: str = "",
    ) -> str:
        """What a channel mints when the person speaks now, and to which question."""
        channel = channel or self.terminal
        said = Assertion(
            turn_id=turn or self.new_turn(),
            requester=requester,
            channel=channel.secret.principal,
            issued_at=self.clock.now() + timedelta(seconds=later_s),
            answers=answers,
        )
        return mint(channel.secret.assertion_key_for("hexis"), said)

    async def execute(
        self,
        capability_id: str,
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        requester: str = ANNA,
        program: Program | None = None,
        turn: str | None = None,
        wait_s: float = 20.0,
        free_text: bool = False,
    ) -> Execution:
        """Ask for something to be done to a described entity."""
        request = Execute(
            capability_id=capability_id,
            entity_id=name if free_text else self.ids.get(name, name),
            arguments=arguments or {},
            wait_s=wait_s,
        )
        async with self.calling(program or self.mavend, requester, turn=turn) as client:
            return await client.execute(request, timeout_s=40.0)

    async def ask(self, name: str, **how: Any) -> Confirmation:
        """Ask for a restart; a moment passes after the question."""
        execution = await self.execute(RESTART, name, **how)
        assert execution.confirmation is not None
        self.clock.advance(1)
        return execution.confirmation

    async def confirm(
        self,
        confirmation_id: str,
        word: str | None = None,
        *,
        requester: str = ANNA,
        program: Program | None = None,
        wait_s: float = 20.0,
    ) -> Execution:
        """Say yes, with a fresh word of the terminal unless another is given."""
        if word is None:
            word = self.word(requester=requester, answers=confirmation_id)
        async with self.calling(program or self.mavend, requester, word=word or None) as client:
            request = Confirm(confirmation_id=confirmation_id, wait_s=wait_s)
            return await client.confirm(request, timeout_s=40.0)

    async def state_of(self, execution_id: str) -> str:
        """What an execution has come to."""
        async with self.calling(self.mavend) as client:
            return (await client.get_execution(GetExecution(execution_id=execution_id))).state

    async def pending(self, requester: str = ANNA) -> list[str]:
        """The confirmations that wait for a yes of this requester."""
        async with self.calling(self.cli, requester) as client:
            reply = await client.list_confirmations(ListConfirmations())
        return [each.confirmation_id for each in reply.confirmations]

    async def reported(self, execution_id: str) -> list[str]:
        """The states of an execution that Praxis has heard of, in order."""
        changes = await self.praxis.list_changes(ListChanges(after=0, limit=500))
        return [
            change.details["state"]
            for change in changes.changes
            if change.execution_id == execution_id and change.what == "execution_reported"
        ]

    async def raw(
        self, operation: str, body: bytes, program: Program, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """Send bytes as they are; the status and the decoded body."""
        sent = {
            "host": "hexis",
            "authorization": f"Bearer {program.secret.token_for('hexis')}",
            "x-requester": ANNA,
            "content-length": str(len(body)),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        connection = await dial(Connection, self.address("hexis"))
        start = f"POST /v1/{operation} HTTP/1.1\r\n{head}\r\n".encode()
        status, payload = await connection.exchange(start + body, timeout_s=30.0)
        connection.close()
        return status, msgspec.json.decode(payload)

    def outbox(self) -> list[str]:
        """The keys of the events Praxis has not heard of."""
        with self.database() as connection:
            rows = connection.execute("SELECT key FROM outbox ORDER BY sequence")
            return [row["key"] for row in rows]

    async def health(self) -> HealthReply:
        """What Hexis says of itself."""
        async with AnyClient("hexis", self.address("hexis"), self.mavend.secret) as client:
            return await client.health(Nothing())

    def audit(self) -> list[sqlite3.Row]:
        """The audit, oldest row first."""
        with self.database() as connection:
            return connection.execute("SELECT * FROM audit ORDER BY sequence").fetchall()

    def alter(self, sql: str, *values: str | bytes) -> None:
        """Change Hexis's database behind its back."""
        with self.database() as connection:
            connection.execute(sql, values)

    @contextmanager
    def database(self) -> Generator[sqlite3.Connection]:
        """Hexis's own database, as someone on the machine could open it."""
        path = self.folder / "hexis" / "hexis.db"
        connection = sqlite3.connect(path, isolation_level=None)
        connection.row_factory = sqlite3.Row
        try:
            yield connection
        finally:
            connection.close()

    def _nexus(self) -> Opened:
        known = grants(self.folder / "nexus" / "grants.json", "nexus", self._hexis, self._owner)
        return open_nexus(NexusSettings(), self.folder / "nexus", known, self.clock)

    def _praxis(self) -> Opened:
        known = grants(self.folder / "praxis" / "grants.json", "praxis", self._hexis, self._owner)
        folder, secret = self.folder / "praxis", self._owner.secret
        return open_praxis(PraxisSettings(), folder, known, secret, self.clock)

    @asynccontextmanager
    async def _part(self) -> AsyncGenerator[Running]:
        async with (
            NexusClient(self.address("nexus"), self._hexis.secret) as nexus,
            PraxisClient(self.address("praxis"), self._hexis.secret) as praxis,
            open_part(
                self.settings, self.folder / "hexis", self._known, nexus, praxis, self.clock
            ) as running,
        ):
            yield running
