"""Maven with its neighbours on real sockets, and a person who talks through a terminal."""

import importlib.resources
import itertools
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from hexis.app import open_part as open_hexis
from hexis.client.executor import Executor
from hexis.settings import Settings as HexisSettings
from kit.address import Address
from kit.assertion import Assertion, mint
from kit.daemon import Running
from kit.ids import Ids
from kit.testing import Program, grants, hosting
from kit.trace import originate, working_for
from maven.app import open_part
from maven.client import MavenClient
from maven.contract import (
    Answer,
    GetTurn,
    Language,
    ListNotifications,
    NotificationList,
    Proposal,
    TakeTurn,
    TurnRecord,
)
from maven.plain_answer import Asked, is_plain_yes
from maven.settings import Settings
from nexus.app import open_part as open_nexus
from nexus.client import NexusClient
from nexus.contract import ApplyCatalog, CatalogEntry
from nexus.settings import Settings as NexusSettings
from praxis.app import open_part as open_praxis
from praxis.client import PraxisClient
from praxis.contract import ListItems, Observe, ObservedState, PutSource
from praxis.settings import Settings as PraxisSettings

ANNA, BORIS = "user:anna", "user:boris"
PARTS = ("nexus", "praxis", "hexis", "maven")
Opened = AbstractAsyncContextManager[Running]

THINGS = {
    "vecna": ("alpha", {"en": "Vecna", "ru": "Векна"}),
    "muzick": ("beta", {"en": "Muzick indexer", "ru": "Индексатор музыки"}),
    "manga": ("beta", {"en": "Manga indexer", "ru": "Индексатор манги"}),
    "broken": ("broken", {"en": "Grafana", "ru": "Графана"}),
    "slow": ("stubborn", {"en": "Jellyfin", "ru": "Джеллифин"}),
    "hexis": ("hexis", {"en": "Hexis", "ru": "Хексис"}),
}
"""Key of each service to the supervised program it stands for, and its names."""
WATCHED = ("vecna", "broken", "slow", "hexis")
"""Those whose health Praxis hears of."""


