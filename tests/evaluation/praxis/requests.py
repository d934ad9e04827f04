"""What a folder of recorded deliveries holds: requests, as they came in, by its INDEX."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_PING = "/ping/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One request."""

    method: str = "POST"
    path: str = ""
    """Beyond the door's own, with its query."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""


def index_of(folder: Path) -> list[dict[str, Any]]:
    """The lines of the index."""
    lines = (folder / "INDEX.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def requests_of(folder: Path, entry: dict[str, Any]) -> list[Recorded]:
    """The requests that a file of the index stands for."""
    path = folder / entry["file"]
    if not path.exists():
        path = folder / "payloads" / entry["file"]
    data = path.read_bytes()
    if path.suffix == ".http":
        return list(_recorded(data))
    kind = "application/x-ndjson" if path.suffix == ".jsonl" else "application/json"
    return [Recorded(headers={"Content-Type": kind} | entry.get("headers", {}), body=data)]


def _recorded(data: bytes) -> Iterator[Recorded]:
    """The requests of a file that holds them one after another, as they are on the wire."""
    rest = data.replace(b"\r\n", b"\n").lstrip(b"\n")
    while rest.strip():
        head, _, rest = rest.partition(b"\n\n")
        line, *fields = head.decode("utf-8").split("\n")
        method, target, *_ = line.split(" ")
        headers = dict(each.split(": ", 1) for each in fields if ": " in each)
        named = {name.lower(): value for name, value in headers.items()}
        length = int(named.get("content-length", 0))
        if "content-length" not in named or len(rest) < length:
            length = 0
        body, rest = rest[:length], rest[length:].lstrip(b"\n")
        yield Recorded(
            method=method,
            path=target.removeprefix(_PING) if target.startswith(_PING) else "",
            headers={
                name: value
                for name, value in headers.items()
                if name.lower() not in {"host", "content-length"}
            },
            body=body,
        )
