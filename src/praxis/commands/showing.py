"""What needs attention, said to a person, and told live as it changes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import click

from kit.cli import PROGRAM, reporting
from kit.errors import DeadlineExceeded, Unavailable
from kit.local import connect, person
from kit.render import as_json_line
from kit.visible import visible_line
from praxis.client import PraxisClient
from praxis.commands import texts
from praxis.contract import (
    AttentionList,
    Change,
    Item,
    ListAttention,
    ListChanges,
    Ranked,
    RoutineList,
)

_WAIT_S = 50.0
_AGAIN_S = 2.0


def attention(listed: AttentionList) -> str:
    """The list in lines, and why it is to be believed."""
    now = datetime.now(UTC)
    lines = [line for ranked in listed.items for line in _ranked(ranked, now)]
    lines = lines or [texts.say("nothing")]
    left = listed.total - sum(each.alike for each in listed.items)
    if left > 0:
        lines.append(texts.say("more", count=left))
    if listed.set_aside:
        lines += ["", texts.say("aside"), *(_aside(item, now) for item in listed.set_aside)]
    return "\n".join([*lines, "", *_sources(listed)])


def routines(listed: RoutineList) -> str:
    """What is expected, a line each."""
    return "\n".join(
        f"{texts.standing(each.standing):<14} {visible_line(each.title)}"
        + (f"  → {texts.at(each.due_at)}" if each.due_at else "")
        for each in listed.routines
    )


@click.command("watch")
@click.option("--json", "as_lines", is_flag=True, help="Print each change as a line of JSON.")
def watch_command(as_lines: bool) -> None:
    """Show what needs attention now, then every change as it happens."""
    with reporting():
        client = connect(PraxisClient, PROGRAM, requester=person())
        try:
            asyncio.run(_watch(client, as_lines=as_lines))
        except KeyboardInterrupt:
            raise SystemExit(130) from None


async def _watch(client: PraxisClient, *, as_lines: bool) -> None:
    async with client:
        after = (await client.list_changes(ListChanges())).next_after
        if not as_lines:
            click.echo(attention(await client.list_attention(ListAttention(together=True))))
            click.echo(texts.say("watching"))
        is_lost = False
        while True:
            try:
                page = await client.list_changes(
                    ListChanges(after=after, wait_s=_WAIT_S), timeout_s=_WAIT_S + 5
                )
            except (Unavailable, DeadlineExceeded):
                if not is_lost:
                    click.echo(texts.say("lost"), err=True)
                is_lost = True
                await asyncio.sleep(_AGAIN_S)
                continue
            if is_lost:
                click.echo(texts.say("back"), err=True)
                is_lost = False
            after = page.next_after
            for change in page.changes:
                click.echo(as_json_line(change) if as_lines else told(change))


def told(change: Change) -> str:
    """One change in a line."""
    what = texts.happened(change.what)
    about = change.details.get("title") or change.details.get("action") or change.source or ""
    by = f"  ({change.actor})" if change.actor and change.actor != change.source else ""
    when = change.at.astimezone().strftime("%H:%M:%S")
    named = f"  {change.item_id}" if change.item_id else ""
    return visible_line(f"{when}  {what:<18} {about}{by}{named}")


def _ranked(ranked: Ranked, now: datetime) -> list[str]:
    item = ranked.item
    said = [texts.reason(word) for word in ranked.because]
    age = texts.say("since", age=texts.span(now - (item.active_since or item.first_seen)))
    more = [texts.say("alike", count=ranked.alike - 1)] if ranked.alike > 1 else []
    told_of = [texts.say("times", count=item.count)] if item.count > 1 else []
    how = ", ".join([each for each in (*said, age, *told_of, *more) if each])
    return [
        visible_line(f"{texts.severity(item.severity):<9} {item.title}"),
        visible_line(f"          {how}  · {item.source}  · {item.item_id}"),
    ]


def _aside(item: Item, now: datetime) -> str:
    ignored = item.ignored
    if ignored is None:
        why = texts.say("aside_resolved")
    elif ignored.until is not None:
        why = texts.say("aside_until", until=texts.at(ignored.until))
    else:
        why = texts.say("aside_change" if ignored.ends == "change" else "aside_worse")
    age = texts.span(now - item.last_seen)
    return visible_line(f"          {item.title}  ({why}, {item.count}×, {age})  · {item.item_id}")


def _sources(listed: AttentionList) -> list[str]:
    if not listed.sources:
        return [texts.say("no_sources")]
    by = {
        word: [each.source for each in listed.sources if each.freshness == word]
        for word in ("fresh", "stale", "never")
    }
    lines = [texts.say("sources", **{word: len(names) for word, names in by.items()})]
    silent = [*by["stale"], *by["never"]]
    if silent:
        lines.append(visible_line(texts.say("silent", names=", ".join(silent[:10]))))
    return lines