class OffsetClock:
    """The machine's clock, which a test may move ahead."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        """The present, as far as the parts know."""
        return datetime.now(UTC) + self._ahead

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return self.now().timestamp()

    def advance(self, seconds: float) -> None:
        """Move ahead."""
        self._ahead += timedelta(seconds=seconds)


class World:
    """All parts of one household, each of which can be stopped and started."""

    def __init__(self, folder: Path, supervisor_socket: Path) -> None:
        self.folder = folder
        self.clock = OffsetClock()
        self.ids: dict[str, str] = {}
        self.settings = Settings(zone="Europe/Moscow", wait_s=8.0)
        self.mavend = Program(
            "mavend",
            ["nexus.read", "praxis.read", "praxis.transition", "hexis.discover", "hexis.execute"],
            ["user:*", "service:mavend"],
        )
        self.terminal = Program(
            "terminal", ["maven.talk", "maven.read", "hexis.confirm"], ["user:*"], channel=True
        )
        self.owner = Program(
            "owner",
            ["nexus.read", "nexus.write", "praxis.read", "praxis.observe", "praxis.admin",
             "hexis.execute", "hexis.discover"],
            ["user:*", "service:*"],
        )  # fmt: skip
        self._hexis = Program("hexis", ["nexus.read", "praxis.observe"], ["*"])
        self._new = Ids(self.clock)
        self._shown: dict[tuple[str, str], Proposal | None] = {}
        """What each person was asked last in each conversation."""
        self._events = itertools.count()
        self.running: dict[str, Running] = {}
        self._stacks: dict[str, AsyncExitStack] = {}
        self._clients = AsyncExitStack()
        self._hexis_settings = HexisSettings(
            capabilities=str(folder / "capabilities"),
            supervisor_socket=str(supervisor_socket),
            grace_s=0.2,
        )
        self._lay_out()

    def _lay_out(self) -> None:
        (self.folder / "run").mkdir(mode=0o700)
        provider = self.folder / "capabilities" / "supervisor.toml"
        provider.parent.mkdir(mode=0o700)
        shipped = importlib.resources.files("hexis").joinpath("providers/supervisor.toml")
        provider.write_bytes(shipped.read_bytes())
        provider.chmod(0o600)
        programs = {
            "nexus": (self._hexis, self.mavend, self.owner),
            "praxis": (self._hexis, self.mavend, self.owner),
            "hexis": (self.mavend, self.terminal, self.owner),
            "maven": (self.terminal,),
        }
        self.grants = {
            part: grants(self.folder / part / "grants.json", part, *known)
            for part, known in programs.items()
        }

    async def __aenter__(self) -> Self:
        for part in PARTS:
            await self.start(part)
        enter = self._clients.enter_async_context
        self.maven = await enter(MavenClient(self.address("maven"), self.terminal.secret))
        self.nexus = await enter(
            NexusClient(self.address("nexus"), self.owner.secret, requester=ANNA)
        )
        self.praxis = await enter(
            PraxisClient(self.address("praxis"), self.owner.secret, requester=ANNA)
        )
        self.hexis = await enter(Executor(self.address("hexis"), self.owner.secret, requester=ANNA))
        await self.describe()
        return self

    async def __aexit__(self, *_: object) -> None:
        for part in reversed(PARTS):
            await self.stop(part)
        await self._clients.aclose()

    def address(self, part: str) -> Address:
        """Where a part listens."""
        return Address(path=str(self.folder / "run" / f"{part}.sock"))

    async def start(self, *parts: str) -> None:
        """Start parts over what they have kept."""
        openers = {
            "nexus": self._open_nexus,
            "praxis": self._open_praxis,
            "hexis": self._open_hexis,
            "maven": self._open_maven,
        }
        for part in parts:
            stack = self._stacks[part] = AsyncExitStack()
            address = Path(self.address(part).path)
            self.running[part] = await stack.enter_async_context(hosting(openers[part](), address))

    async def stop(self, *parts: str) -> None:
        """Stop parts, if they run."""
        for part in parts:
            await self._stacks.pop(part, AsyncExitStack()).aclose()

    async def describe(self) -> None:
        """Make the services known to Nexus, all on one host, and their health to Praxis."""
        entries = [
            CatalogEntry(key="den", type="device.host", names={"en": "Den", "ru": "Логово"}),
            *(
                CatalogEntry(
                    key=key,
                    type="service.supervised",
                    names={"en": names["en"], "ru": names["ru"]},
                    external={"supervisor": program} if key != "manga" else {},
                    relations={"runs_on": "den"},
                )
                for key, (program, names) in THINGS.items()
            ),
        ]
        applied = await self.nexus.apply_catalog(ApplyCatalog(catalog="test", entries=entries))
        self.ids = applied.entity_ids
        for key in WATCHED:
            source = PutSource(
                source=f"health:{key}",
                kind="health",
                expected_every_s=3600,
                entity_id=self.ids[key],
            )
            await self.praxis.put_source(source)
            await self.observe(key, "ok")

    async def observe(self, key: str, state: ObservedState, summary: str = "") -> None:
        """A health source reports."""
        await self.praxis.observe(
            Observe(
                source=f"health:{key}",
                event_id=f"e{next(self._events)}",
                key="health",
                kind="health",
                state=state,
                severity="error" if state == "problem" else "info",
                summary=summary or ("does not answer" if state == "problem" else "answers"),
                observed_at=self.clock.now(),
                entity_id=self.ids[key],
                details={"reason": "unreachable"} if state == "problem" else {},
            )
        )

    async def say(
        self,
        text: str,
        *,
        requester: str = ANNA,
        conversation: str = "home",
        language: Language | None = None,
        vouched: bool = True,
        turn_id: str | None = None,
        answering: str | None = None,
    ) -> Answer:
        """Say something in the terminal, which vouches for it unless told not to.

        The terminal shows what was asked last; `answering` is what another window shows.
        """
        turn = turn_id or self._new.new("trn")
        shown = (requester, conversation)
        proposal = self._shown.get(shown)
        answering = answering or (proposal.confirmation_id if proposal else None)
        request = TakeTurn(
            turn_id=turn,
            text=text,
            channel="terminal",
            conversation_id=conversation,
            language=language,
            answering=answering,
        )
        call = originate(requester, causation_id="")
        if vouched:
            names = tuple(name for _, each in THINGS.values() for name in each.values())
            is_yes = is_plain_yes(text, Asked("restart", names))
            word = self.word(turn, requester, (answering or "") if is_yes else "")
            call = replace(call, channel_assertion=word)
        with working_for(call):
            answer = await self.maven.take_turn(request)
        self._shown[shown] = answer.proposal
        return answer

    async def talk(self, *texts: str, conversation: str = "home") -> Answer:
        """Say one thing after another; the last answer."""
        answers = [await self.say(text, conversation=conversation) for text in texts]
        return answers[-1]

    def word(self, turn: str, requester: str, answers: str = "") -> str:
        """What the terminal mints when the person speaks, and to which question."""
        said = Assertion(
            turn_id=turn,
            requester=requester,
            channel="terminal",
            issued_at=self.clock.now(),
            answers=answers,
        )
        return mint(self.terminal.secret.assertion_key_for("hexis"), said)

    async def turn(self, turn_id: str | None = None, requester: str = ANNA) -> TurnRecord:
        """A turn with its trace."""
        with working_for(originate(requester)):
            return await self.maven.get_turn(GetTurn(turn_id=turn_id))

    async def heard(
        self, after: int | None = 0, wait_s: float = 10.0, requester: str = ANNA
    ) -> NotificationList:
        """What Maven says unasked."""
        with working_for(originate(requester)):
            return await self.maven.list_notifications(
                ListNotifications(after=after, wait_s=wait_s)
            )

    async def item_states(self, key: str) -> list[tuple[str, str]]:
        """Operational and attention state of the items of a thing."""
        listed = await self.praxis.list_items(ListItems(entity_ids=[self.ids[key]]))
        return [(item.operational, item.attention) for item in listed.items]

    def _open_nexus(self) -> Opened:
        return open_nexus(NexusSettings(), self.folder / "nexus", self.grants["nexus"], self.clock)

    def _open_praxis(self) -> Opened:
        return open_praxis(
            PraxisSettings(),
            self.folder / "praxis",
            self.grants["praxis"],
            self.owner.secret,
            self.clock,
        )

    @asynccontextmanager
    async def _open_hexis(self) -> AsyncGenerator[Running]:
        async with (
            NexusClient(self.address("nexus"), self._hexis.secret) as nexus,
            PraxisClient(self.address("praxis"), self._hexis.secret) as praxis,
            open_hexis(
                self._hexis_settings,
                self.folder / "hexis",
                self.grants["hexis"],
                nexus,
                praxis,
                self.clock,
            ) as running,
        ):
            yield running

    def _open_maven(self) -> Opened:
        return open_part(
            self.settings,
            self.folder / "maven",
            self.grants["maven"],
            NexusClient(self.address("nexus"), self.mavend.secret),
            PraxisClient(self.address("praxis"), self.mavend.secret),
            Executor(self.address("hexis"), self.mavend.secret),
            self.clock,
        )
