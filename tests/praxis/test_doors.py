"""What others deliver comes in at a door of its own, and only so: token, signature, loopback."""

import asyncio
import hashlib
import hmac
import json
import socket
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import requests

from kit.clock import SystemClock
from kit.errors import InvalidArgument, PermissionDenied
from praxis.contract import ListItems, ListRejected, OpenDoor, PutSource
from praxis.settings import Settings
from tests.praxis.conftest import World
from tests.requirements import requirement

ALERT = {
    "version": "4",
    "groupKey": "{}",
    "status": "firing",
    "alerts": [
        {
            "status": "firing",
            "fingerprint": "a1",
            "startsAt": "2026-11-30T11:00:00Z",
            "labels": {"alertname": "Down", "severity": "critical", "instance": "nas:9100"},
            "annotations": {"summary": "nas is down"},
        }
    ],
}


class Doors:
    """A Praxis whose doors are open, and a stranger who knocks."""

    def __init__(self, world: World, port: int) -> None:
        self.world = world
        self.at = f"http://127.0.0.1:{port}"

    async def open(self, source: str, dialect: str, **door: Any) -> str:
        state = await self.world.praxis.put_source(
            PutSource(source, dialect, door=OpenDoor(dialect, **door))
        )
        return f"{self.at}{state.door}"

    async def post(self, url: str, body: object, **headers: str) -> requests.Response:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await asyncio.to_thread(
            requests.post, url, data=data, headers=headers, timeout=10, allow_redirects=False
        )


@pytest_asyncio.fixture
async def doors(folder: Path) -> AsyncGenerator[Doors]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    world = World(folder, SystemClock())
    world.settings = Settings(doors_port=port)
    await world.start()
    yield Doors(world, port)
    await world.stop()


async def items(doors: Doors) -> list[str]:
    listed = await doors.world.praxis.list_items(ListItems())
    return sorted(f"{item.source} {item.key} {item.operational}" for item in listed.items)


async def test_a_delivery_is_on_disk_when_it_is_answered(doors: Doors) -> None:
    url = await doors.open("am", "alertmanager")

    answer = await doors.post(url, ALERT)
    await doors.world.restart()

    assert (answer.status_code, answer.content) == (200, b"")
    assert await items(doors) == ["am a1 active"]


async def test_who_does_not_know_the_token_finds_nothing(doors: Doors) -> None:
    url = await doors.open("am", "alertmanager")

    for wrong in ("/in/", "/in/guess", "/", "/in", "/v1/observe", "/in/" + "a" * 5000):
        answer = await doors.post(doors.at + wrong, ALERT)
        assert answer.status_code == 404, wrong
        assert "/in/" not in answer.text
    renewed = await doors.open("am", "alertmanager", renew=True)

    assert (await doors.post(url, ALERT)).status_code == 404
    assert (await doors.post(renewed, ALERT)).status_code == 200


async def test_a_foreign_host_name_is_refused(doors: Doors) -> None:
    url = await doors.open("am", "alertmanager")

    answer = await doors.post(url, ALERT, Host="evil.example")

    assert answer.status_code == 403
    assert await items(doors) == []


@requirement("praxis.sources.signed")
async def test_a_signed_door_takes_nothing_unsigned_and_keeps_none_of_it(doors: Doors) -> None:
    url = await doors.open("hub", "github", secret="development-secret")
    body = json.dumps({"action": "completed"}).encode()
    wrong = hmac.new(b"another", body, hashlib.sha256).hexdigest()
    right = hmac.new(b"development-secret", body, hashlib.sha256).hexdigest()

    unsigned = await doors.post(url, body, **{"X-GitHub-Event": "ping"})
    forged = await doors.post(
        url, body, **{"X-GitHub-Event": "ping", "X-Hub-Signature-256": f"sha256={wrong}"}
    )
    signed = await doors.post(
        url, body, **{"X-GitHub-Event": "ping", "X-Hub-Signature-256": f"sha256={right}"}
    )

    assert (unsigned.status_code, forged.status_code, signed.status_code) == (403, 403, 200)
    assert (await doors.world.praxis.list_rejected(ListRejected())).total == 0


async def test_what_does_not_fit_is_kept_and_said_to_a_service(doors: Doors) -> None:
    url = await doors.open("am", "alertmanager")

    answer = await doors.post(url, {"version": "4", "alerts": "none"})

    assert answer.status_code == 422
    assert answer.json()["field"] == "alerts"
    kept = await doors.world.praxis.list_rejected(ListRejected())
    assert [(each.source, each.field) for each in kept.rejected] == [("am", "alerts")]
    assert await items(doors) == ["praxis delivery:am active"]


async def test_a_body_past_the_bound_is_refused(doors: Doors) -> None:
    url = await doors.open("am", "alertmanager")

    answer = await doors.post(url, b"x" * (1 << 20) + b"x")

    assert answer.status_code == 413
    assert (await doors.world.praxis.list_rejected(ListRejected())).total == 0


async def test_pings_tell_by_their_path(doors: Doors) -> None:
    url = await doors.open("cron", "healthchecks")
    check = "5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278"

    for how in ("/start", "/1"):
        answer = await asyncio.to_thread(requests.get, f"{url}/{check}{how}", timeout=10)
        assert answer.status_code == 200
    failed = await items(doors)
    await asyncio.to_thread(requests.get, f"{url}/{check}", timeout=10)

    assert failed == [f"cron {check} active"]
    assert await items(doors) == [f"cron {check} recovered"]


@pytest.mark.parametrize(
    ("door", "field"),
    [
        (OpenDoor("klingon"), "door.dialect"),
        (OpenDoor("ntfy", "a-secret-of-nothing"), "door.secret"),
        (OpenDoor("ntfy", zone="Mars/Olympus"), "door.zone"),
    ],
)
async def test_a_door_that_cannot_be_is_refused_by_its_field(
    doors: Doors, door: OpenDoor, field: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await doors.world.praxis.put_source(PutSource("x", "x", door=door))

    assert refused.value.field == field


async def test_nobody_delivers_for_what_praxis_sees_itself(doors: Doors) -> None:
    with pytest.raises((PermissionDenied, InvalidArgument)):
        await doors.open("praxis", "plain")
