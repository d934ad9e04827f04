"""The pages in a real browser: axe finds nothing, keys reach everything, news arrive by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from praxis.contract import (
    Deliver,
    Ignore,
    ListItems,
    Observe,
    PutRoutine,
    PutSource,
    Transition,
)
from tests.praxis.conftest import World
from tests.praxis.web.chromium import PROGRAM, Chromium, Tab
from tests.praxis.web.conftest import Site, Visitor
from tests.requirements import requirement

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(PROGRAM is None, reason="needs Chromium: apt-get install chromium"),
]

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RULES = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa",
    "best-practice"]}).then(found => found.violations.map(each =>
    each.id + ": " + each.nodes.map(node => node.target + " " + node.failureSummary).join("; ")))"""
OPEN = "document.querySelectorAll('details:not(.menu)').forEach(each => each.open = true)"
LONG = "A-word-that-nothing-breaks-" * 12


def told(key: str, summary: str, **more: str) -> Observe:
    return Observe(
        source=more.pop("source", "log:alpha"),
        kind="log",
        state=more.pop("state", "problem"),  # pyright: ignore[reportArgumentType]
        severity=more.pop("severity", "warning"),  # pyright: ignore[reportArgumentType]
        summary=summary,
        key=key,
        **more,  # pyright: ignore[reportArgumentType]
    )


async def fill(world: World) -> str:
    """Something of everything; the id of the item that has most of it."""
    praxis = world.praxis
    await praxis.put_source(PutSource(source="log:alpha", kind="log", expected_every_s=60))
    await praxis.put_source(PutSource(source="log:quiet", kind="log", expected_every_s=5))
    for severity in ("critical", "error", "warning", "info"):
        await praxis.observe(told(severity, f"Of weight {severity}", severity=severity))
    await praxis.observe(told("long", LONG, group=LONG[:150], subject=LONG[:180], link=LONG))
    await praxis.observe(told("asks", "May I?", state="waiting", source="agent:one"))
    await praxis.observe(told("aside", "Noise"))
    items = {item.key: item.item_id for item in (await praxis.list_items(ListItems())).items}
    await praxis.put_routine(PutRoutine("nightly", title="Backup", cron="0 3 * * *"))
    await praxis.put_source(PutSource(source="am", kind="alertmanager"))
    await praxis.deliver(Deliver("am", "alertmanager", b"{" + LONG.encode()))
    await praxis.pin(Transition(items["long"]))
    await praxis.acknowledge(Transition(items["info"], note="Seen to"))
    await praxis.ignore(Ignore(items["aside"]))
    return items["long"]


@pytest_asyncio.fixture
async def chromium() -> AsyncGenerator[Chromium]:
    async with Chromium() as browser:
        yield browser
        assert browser.errors == []


async def let_in(tab: Tab, site: Site, language: str = "en") -> None:
    await tab.cookie("praxis_lang", language, f"http://127.0.0.1:{site.port}")
    await tab.go(f"http://127.0.0.1:{site.port}/?token={site.web.keys.new_link()}")
    await tab.until("document.readyState === 'complete' && document.querySelector('h1')")


async def open_page(tab: Tab, site: Site, path: str) -> None:
    await tab.go(f"http://127.0.0.1:{site.port}{path}")


@requirement("praxis.surface.web")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ru"])
async def test_axe_finds_no_fault_on_any_page(
    world: World, site: Site, chromium: Chromium, language: str, dark: bool
) -> None:
    item_id = await fill(world)
    axe = await asyncio.to_thread(AXE.read_text, encoding="utf-8")
    tab = await chromium.tab(dark=dark)
    await open_page(tab, site, f"/?lang={language}")
    await tab.run(axe)
    assert await tab.run(RULES) == []
    await let_in(tab, site, language)

    for path in (
        "/",
        "/?severity=info",
        "/?severity=error&source=log:quiet",
        f"/items/{item_id}",
        f"/?done=acknowledge&item={item_id}",
        "/sources",
        "/routines",
        "/rejected",
        "/search?q=weight",
        "/nothing",
    ):
        await open_page(tab, site, path)
        await tab.run(OPEN)
        await tab.run(axe)

        assert (path, await tab.run(RULES)) == (path, [])
    await tab.run("document.getElementById('show-keys').click()")
    assert await tab.run(RULES) == []
    await open_page(tab, site, "/")
    await tab.run("document.querySelector('.menu').open = true")
    await tab.run(axe)
    assert await tab.run(RULES) == []


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_nothing_scrolls_sideways_on_a_narrow_screen(
    world: World, site: Site, chromium: Chromium, language: str
) -> None:
    item_id = await fill(world)
    tab = await chromium.tab(width=360, height=740)
    await let_in(tab, site, language)

    for path in ("/", f"/items/{item_id}", "/sources", "/routines", "/rejected", "/search?q=word"):
        await open_page(tab, site, path)
        await tab.run(OPEN)
        await tab.run("document.querySelector('.menu')?.setAttribute('open', '')")

        assert (path, await tab.run("document.documentElement.scrollWidth")) == (path, 360)


