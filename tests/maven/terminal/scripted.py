"""A Maven that answers from a script, so that the terminal is tested against the contract alone."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from kit.address import Address, listen
from kit.assertion import Assertion
from kit.auth import Grants
from kit.daemon import Running
from kit.errors import NotFound
from kit.pulse import Pulse
from kit.server import Hosted
from kit.testing import Program, grants, hosting
from kit.trace import Call
from maven.contract import (
    CONTRACT,
    Answer,
    GetTurn,
    ListNotifications,
    ListTurns,
    Notification,
    NotificationList,
    TakeTurn,
    TurnList,
    TurnRecord,
)

Reply = Callable[[TakeTurn], Answer]


class ScriptedMaven:
    """Says what the script says, and remembers what it was asked and by whom."""

    def __init__(self) -> None:
        self.script: dict[str, Reply] = {}
        self.turns: list[TakeTurn] = []
        self.calls: list[Call] = []
        self.records: dict[str, TurnRecord] = {}
        self.notifications: list[Notification] = []
        self.pulse = Pulse()
        self.asked = asyncio.Condition()
        self.listening = asyncio.Condition()
        self.looks = 0
        self.looked = asyncio.Condition()
        self._listeners = 0
        self.held = asyncio.Event()
        """Cleared, it keeps answers back."""
        self.held.set()

    async def take_turn(self, request: TakeTurn, call: Call) -> Answer:
        self.turns.append(request)
        self.calls.append(call)
        async with self.asked:
            self.asked.notify_all()
        reply = self.record(request, call.requester)
        await self.held.wait()
        return reply

    def record(self, request: TakeTurn, requester: str) -> Answer:
        """Do what the script says, and keep a record of the turn."""
        reply = self.script.get(request.text, said)(request)
        self.records[reply.turn_id] = TurnRecord(
            turn_id=reply.turn_id,
            conversation_id=reply.conversation_id,
            requester=requester,
            channel=request.channel,
            at=datetime.now(UTC),
            duration_ms=1.5,
            text=request.text,
            answer=reply,
            trace=[],
        )
        return reply

    async def get_turn(self, request: GetTurn, call: Call) -> TurnRecord:
        known = [turn for turn in self.records.values() if turn.requester == call.requester]
        for turn in reversed(known):
            if request.turn_id in {None, turn.turn_id}:
                return turn
        raise NotFound("There is no such turn.", field="turn_id")

    async def list_turns(self, request: ListTurns, call: Call) -> TurnList:
        self.looks += 1
        async with self.looked:
            self.looked.notify_all()
        return TurnList(turns=list(reversed(self.records.values()))[: request.limit])

    async def list_notifications(self, request: ListNotifications, call: Call) -> NotificationList:
        newest = len(self.notifications)
        after = newest if request.after is None else request.after
        if request.wait_s and after >= newest and not self.pulse.is_closed:
            async with self.listening:
                self._listeners += 1
                self.listening.notify_all()
            try:
                await self.pulse.wait(request.wait_s)
            finally:
                self._listeners -= 1
        news = self.notifications[after : after + request.limit]
        return NotificationList(notifications=news, next_after=news[-1].cursor if news else after)

    def notify(self, text: str) -> None:
        """Say something unasked."""
        cursor = len(self.notifications) + 1
        self.notifications.append(
            Notification(
                notification_id=f"ntf_{cursor:010d}",
                cursor=cursor,
                at=datetime.now(UTC),
                conversation_id="terminal",
                kind="recovered",
                text=text,
                language="en",
            )
        )
        self.pulse.beat()

    async def until_asked(self, count: int) -> None:
        """Wait for so many turns."""
        async with asyncio.timeout(20), self.asked:
            await self.asked.wait_for(lambda: len(self.turns) >= count)

    async def until_looked_at(self, count: int) -> None:
        """Wait until past turns have been looked at so often."""
        async with asyncio.timeout(20), self.looked:
            await self.looked.wait_for(lambda: self.looks >= count)

    async def until_listened(self) -> None:
        """Wait until somebody waits for news."""
        async with asyncio.timeout(20), self.listening:
            await self.listening.wait_for(lambda: self._listeners > 0)


def said(turn: TakeTurn) -> Answer:
    """An answer that repeats what was said."""
    return answer(turn, f"You said: {turn.text}")


def answer(turn: TakeTurn, text: str) -> Answer:
    """A plain answer."""
    return Answer(
        turn_id=turn.turn_id, conversation_id=turn.conversation_id, text=text, language="en"
    )


class Home:
    """A home folder with credentials, in which the scripted Maven can be served."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.maven = ScriptedMaven()
        self.terminal = Program(
            "terminal", ["maven.talk", "maven.read", "hexis.confirm"], ["user:*"], channel=True
        )
        self.command = Program("cli", ["maven.talk", "maven.read"], ["user:*"])
        for program in (self.terminal, self.command):
            program.secret.save(path / "credentials" / program.secret.principal)
        self.grants = grants(path / "maven" / "grants.json", "maven", self.terminal, self.command)
        (path / "run").mkdir(mode=0o700)

    def serving(self) -> AbstractAsyncContextManager[Running]:
        """Serve the scripted Maven while the block runs."""
        return hosting(self._open(), self.path / "run" / "maven.sock")

    @asynccontextmanager
    async def dying(self, *, with_record: bool) -> AsyncGenerator[asyncio.Event]:
        """A Maven that takes one turn and dies before it answers; the event says it has."""
        died = asyncio.Event()
        loop = asyncio.get_running_loop()

        async def talk(connection: socket.socket) -> None:
            with connection:
                while not died.is_set() and (data := await loop.sock_recv(connection, 65536)):
                    head, _, body = data.partition(b"\r\n\r\n")
                    if b"/v1/take_turn " in head:
                        request = msgspec.json.decode(body, type=TakeTurn)
                        self.maven.turns.append(request)
                        if with_record:
                            self.maven.record(request, "user:anna")
                        died.set()
                    elif msgspec.json.decode(body)["wait_s"]:
                        await died.wait()
                    else:
                        news = msgspec.json.encode(NotificationList([], 0))
                        start = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(news)
                        await loop.sock_sendall(connection, start + news)

        async def accept(group: asyncio.TaskGroup) -> None:
            while not died.is_set():
                connection, _ = await loop.sock_accept(listener)
                connection.setblocking(False)
                group.create_task(talk(connection))

        path = self.path / "run" / "maven.sock"
        with listen(Address(path=str(path))) as listener:
            listener.setblocking(False)
            async with asyncio.TaskGroup() as group:
                accepting = group.create_task(accept(group))
                yield died
                accepting.cancel()
        path.unlink()

    def verified(self, word: str) -> Assertion:
        """The assertion, as Hexis itself verifies it."""
        known: Grants = grants(self.path / "hexis" / "grants.json", "hexis", self.terminal)
        return known.verify_assertion(word, datetime.now(UTC))[0]

    @asynccontextmanager
    async def _open(self) -> AsyncGenerator[Running]:
        self.maven.pulse = Pulse()
        hosted = Hosted(contract=CONTRACT, service=self.maven, grants=self.grants)
        yield Running(hosted=hosted, pulses=[self.maven.pulse])
