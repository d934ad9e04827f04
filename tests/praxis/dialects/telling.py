"""Deliveries for the tests of the dialects, and the items that what they tell comes to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from praxis.dialects import Delivery
from praxis.dialects.registry import DIALECTS
from praxis.domain.item import Facts
from praxis.domain.observation import Observation
from praxis.domain.reconcile import Base, fold
from praxis.domain.told import Beat, Report, Told

PAYLOADS = Path(__file__).parents[1] / "data" / "payloads"
NOW = datetime(2027, 1, 1, tzinfo=UTC)


def delivery(body: object, path: str = "", **headers: str) -> Delivery:
    """A delivery of JSON, or of bytes as they are; `_` in a header's name stands for `-`."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Delivery(body=raw, headers=named, path=path)


def tell(dialect: str, body: object, path: str = "", **headers: str) -> Told:
    return DIALECTS[dialect].read(delivery(body, path, **headers))


def report(dialect: str, body: object, path: str = "", **headers: str) -> Report:
    """The one report that is told."""
    (told,) = tell(dialect, body, path, **headers)
    assert isinstance(told, Report)
    return told


def is_beat(told: Told) -> bool:
    return told == [Beat()]


def payload(start: str) -> bytes:
    """The recorded body whose name begins so."""
    (found,) = PAYLOADS.glob(f"{start}_*")
    return found.read_bytes()


def requests(raw: bytes, prefix: str = "/ping/") -> Iterator[Delivery]:
    """The deliveries of a file that holds requests as they are on the wire."""
    while raw:
        head, _, rest = raw.partition(b"\n\n")
        first, *lines = head.decode().split("\n")
        method, target, _ = first.split()
        headers = {
            name.lower(): text.strip() for name, _, text in (x.partition(":") for x in lines)
        }
        path, _, query = target.removeprefix(prefix).partition("?")
        length = int(headers.get("content-length", 0))
        yield Delivery(
            body=rest[:length],
            headers=headers,
            method=method,
            path=path,
            query=dict(pair.split("=") for pair in query.split("&") if pair),
        )
        raw = rest[length:].lstrip(b"\n")


def items(told: Iterable[Report | Beat]) -> dict[str, Facts]:
    """The items of one source that was told this, in this order."""
    seen: dict[str, list[Observation]] = {}
    known: set[str] = set()
    for index, each in enumerate(told):
        if isinstance(each, Beat) or each.event_id in known:
            continue
        known |= {each.event_id} if each.event_id else set()
        observation = Observation(
            source="test",
            event_id=each.event_id or f"unnamed-{index}",
            key=each.key,
            kind=each.kind,
            state=each.state,
            severity=each.severity,
            summary=each.summary,
            observed_at=each.observed_at or NOW,
            received_at=NOW,
            weight=each.weight,
            subject=each.subject,
            group=each.group,
            link=each.link,
        )
        seen.setdefault(each.key, []).append(observation)
    folded = {key: fold(Base(Facts()), each, [], NOW).facts for key, each in seen.items()}
    return {key: facts for key, facts in folded.items() if facts.episodes}