@requirement("praxis.surface.web")
async def test_everything_can_be_decided_with_the_keys_alone(
    world: World, site: Site, chromium: Chromium
) -> None:
    await world.praxis.observe(told("one", "First", severity="critical"))
    await world.praxis.observe(told("two", "Second"))
    tab = await chromium.tab()
    await let_in(tab, site)
    focus = "document.activeElement.textContent.trim()"

    await tab.press("Tab")
    assert await tab.run(focus) == "Skip to the content"
    assert await tab.run("document.activeElement.getBoundingClientRect().top >= 0")
    await tab.press("Enter")
    await tab.press("j", code="KeyJ")
    assert await tab.run(focus) == "First"
    await tab.press("о", code="KeyJ")
    assert await tab.run(focus) == "Second"
    await tab.press("a", code="KeyA")
    await tab.until("document.querySelector('[data-done]')?.textContent.includes('Second')")
    assert (await attention_of(world))["two"] == "acknowledged"
    assert await tab.run(focus) == "Second"
    await tab.press("k", code="KeyK")
    await tab.press("r", code="KeyR")
    await tab.until("document.querySelector('[data-done]').textContent.includes('First')")
    assert (await attention_of(world))["one"] == "resolved"
    await world.praxis.observe(told("three", "Third"))
    await tab.until("document.querySelector('main').textContent.includes('Third')")
    assert await tab.run("document.querySelector('[data-done] b').textContent") == "First"
    await tab.press("?", code="Slash", modifiers=8)
    assert await tab.run("document.getElementById('keys').open")
    await tab.press("Escape")
    await tab.until("!document.getElementById('keys').open")


async def attention_of(world: World) -> dict[str, str]:
    listed = await world.praxis.list_items(ListItems())
    return {item.key: item.attention for item in listed.items}


async def test_keys_do_nothing_while_somebody_types_or_has_switched_them_off(
    world: World, site: Site, chromium: Chromium
) -> None:
    await world.praxis.observe(told("one", "First"))
    item = await world.item()
    tab = await chromium.tab()
    await let_in(tab, site)
    await open_page(tab, site, f"/items/{item.item_id}")

    await tab.run("document.getElementById('note').focus()")
    for key in "arp/?j":
        await tab.press(key, code=f"Key{key.upper()}")
    assert await tab.run("document.getElementById('note').value") == "arp/?j"
    await tab.run("document.activeElement.blur()")
    await tab.run("document.getElementById('keys-on').click()")
    await tab.press("a", code="KeyA")
    await tab.press("?", code="Slash")

    assert not await tab.run("document.getElementById('keys').open")
    assert (await world.item()).attention == "surfaced"


@requirement("praxis.surface.web")
async def test_news_arrive_by_themselves_and_disturb_nobody(
    world: World, site: Site, chromium: Chromium
) -> None:
    await world.praxis.observe(told("one", "First"))
    tab = await chromium.tab()
    await let_in(tab, site)
    await tab.until("!document.getElementById('live').hidden")
    await tab.run("document.querySelector('.menu').open = true")
    await tab.run("document.querySelector('.choices button').focus()")
    await tab.run("document.getElementById('seek').value = 'half a wo'")

    await world.praxis.observe(told("two", "A pipe burst", severity="critical"))

    await tab.until("document.querySelector('.line .title').textContent === 'A pipe burst'")
    await tab.until("document.getElementById('announcer').textContent === 'Opened: A pipe burst.'")
    assert await tab.run("document.title") == "Attention (2) · Praxis"
    assert await tab.run("document.querySelectorAll('.line')[1].querySelector('.menu').open")
    assert await tab.run("document.activeElement.matches('.choices button')")
    assert await tab.run("document.getElementById('seek').value") == "half a wo"


