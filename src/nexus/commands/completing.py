"""Complete ids and names of entities in a shell: at once or not at all, and never with an error."""

from __future__ import annotations

import asyncio
import os

import click
from click.shell_completion import CompletionItem

from kit.cli import PROGRAM
from kit.errors import ServiceError
from kit.local import connect, person
from kit.visible import visible_line
from nexus.client import NexusClient
from nexus.contract import Candidate, ListProposals, Proposal, Suggest

_TIMEOUT_S = 0.8
_LONGEST = 500


def entity_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Ids of entities whose name begins so."""
    return [
        CompletionItem(each.entity_id, help=visible_line(f"{each.label} ({each.type})"))
        for each in _suggested(incomplete)
    ]


def names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names that begin so."""
    labels = dict.fromkeys(visible_line(each.label) for each in _suggested(incomplete))
    return [CompletionItem(_as_word(label)) for label in labels]


def proposal_ids(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Ids of proposals that wait for an answer."""

    async def pending() -> list[Proposal]:
        async with connect(NexusClient, PROGRAM, requester=person()) as nexus:
            reply = await nexus.list_proposals(ListProposals(limit=500), timeout_s=_TIMEOUT_S)
        return reply.proposals

    try:
        proposals = asyncio.run(pending())
    except (ServiceError, OSError):
        return []
    return [
        CompletionItem(each.proposal_id, help=visible_line(" / ".join(each.names.values())))
        for each in proposals
        if each.proposal_id.startswith(incomplete)
    ]


def _suggested(incomplete: str) -> list[Candidate]:
    async def ask() -> list[Candidate]:
        async with connect(NexusClient, PROGRAM, requester=person()) as nexus:
            reply = await nexus.suggest(Suggest(prefix=incomplete), timeout_s=_TIMEOUT_S)
        return reply.candidates

    if not 0 < len(incomplete) <= _LONGEST:
        return []
    try:
        return asyncio.run(ask())
    except (ServiceError, OSError, UnicodeError):
        return []


def _as_word(name: str) -> str:
    """The name as one word; bash takes what it is given as typed, the others quote it."""
    if os.environ.get("_NEXUS_COMPLETE") != "bash_complete":
        return name
    return "".join(each if each.isalnum() or each in "-_./:" else f"\\{each}" for each in name)
