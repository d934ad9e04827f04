"""Decisions through plain forms: done, taken back, refused when the item moved on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kit.testing import FrozenClock
from praxis.contract import ListChanges
from tests.praxis.conftest import World
from tests.praxis.web.conftest import Page, Visitor


async def opened(world: World, visitor: Visitor) -> Page:
    """The page of one active item."""
    await world.praxis.observe(world.report(severity="warning"))
    item = await world.item()
    return await visitor.get(f"/items/{item.item_id}")


async def send(world: World, visitor: Visitor, page: Page, verb: str, **typed: str) -> Page:
    action = f"/items/{(await world.item()).item_id}/{verb}"
    return await visitor.post(action, page.form(action) | typed)


@pytest.mark.parametrize(
    ("verb", "undo"),
    [
        ("acknowledge", "unacknowledge"),
        ("resolve", "reopen"),
        ("pin", "unpin"),
        ("ignore", "unignore"),
    ],
)
async def test_a_decision_is_carried_out_said_and_taken_back(
    world: World, visitor: Visitor, verb: str, undo: str
) -> None:
    page = await opened(world, visitor)
    start = await world.item()

    answer = await send(world, visitor, page, verb, note="Seen to")
    back = await visitor.get(answer.headers["location"])

    assert answer.status == 303
    (step,) = await world.changes(
        after=int(page.form(f"/items/{start.item_id}/{verb}")["seen"]) + 1
    )
    assert step.actor == "user:anna"
    assert step.details["note"] == "Seen to"
    assert "data-done" in back.text
    undone = await visitor.post(
        f"/items/{start.item_id}/{undo}", back.form(f"/items/{start.item_id}/{undo}")
    )
    now = await world.item()
    assert undone.status == 303
    assert (now.pinned, now.ignored) == (False, None)
    assert now.attention == "surfaced"


async def test_an_item_that_changed_meanwhile_is_shown_with_what_changed_and_what_was_typed(
    world: World, visitor: Visitor
) -> None:
    page = await opened(world, visitor)
    await world.praxis.observe(world.report(severity="critical"))

    answer = await send(world, visitor, page, "resolve", note="It was <only> a hiccup")

    assert answer.status == 409
    notice = answer.text.partition('id="notice"')[2].partition("<article")[0]
    assert "Warning → <b>Critical</b>" in notice
    assert "Got worse" in notice
    assert "Opened" not in notice
    assert "It was &lt;only&gt; a hiccup</textarea>" in answer.text
    assert (await world.item()).attention != "resolved"
    again = await send(world, visitor, answer, "resolve", note="Now I know")
    assert again.status == 303
    assert (await world.item()).attention == "resolved"


async def test_the_same_form_sent_twice_is_one_decision(world: World, visitor: Visitor) -> None:
    page = await opened(world, visitor)

    first = await send(world, visitor, page, "acknowledge")
    second = await send(world, visitor, page, "acknowledge")

    assert (first.status, second.status) == (303, 303)
    assert (await world.happened()).count("item_acknowledged") == 1


async def test_ignoring_takes_its_end_from_the_form(
    world: World, visitor: Visitor, clock: FrozenClock
) -> None:
    page = await opened(world, visitor)

    await send(world, visitor, page, "ignore", ends="time", span="4h")

    ignored = (await world.item()).ignored
    assert ignored is not None
    assert ignored.ends == "time"
    assert ignored.until == clock.now() + timedelta(hours=4)


async def test_ignoring_until_an_exact_time_reads_it_in_this_machines_zone(
    world: World, visitor: Visitor
) -> None:
    page = await opened(world, visitor)

    await send(world, visitor, page, "ignore", ends="change", until_at="2026-12-24T18:30")

    ignored = (await world.item()).ignored
    assert ignored is not None
    assert ignored.until is not None
    assert ignored.until.astimezone().strftime("%Y-%m-%d %H:%M") == "2026-12-24 18:30"


@pytest.mark.parametrize(
    "typed",
    [
        {"ends": "time"},
        {"ends": "never"},
        {"span": "100y"},
        {"until_at": "soon"},
        {"until_at": "2020-01-01T00:00"},
    ],
)
async def test_an_ignoring_without_an_end_that_fits_is_refused_and_what_was_typed_stays(
    world: World, visitor: Visitor, typed: dict[str, str]
) -> None:
    page = await opened(world, visitor)

    answer = await send(world, visitor, page, "ignore", note="Not now", **typed)

    assert answer.status == 400
    assert "This was refused" in answer.text
    assert "Not now</textarea>" in answer.text
    assert (await world.item()).ignored is None


@pytest.mark.parametrize("version", ["", "0", "-1", "x", "9" * 40, "²"])
async def test_a_decision_that_names_no_version_is_refused(
    world: World, visitor: Visitor, version: str
) -> None:
    page = await opened(world, visitor)

    answer = await send(world, visitor, page, "resolve", if_version=version)

    assert answer.status in {400, 409}
    assert (await world.item()).attention == "surfaced"


async def test_without_praxis_a_decision_is_kept_to_be_tried_again(
    world: World, visitor: Visitor
) -> None:
    page = await opened(world, visitor)
    action = f"/items/{(await world.item()).item_id}/acknowledge"
    form = page.form(action) | {"note": "Called the shop"}
    await world.stop()

    answer = await visitor.post(action, form)

    await world.start()
    assert answer.status == 503
    assert "Called the shop</textarea>" in answer.text
    again = await visitor.post(action, answer.form(action) | {"note": "Called the shop"})
    assert again.status == 303
    assert (await world.item()).attention == "acknowledged"


async def test_a_decision_that_is_none_of_ours_is_no_page(world: World, visitor: Visitor) -> None:
    page = await opened(world, visitor)
    item = await world.item()
    form = page.form(f"/items/{item.item_id}/resolve")
    end = (await world.praxis.list_changes(ListChanges(limit=1))).next_after

    for verb in ("call", "observe", "put_source", "__class__", "close"):
        assert (await visitor.post(f"/items/{item.item_id}/{verb}", form)).status == 404

    assert await world.changes(after=end) == []


async def test_a_decision_on_the_list_goes_back_to_the_list_as_it_was_filtered(
    world: World, visitor: Visitor
) -> None:
    await world.praxis.observe(world.report())
    item = await world.item()
    page = await visitor.get("/?severity=error&lang=ru")
    action = f"/items/{item.item_id}/acknowledge"

    answer = await visitor.post(action, page.form(action))

    location = answer.headers["location"]
    assert location.startswith("/?severity=error&done=acknowledge&item=itm_")
    assert "Принято к сведению:" in (await visitor.get(location)).text