async def test_what_is_being_typed_survives_news_and_a_conflict(
    world: World, site: Site, chromium: Chromium
) -> None:
    await world.praxis.observe(told("one", "First"))
    item = await world.item()
    tab = await chromium.tab()
    await let_in(tab, site)
    await open_page(tab, site, f"/items/{item.item_id}")
    await tab.until("!document.getElementById('live').hidden")
    await tab.run("document.getElementById('note').focus()")
    await tab.type("Only a hiccup")

    await world.praxis.observe(told("one", "Now it burns", severity="critical"))
    await tab.until("document.querySelector('h1').textContent === 'Now it burns'")
    assert await tab.run("document.activeElement.id + document.activeElement.value") == (
        "noteOnly a hiccup"
    )
    await tab.click("[data-verb=resolve]")
    await tab.until("document.querySelector('#notice')?.textContent.includes('Got worse')")

    assert await tab.run("document.getElementById('note').value") == "Only a hiccup"
    assert await tab.run("document.activeElement.id") == "notice"
    assert (await world.item()).attention == "surfaced"
    await tab.click("[data-verb=resolve]")
    await tab.until("document.querySelector('[data-done]')")
    assert (await world.item()).attention == "resolved"


async def test_a_lost_praxis_is_said_and_the_list_is_not_emptied(
    world: World, site: Site, chromium: Chromium
) -> None:
    await world.praxis.observe(told("one", "First"))
    tab = await chromium.tab()
    await let_in(tab, site)
    await tab.until("!document.getElementById('live').hidden")

    await world.stop()
    await tab.until("!document.getElementById('down').hidden")
    assert await tab.run("document.querySelector('.line .title').textContent") == "First"
    assert await tab.run("document.getElementById('live').hidden")
    await world.start()
    await world.praxis.observe(told("two", "Second"))

    await tab.until("document.getElementById('down').hidden")
    await tab.until("document.querySelectorAll('.line').length === 2")


async def test_lost_pages_are_said_and_taken_up_again(
    world: World, site: Site, chromium: Chromium
) -> None:
    await world.praxis.observe(told("one", "First"))
    tab = await chromium.tab()
    await let_in(tab, site)
    await tab.until("!document.getElementById('live').hidden")

    await site.stop()
    await tab.until("!document.getElementById('lost').hidden")
    await world.praxis.observe(told("two", "Second"))
    await site.start()

    await tab.until("document.getElementById('lost').hidden")
    await tab.until("document.querySelectorAll('.line').length === 2")


@requirement("praxis.surface.web")
async def test_without_script_everything_can_be_read_and_decided(
    world: World, site: Site, chromium: Chromium
) -> None:
    await world.praxis.observe(told("one", "First"))
    item = await world.item()
    tab = await chromium.tab(script=False)
    session = Visitor(site.port)
    await session.get(f"/?token={site.web.keys.new_link()}")
    for name, value in session.cookies.items():
        await tab.cookie(name, value, session.origin)
    await open_page(tab, site, "/")

    await tab.load(".line .title")
    await tab.click("#note")
    await tab.type("On paper")
    await tab.load("#decide [data-verb=acknowledge]")

    now = await world.item()
    assert now.item_id == item.item_id
    assert now.attention == "acknowledged"
    await tab.load("[data-done] button")
    assert (await world.item()).attention == "surfaced"


async def test_a_hostile_source_runs_nothing(world: World, site: Site, chromium: Chromium) -> None:
    hostile = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
    await world.praxis.observe(told("one", hostile, subject=hostile, link="javascript:hit=1"))
    item = await world.item()
    tab = await chromium.tab()
    await let_in(tab, site)
    await tab.until("!document.getElementById('live').hidden")
    await world.praxis.observe(told("two", hostile, severity="critical"))
    await tab.until("document.querySelectorAll('.line').length === 2")
    await open_page(tab, site, f"/items/{item.item_id}")

    assert await tab.run("window.hit === undefined")
    assert await tab.run("document.querySelector('h1').textContent") == hostile
