"""Discovered things in the tables: proposed once, and decided once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from kit.clock import from_text
from kit.errors import FailedPrecondition, NotFound, ResourceExhausted
from nexus.contract import (
    AcceptProposal,
    Discovery,
    Entity,
    ListProposals,
    Proposal,
    Proposed,
    RejectProposal,
)
from nexus.store.mapping import map_external, owner_of
from nexus.store.naming import add_alias
from nexus.store.reading import Query, on
from nexus.store.writing import Author, Change

MOST_PENDING = 20_000
"""Proposals that may wait for an answer at once."""


def read_proposals(query: Query, sent: ListProposals, limit: int) -> list[Proposal]:
    """Proposals in one state, in the order in which they were made."""
    of_all = (
        "SELECT * FROM proposal WHERE state = ? AND proposal_id > ? ORDER BY proposal_id LIMIT ?"
    )
    of_one = (
        "SELECT * FROM proposal WHERE system = ? AND state = ? AND proposal_id > ?"
        " ORDER BY proposal_id LIMIT ?"
    )
    page = (sent.state, sent.after or "", limit)
    rows = query(of_all, page) if sent.system is None else query(of_one, (sent.system, *page))
    return [_proposal(row) for row in rows]


def propose(
    connection: sqlite3.Connection,
    discoveries: Sequence[Discovery],
    new_id: Callable[[], str],
    author: Author,
) -> Proposed:
    """Keep what is new for a person to decide.

    Raises:
        ResourceExhausted: Too many wait already.
    """
    waiting: int = connection.execute(
        "SELECT count(*) FROM proposal WHERE state = 'pending'"
    ).fetchone()[0]
    counts = {"proposed": 0, "known": 0, "pending": 0, "rejected": 0}
    for each in discoveries:
        row = connection.execute(
            "SELECT state FROM proposal WHERE system = ? AND external_id = ?",
            (each.system, each.external_id),
        ).fetchone()
        if owner_of(connection, each.system, each.external_id) is not None:
            counts["known"] += 1
        elif row is not None:
            counts["known" if row["state"] == "accepted" else row["state"]] += 1
        elif waiting + counts["proposed"] >= MOST_PENDING:
            raise ResourceExhausted(
                f"{MOST_PENDING} proposals wait already; accept or reject some first.",
                reason="proposals_full",
                field="discoveries",
            )
        else:
            _keep(connection, each, new_id(), author)
            counts["proposed"] += 1
    return Proposed(**counts)


def accept(
    connection: sqlite3.Connection, entity_id: str, sent: AcceptProposal, author: Author
) -> Entity:
    """Make a proposal an entity with this id, or part of the one it is said to be.

    Raises:
        NotFound: There is no such proposal or entity.
        FailedPrecondition: It is decided already, or the entity is archived.
        Conflict: The external id belongs to another entity, or the entity is merged.
    """
    proposal = _require_pending(connection, sent.proposal_id)
    names: dict[Any, str] = {**proposal.names, **(sent.names or {})}
    if sent.into is None:
        change = Change(connection, entity_id, author, None)
        change.begin(sent.type or proposal.type)
        change.describe(
            entity_type=sent.type or proposal.type,
            description=proposal.description,
            attributes={},
        )
        change.call(names)
        called = set(names.values())
    else:
        change = Change.of(connection, sent.into, author)
        before = change.require_active("into")
        called = set(before.names.values())
        for language, text in (sent.names or {}).items():
            if text not in called:
                add_alias(change, text, language, "declared")
        if sent.type is not None:
            change.describe(
                entity_type=sent.type,
                description=before.description,
                attributes=before.attributes,
            )
    for language, text in proposal.names.items():
        if text not in called:
            add_alias(change, text, "ru" if language == "ru" else "en", "imported")
    for text in proposal.aliases:
        add_alias(change, text, "und", "imported")
    map_external(change, proposal.system, proposal.external_id, "proposal_id", origin="imported")
    entity = change.finish()
    _decide(connection, sent.proposal_id, "accepted", entity.entity_id, author)
    return entity


def reject(connection: sqlite3.Connection, sent: RejectProposal, author: Author) -> Proposal:
    """Say that a proposal is not wanted; saying so again changes nothing.

    Raises:
        NotFound: There is no such proposal.
        FailedPrecondition: It was accepted.
    """
    if _require(connection, sent.proposal_id).state != "rejected":
        _require_pending(connection, sent.proposal_id)
        _decide(connection, sent.proposal_id, "rejected", None, author)
    return _require(connection, sent.proposal_id)


def _keep(
    connection: sqlite3.Connection, discovery: Discovery, proposal_id: str, author: Author
) -> None:
    connection.execute(
        "INSERT INTO proposal (proposal_id, system, external_id, type, names, aliases,"
        " description, evidence, state, proposed_at, proposed_by)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)",
        (
            proposal_id,
            discovery.system,
            discovery.external_id,
            discovery.type,
            msgspec.json.encode(discovery.names).decode(),
            msgspec.json.encode(discovery.aliases).decode(),
            msgspec.json.encode(discovery.description).decode(),
            discovery.evidence,
            author.at,
            author.requester,
        ),
    )


def _decide(
    connection: sqlite3.Connection,
    proposal_id: str,
    state: str,
    entity_id: str | None,
    author: Author,
) -> None:
    connection.execute(
        "UPDATE proposal SET state = ?, entity_id = ?, decided_at = ?, decided_by = ?, why = ?"
        " WHERE proposal_id = ?",
        (state, entity_id, author.at, author.requester, author.why, proposal_id),
    )


def _require(connection: sqlite3.Connection, proposal_id: str) -> Proposal:
    rows = on(connection)("SELECT * FROM proposal WHERE proposal_id = ?", [proposal_id])
    if not rows:
        raise NotFound(
            f"There is no proposal {proposal_id}.", reason="proposal_unknown", field="proposal_id"
        )
    return _proposal(rows[0])


def _require_pending(connection: sqlite3.Connection, proposal_id: str) -> Proposal:
    proposal = _require(connection, proposal_id)
    if proposal.state != "pending":
        became = f" as {proposal.entity_id}" if proposal.entity_id else ""
        raise FailedPrecondition(
            f"{proposal_id} was {proposal.state} already{became}.",
            reason="proposal_decided",
            field="proposal_id",
        )
    return proposal


def _proposal(row: sqlite3.Row) -> Proposal:
    return Proposal(
        proposal_id=row["proposal_id"],
        system=row["system"],
        external_id=row["external_id"],
        type=row["type"],
        names=msgspec.json.decode(row["names"]),
        state=row["state"],
        proposed_at=from_text(row["proposed_at"]),
        proposed_by=row["proposed_by"],
        aliases=msgspec.json.decode(row["aliases"]),
        description=msgspec.json.decode(row["description"]),
        evidence=row["evidence"],
        entity_id=row["entity_id"],
    )
