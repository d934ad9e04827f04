"""Calendars and task lists of a real CalDAV server, and servers that answer what they must not."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from kit.address import Address
from kit.clock import SystemClock
from kit.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ServiceError,
    Unavailable,
)
from kit.testing import FrozenClock
from praxis.contract.looks import CalendarLook, TaskLook
from praxis.sources import Reading
from praxis.sources.caldav import Collection, login_in, properties_in
from praxis.sources.calendar_check import CalendarSource
from praxis.sources.task_list import TaskSource
from tests.praxis.sources.conftest import Servers, http
from tests.praxis.sources.radicale import PASSWORD, USER, Radicale, radicale

EVENT = ("SUMMARY:Зубной", "DTSTAMP:20261101T100000Z", "DTSTART:20261203T100000Z")


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncGenerator[Radicale]:
    async with radicale(tmp_path) as server:
        yield server


@pytest.fixture
def logins(tmp_path: Path) -> Path:
    file = tmp_path / "netrc"
    file.write_text(f"machine 127.0.0.1 login {USER} password {PASSWORD}\n", encoding="utf-8")
    file.chmod(0o600)
    return file


def in_days(days: float) -> FrozenClock:
    return FrozenClock(SystemClock().now() + timedelta(days=days))


async def test_a_calendar_is_stale_when_its_last_change_is_old(
    server: Radicale, logins: Path
) -> None:
    await server.make("/anna/calendar/")
    await server.put("/anna/calendar/a.ics", *EVENT, kind="VEVENT")
    look = CalendarLook(address=server.address, path="/anna/calendar/")

    (fresh,) = await CalendarSource(look, in_days(6), logins).poll()
    (stale,) = await CalendarSource(look, in_days(8), logins).poll()

    assert (fresh.state, fresh.summary[:21]) == ("ok", "was last changed on 2")
    assert (stale.state, stale.details["reason"], stale.details["days"]) == (
        "problem",
        "stale",
        "8",
    )


async def test_overdue_and_untouched_tasks_are_told_until_they_are_done(
    server: Radicale, logins: Path
) -> None:
    await server.make("/anna/tasks/")
    old, due = "DTSTAMP:20260101T100000Z", "DUE:20261129T090000Z"
    await server.put("/anna/tasks/late.ics", "SUMMARY:Сдать отчёт", due, "DTSTAMP:20261128T090000Z")
    await server.put("/anna/tasks/old.ics", "SUMMARY:Починить кран", old)
    await server.put("/anna/tasks/done.ics", "SUMMARY:Купить хлеб", old, due, "STATUS:COMPLETED")
    look = TaskLook(address=server.address, path="/anna/tasks/")
    source = TaskSource(look, FrozenClock(), logins)

    before = await told(source)
    await server.put("/anna/tasks/late.ics", "SUMMARY:Сдать отчёт", due, "STATUS:COMPLETED", old)
    await server.put("/anna/tasks/old.ics", "SUMMARY:Починить кран", "STATUS:CANCELLED", old)
    after = await told(source)

    assert before["overdue"].summary == "tasks overdue: 1 (Сдать отчёт)"
    assert before["stale"].summary == "tasks untouched since 2026-10-31: 1 (Починить кран)"
    assert before["stale"].kind == "tasks.stale"
    assert {reading.state for reading in after.values()} == {"ok"}


async def told(source: TaskSource) -> dict[str | None, Reading]:
    return {reading.key: reading for reading in await source.poll()}


async def test_without_the_right_password_or_path_nothing_is_said(
    server: Radicale, logins: Path
) -> None:
    look = CalendarLook(address=server.address, path="/anna/none/")

    with pytest.raises(PermissionDenied, match="does not let Praxis in"):
        await CalendarSource(look, FrozenClock(), None).poll()
    with pytest.raises(NotFound, match="/anna/none/"):
        await CalendarSource(look, FrozenClock(), logins).poll()


async def test_a_server_that_is_gone_or_slow_is_no_good_news(servers: Servers) -> None:
    slow = await servers.raw(b"", hangs=True)
    for port in (1, slow):
        look = TaskLook(address=f"http://127.0.0.1:{port}", path="/x", timeout_s=0.2)
        with pytest.raises(Unavailable):
            await TaskSource(look, FrozenClock(), None).poll()


MULTI = '<?xml version="1.0"?><multistatus xmlns="DAV:">{}</multistatus>'
PART = "<response><href>/x</href><status>HTTP/1.1 507 Insufficient Storage</status></response>"
BOMB = '<!DOCTYPE a [<!ENTITY b "{}">]><multistatus xmlns="DAV:">&b;</multistatus>'


@pytest.mark.parametrize(
    "said",
    [
        http("200 OK", "<html/>"),
        http("301 Moved", "", "location: http://elsewhere.invalid/"),
        http("207 Multi-Status", "no xml"),
        http("207 Multi-Status", "<a/>"),
        http("207 Multi-Status", MULTI.format(PART)),
        http("207 Multi-Status", BOMB.format("b" * 1000)),
        http("207 Multi-Status", MULTI.format("")),
    ],
)
async def test_an_answer_that_is_odd_partial_or_hostile_is_no_good_news(
    servers: Servers, said: bytes
) -> None:
    port = await servers.raw(said)
    look = CalendarLook(address=f"http://127.0.0.1:{port}", path="/x")

    with pytest.raises(ServiceError):
        await CalendarSource(look, FrozenClock(), None).poll()


def test_a_document_type_is_refused_before_anything_grows() -> None:
    with pytest.raises(ValueError, match="a document type"):
        properties_in(BOMB.format("b").encode())


async def test_hostile_titles_are_bounded_lines(servers: Servers) -> None:
    title = "\u202e" + "х" * 3000
    data = f"BEGIN:VTODO\r\nSUMMARY:{title}\r\nDUE:20200101\r\nEND:VTODO\r\n"
    prop = f"<propstat><prop><calendar-data>{data}</calendar-data></prop></propstat>"
    body = MULTI.format(f"<response>{prop}</response>" * 9)
    port = await servers.raw(http("207 Multi-Status", body))
    look = TaskLook(address=f"http://127.0.0.1:{port}", path="/x")

    reading = (await told(TaskSource(look, FrozenClock(), None)))["overdue"]

    assert reading.details["tasks"] == "9"
    assert len(reading.summary) <= 400
    assert reading.summary.isprintable()


async def test_a_zone_that_does_not_exist_is_named(servers: Servers) -> None:
    port = await servers.raw(http("207 Multi-Status", MULTI.format("")))
    look = TaskLook(address=f"http://127.0.0.1:{port}", path="/x", zone="Mars/Olympus")

    with pytest.raises(InvalidArgument, match="Mars/Olympus"):
        await TaskSource(look, FrozenClock(), None).poll()


async def test_a_password_is_not_sent_unencrypted_to_another_machine(tmp_path: Path) -> None:
    file = tmp_path / "netrc"
    file.write_text("machine dav.home login anna password hunter2\n", encoding="utf-8")
    file.chmod(0o600)
    look = CalendarLook(address="http://dav.home", path="/x")

    with pytest.raises(FailedPrecondition, match="unencrypted") as caught:
        await Collection(look, file).ask("PROPFIND", "")

    assert "hunter2" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("machine 127.0.0.1 login a password secret-word\n", 0o644),
        ("secret-word\n", 0o600),
        ("x" * (65 << 10), 0o600),
    ],
)
def test_logins_that_others_can_read_or_nobody_understands_are_refused(
    tmp_path: Path, text: str, mode: int
) -> None:
    file = tmp_path / "netrc"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)

    with pytest.raises(FailedPrecondition) as caught:
        login_in(file, Address(host="127.0.0.1", port=80))

    assert "secret-word" not in caught.value.message


def test_a_login_is_for_its_host_alone(tmp_path: Path) -> None:
    file = tmp_path / "netrc"
    rows = ("machine a login x password 1", "machine a:81 login y password 2")
    file.write_text("\n".join((*rows, "default login z password 3", "")), encoding="utf-8")
    file.chmod(0o600)

    assert login_in(file, Address(host="a", port=80)) == ("x", "1")
    assert login_in(file, Address(host="a", port=81)) == ("y", "2")
    assert login_in(file, Address(host="b", port=80)) is None
    assert login_in(tmp_path / "none", Address(host="a", port=80)) is None
