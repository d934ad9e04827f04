"""One way to find names, measured in a process of its own: `python -m bench.ways WAY …`."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import psutil

from bench.peers import BruteForce, Hit, Peer, Postgres, Trigrams, answer
from kit.clock import SystemClock, to_text
from kit.ids import Ids
from kit.store import Store
from kit.testing import grants
from kit.trace import originate
from nexus.app import open_part
from nexus.contract import ApplyCatalog, CatalogEntry, NotFound
from nexus.settings import Settings
from nexus.store import EntityStore
from nexus.store.writing import Author
from tests.evaluation.nexus.asking import answer_line, question
from tests.evaluation.nexus.registry import Loaded, read_lines, registry_entries
from tests.evaluation.nexus.score import figures

PEERS: dict[str, Callable[[Path], Peer]] = {
    "brute": BruteForce,
    "trigrams": Trigrams,
    "postgres": Postgres,
}
_CHUNK = 50_000
_ROUNDS = 3
"""Each query is asked so often and its best time counts: what else runs here is not measured."""
_NEVER_MS = 1e9
_MIB = 1 << 20
Line = dict[str, Any]


def _memory() -> float:
    """MiB of this process and its children, what they share counted once."""
    here = psutil.Process()
    return (
        sum(each.memory_full_info().pss for each in (here, *here.children(recursive=True))) / _MIB
    )


def _sampled(queries: list[Line], count: int) -> list[Line]:
    return Random(1).sample(queries, min(count, len(queries)))


def _summary(queries: list[Line], lines: list[Line]) -> Line:
    scored = figures(queries, {line["qid"]: line for line in lines})
    return {
        "p50_ms": scored["p50_ms"],
        "p99_ms": scored["p99_ms"],
        "accuracy": scored["acc_at_resolved"],
        "false_resolves": scored["false_resolves"],
        "asked": scored["n"],
    }


def peer_figures(peer: Peer, registry: list[Line], queries: list[Line]) -> Line:
    """Build, ask, and tell."""
    names = [
        (line["id"], name)
        for line in registry
        for name in (
            *line["names"].values(),
            *(alias["text"] for alias in line.get("aliases", [])),
        )
    ]
    before, started = _memory(), time.perf_counter()
    peer.build(names)
    build_s = time.perf_counter() - started
    lines: list[Line] = []
    for query in queries:
        hits, best = list[Hit](), _NEVER_MS
        for _ in range(_ROUNDS):
            began = time.perf_counter()
            hits = peer.find(query["text"])
            best = min(best, (time.perf_counter() - began) * 1000)
        lines.append({"qid": query["qid"], "entity_id": None, "ms": best, **answer(peer, hits)})
    told = _summary(queries, lines)
    told |= {"build_s": build_s, "memory_mib": _memory() - before, "disk_mib": peer.disk() / _MIB}
    peer.close()
    return told


def _chunks(entries: Iterable[CatalogEntry]) -> Iterable[list[CatalogEntry]]:
    rows = iter(entries)
    while chunk := list(islice(rows, _CHUNK)):
        yield chunk


async def build_nexus(folder: Path, registry: list[Line]) -> Line:
    """Put the registry into a database, a catalog for each chunk; the registry's ids and ours."""
    clock = SystemClock()
    store = Store(folder / "nexus.db", "nexus.store", clock)
    ids: dict[str, str] = {}
    try:
        entities, made = EntityStore(store), Ids(clock)
        await entities.renew_names()
        author = Author("apply_catalog", "user:bench", "bench", "bench", to_text(clock.now()), "")
        keys, entries = registry_entries(registry)
        for number, chunk in enumerate(_chunks(entries)):
            sent = ApplyCatalog(catalog=f"bench-{number}", entries=chunk)
            applied = await entities.apply_catalog(sent, lambda: made.new("ent"), author)
            ids |= {keys[key]: entity for key, entity in applied.entity_ids.items()}
    finally:
        await store.close()
    return ids


async def nexus_figures(folder: Path, ids: Line, queries: list[Line]) -> Line:
    """Open the database as the part does, ask in process, and tell."""
    before, started = _memory(), time.perf_counter()
    known = grants(folder / "grants.json", "nexus")
    async with open_part(Settings(), folder, known) as running:
        ready_s = time.perf_counter() - started
        service: Any = running.hosted.service
        loaded = Loaded({}, ids, {entity: id for id, entity in ids.items()})
        call = originate("user:bench")
        lines: list[Line] = []
        for query in queries:
            asked, found, best = question(query), NotFound(), _NEVER_MS
            for _ in range(_ROUNDS):
                began = time.perf_counter()
                found = await service.resolve(asked, call)
                best = min(best, (time.perf_counter() - began) * 1000)
            lines.append(answer_line(query["qid"], found, best, loaded))
        told = _summary(queries, lines)
        told |= {"memory_mib": _memory() - before, "ready_s": ready_s}
    return told


def main(way: str, registry: str, queries: str, count: str, folder: str) -> None:
    """Measure, and print the figures as JSON."""
    asked = [
        query
        for query in read_lines(Path(queries))
        if not query.get("types") and 0 < len(query["text"]) <= 500
    ]
    sampled, own = _sampled(asked, int(count)), Path(folder)
    if way in PEERS:
        told = peer_figures(PEERS[way](own), read_lines(Path(registry)), sampled)
    elif way == "nexus":
        started = time.perf_counter()
        here = [sys.executable, "-m", "bench.ways", "nexus-build", registry, queries, count, folder]
        subprocess.run(here, check=True)
        build_s = time.perf_counter() - started
        ids = json.loads((own / "ids.json").read_text("utf-8"))
        told = asyncio.run(nexus_figures(own, ids, sampled))
        told |= {"build_s": build_s, "disk_mib": (own / "nexus.db").stat().st_size / _MIB}
    else:
        ids = asyncio.run(build_nexus(own, read_lines(Path(registry))))
        (own / "ids.json").write_text(json.dumps(ids), "utf-8")
        return
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
