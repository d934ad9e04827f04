"""The command `nexus discover`: look at this host and put what is found before a person."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from kit.cli import PROGRAM, reporting
from kit.errors import InvalidArgument, Unavailable
from kit.local import connect, person
from kit.render import as_json as json_of
from kit.visible import visible_line
from nexus.client import NexusClient
from nexus.commands.answers import names_of
from nexus.commands.texts import say
from nexus.contract import Discovery, Proposed, ProposeEntities
from nexus.discovery import Sight

_SOURCES = ("systemd", "git", "containers")


class Looked(msgspec.Struct):
    """What one source saw and what became of it."""

    source: str
    seen: list[Discovery] = []
    remarks: list[str] = []
    result: Proposed | None = None
    """None where nothing was proposed, as for --plan."""


@click.command("discover")
@click.argument("sources", nargs=-1, type=click.Choice([*_SOURCES, "all"]), metavar="[SOURCE]...")
@click.option(
    "--under",
    multiple=True,
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Look for git repositories below this folder; repeat it.",
)
@click.option("--plan", is_flag=True, help="Only show what is found; propose nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def discover_command(
    sources: tuple[str, ...], under: tuple[Path, ...], plan: bool, as_json: bool
) -> None:
    """Look at this host, changing nothing, and propose what a person may want to speak of.

    SOURCE is systemd, git, containers or all, which is meant when none is named. Proposals are
    nothing until `nexus accept-proposal` takes them.
    """
    named = bool(sources) and "all" not in sources
    with reporting():
        if under and not named:
            wanted: Sequence[str] = _SOURCES
        else:
            wanted = sources if named else ("systemd", "containers")
        if "git" in wanted and not under:
            raise InvalidArgument(
                "Say where repositories are to be looked for: --under FOLDER.", field="under"
            )
        if under and "git" not in wanted:
            raise InvalidArgument("--under is for git, which is not asked here.", field="under")
        looked = [_look(source, under, must=named) for source in dict.fromkeys(wanted)]
        if not plan:
            asyncio.run(_propose(looked))
    if as_json:
        click.echo(json_of(looked))
    else:
        _show(looked, plan=plan)
        if not under and not named:
            click.echo(say("say_under"), err=True)


def _look(source: str, under: Sequence[Path], *, must: bool) -> Looked:
    """What a source sees; one that was named has to be there."""
    from nexus.discovery import containers, repositories, systemd  # others do not pay for http

    looks: dict[str, Callable[[], Sight]] = {
        "systemd": systemd.look,
        "git": lambda: repositories.look(under),
        "containers": lambda: containers.look(containers.sockets(os.environ)),
    }
    try:
        sight = looks[source]()
    except Unavailable as error:
        if must:
            raise
        return Looked(source, remarks=[error.message])
    return Looked(source, sight.discoveries, sight.remarks)


async def _propose(looked: Sequence[Looked]) -> None:
    async with connect(NexusClient, PROGRAM, requester=person()) as nexus:
        for each in looked:
            if each.seen:
                request = ProposeEntities(discoveries=each.seen)
                each.result = await nexus.propose_entities(request)


def _show(looked: Sequence[Looked], *, plan: bool) -> None:
    for each in looked:
        for remark in each.remarks:
            click.echo(visible_line(f"{each.source}: {remark}"), err=True)
        for found in each.seen if plan else ():
            names: Any = found.names
            where = f"{found.system}:{found.external_id}"
            click.echo(f"{names_of(names)}  ({found.type})  {visible_line(where)}")
        became = say("proposed", **msgspec.structs.asdict(each.result)) if each.result else ""
        click.echo(say("seen", source=each.source, count=len(each.seen)) + became)
    if any(each.result and each.result.proposed + each.result.pending for each in looked):
        click.echo(say("answer"))
