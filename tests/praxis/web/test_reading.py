"""What the pages show, in both languages, and what they say when nothing is known."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from kit.testing import FrozenClock
from praxis.contract import (
    ApplicableCapabilities,
    Deliver,
    Ignore,
    ItemCapability,
    ListItems,
    Observe,
    PutRoutine,
    PutSource,
    Transition,
)
from praxis.web.pages import Pages, Visit
from praxis.web.texts import TEXTS, Language
from praxis.web.timeline import story_of
from praxis.web.views import verbs_of
from tests.praxis.conftest import World
from tests.praxis.web.conftest import Site, Visitor

LOG = PutSource(source="log:alpha", kind="log", expected_every_s=60)
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'\u202e"
PAGES = ("/", "/sources", "/routines", "/rejected", "/search?q=problem")


def told(key: str, summary: str, **more: object) -> Observe:
    observe = Observe(source="log:alpha", kind="log", state="problem", summary=summary, key=key)
    return replace(observe, **more)


async def test_the_list_shows_each_item_with_its_severity_in_words(
    world: World, visitor: Visitor
) -> None:
    await world.praxis.observe(told("disk", "Disk is full", severity="critical"))
    await world.praxis.observe(told("fan", "Fan is slow"))

    page = await visitor.get("/")

    assert page.status == 200
    assert page.text.index("Disk is full") < page.text.index("Fan is slow")
    assert "<span>Critical</span>" in page.text
    assert "2 items" in page.text


async def test_an_empty_list_says_which_sources_it_rests_on(world: World, visitor: Visitor) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report("ok"))

    page = await visitor.get("/")

    assert TEXTS["en"].believed in page.text
    assert "log:alpha" in page.text


async def test_an_empty_list_over_a_silent_source_is_not_called_calm(
    world: World, visitor: Visitor
) -> None:
    await world.praxis.put_source(LOG)

    page = await visitor.get("/")

    assert TEXTS["en"].calm not in page.text
    assert TEXTS["en"].silent_body in page.text


async def test_an_empty_list_without_sources_says_that_nothing_is_known(visitor: Visitor) -> None:
    page = await visitor.get("/")

    assert TEXTS["en"].no_sources_body in page.text
    assert TEXTS["en"].calm not in page.text


@pytest.mark.parametrize("path", PAGES)
async def test_without_praxis_every_page_that_asks_it_says_that_nothing_is_known(
    site: Site, visitor: Visitor, path: str
) -> None:
    await site.world.stop()

    page = await visitor.get(path)

    await site.world.start()
    assert page.status == 503
    assert "nothing is known of what needs attention" in page.text


async def test_lines_of_one_cause_are_one_line_that_leads_to_all(
    world: World, visitor: Visitor
) -> None:
    for key in ("one", "two", "three"):
        await world.praxis.observe(told(key, f"Host {key} is gone", group="switch"))

    page = await visitor.get("/")
    apart = await visitor.get("/?cause=switch")

    assert page.text.count('class="line ') == 1
    assert "2 more with the same cause" in page.text
    assert "/?cause=switch" in page.text
    assert apart.text.count('class="line ') == 3


async def test_the_filters_choose_by_severity_source_entity_and_state(
    world: World, visitor: Visitor
) -> None:
    await world.praxis.observe(told("a", "Of the disk", severity="critical", entity_id="ent_nas"))
    await world.praxis.observe(replace(told("b", "Of the car"), source="car:engine"))
    await world.praxis.observe(told("c", "An agent asks", state="waiting"))

    async def shown(query: str) -> set[str]:
        text = (await visitor.get(f"/?{query}")).text
        names = ("Of the disk", "Of the car", "An agent asks")
        return {name for name in names if f">{name}</a>" in text}

    assert await shown("severity=critical") == {"Of the disk"}
    assert await shown("source=car:engine") == {"Of the car"}
    assert await shown("entity=ent_nas") == {"Of the disk"}
    assert await shown("state=waiting") == {"An agent asks"}
    assert await shown("severity=info") == set()
    assert await shown("entity=not+an+id") == set()


async def test_recovered_items_are_found_by_their_state(world: World, visitor: Visitor) -> None:
    await world.praxis.observe(told("a", "It broke"))
    await world.praxis.observe(replace(told("a", "It works"), state="ok"))

    page = await visitor.get("/?state=recovered")

    assert "It broke" in page.text
    assert "Recovered" in page.text


async def test_what_is_set_aside_is_listed_apart_with_its_end(
    world: World, visitor: Visitor
) -> None:
    await world.praxis.observe(told("a", "Known noise"))
    (item,) = (await world.praxis.list_items(ListItems())).items
    await world.praxis.ignore(Ignore(item.item_id))

    page = await visitor.get("/")

    aside = page.text.partition('id="aside"')[2]
    assert "Known noise" in aside
    assert "until it gets worse" in aside
    assert "Stop ignoring" in aside


async def test_the_page_of_an_item_tells_its_reports_and_decisions(
    world: World, visitor: Visitor
) -> None:
    await world.praxis.observe(told("a", "It broke", details={"code": "E17"}))
    item = await world.item()
    await world.praxis.acknowledge(Transition(item.item_id, note="Parts are ordered"))

    page = await visitor.get(f"/items/{item.item_id}")

    story = page.text.partition('id="story-title"')[2]
    assert all(word in story for word in ("It broke", "E17", "Parts are ordered", "user:anna"))
    assert story.index("Acknowledged") < story.index("Opened")


async def test_opening_an_item_surfaces_it_and_nothing_more(world: World, visitor: Visitor) -> None:
    await world.praxis.observe(told("a", "It broke"))
    item = await world.item()

    await visitor.get(f"/items/{item.item_id}", {"sec-purpose": "prefetch"})
    assert (await world.item()).attention == "new"
    await visitor.get("/")
    assert (await world.item()).attention == "new"
    await visitor.get(f"/items/{item.item_id}")

    assert (await world.item()).attention == "surfaced"
    assert (await world.item()).version == item.version


async def test_what_sources_say_is_shown_inert(world: World, visitor: Visitor) -> None:
    hostile = told(
        HOSTILE[:200],
        HOSTILE,
        subject=HOSTILE,
        group=HOSTILE,
        link="javascript:alert(1)//https://evil.example/",
        details={HOSTILE: HOSTILE},
    )
    await world.praxis.observe(hostile)
    item = await world.item()

    for path in ("/", f"/items/{item.item_id}", "/search?q=script", "/sources"):
        text = (await visitor.get(path)).text
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "\u202e" not in text
        assert 'href="javascript' not in text
        assert 'href="https://evil' not in text


async def test_an_unknown_item_is_a_page_that_says_so(visitor: Visitor) -> None:
    for item_id in ("itm_none", "..%2f..%2fetc", "%3Cscript%3E"):
        page = await visitor.get(f"/items/{item_id}")

        assert page.status == 404
        assert TEXTS["en"].missing in page.text


async def test_search_finds_items_in_both_languages(world: World, visitor: Visitor) -> None:
    await world.praxis.observe(told("a", "Диск переполнен"))

    page = await visitor.get("/search?q=%D0%B4%D0%B8%D1%81%D0%BA%D0%B8")

    assert "Диск переполнен" in page.text
    assert "1 item found" in page.text


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("path", PAGES)
async def test_every_page_is_whole_in_each_language(
    world: World, visitor: Visitor, language: Language, path: str
) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report())
    visitor.language = f"{language}-XX, fr;q=0.9"

    page = await visitor.get(path)

    assert page.status == 200
    assert f'<html lang="{language}"' in page.text
    assert TEXTS[language].attention in page.text
    assert TEXTS["ru" if language == "en" else "en"].routines not in page.text


async def test_a_chosen_language_is_remembered(visitor: Visitor) -> None:
    await visitor.get("/?lang=ru")

    assert 'lang="ru"' in (await visitor.get("/sources")).text


@pytest.mark.parametrize(
    ("n", "en", "ru"),
    [
        (1, "1 item", "1 запись"),
        (2, "2 items", "2 записи"),
        (5, "5 items", "5 записей"),
        (11, "11 items", "11 записей"),
        (12, "12 items", "12 записей"),
        (21, "21 items", "21 запись"),
        (22, "22 items", "22 записи"),
        (111, "111 items", "111 записей"),
        (0, "0 items", "0 записей"),
    ],
)
def test_counts_are_said_in_the_form_their_number_asks_for(n: int, en: str, ru: str) -> None:
    assert TEXTS["en"].counted(TEXTS["en"].items, n) == en
    assert TEXTS["ru"].counted(TEXTS["ru"].items, n) == ru


async def test_every_decision_that_is_offered_is_one_praxis_allows(world: World) -> None:
    await world.praxis.observe(told("a", "It broke"))

    for verb in ("acknowledge", "unacknowledge", "resolve", "reopen", "pin", "unpin"):
        item = await world.item()
        assert verb in verbs_of(item)
        await getattr(world.praxis, verb)(Transition(item.item_id, item.version))
    item = await world.item()
    await world.praxis.ignore(Ignore(item.item_id, if_version=item.version))
    assert "unignore" in verbs_of(await world.item())


async def test_what_could_be_done_is_named_and_not_offered_to_be_pressed(world: World) -> None:
    await world.praxis.observe(told("a", "It broke", entity_id="ent_nas"))
    item = await world.item()
    pages = await asyncio.to_thread(Pages, world.clock)
    restart = ItemCapability(
        "cap_restart", "1", "restart", {"en": "Restart", "ru": "Перезапустить"}, "protected"
    )

    page = pages.page(
        Visit("ru", "token", f"/items/{item.item_id}", {}),
        "item.html",
        item=item,
        story=story_of(item, [], is_cut=True),
        applicable=ApplicableCapabilities([restart]),
        seen=0,
        typed={},
        notice=None,
        done=None,
    )

    could = page.partition('id="could-title"')[2].partition("</section>")[0]
    assert "<b>Перезапустить</b>" in could
    assert "спросит подтверждение" in could
    assert "<code>hexis run cap_restart ent_nas</code>" in could
    assert "<code>maven chat</code>" in could
    assert not any(tag in could for tag in ("<button", "<form", "<a ", "<input"))
    assert "<code>praxis list-changes</code>" in page


async def test_routines_are_listed_those_that_need_a_look_first(
    world: World, visitor: Visitor, clock: FrozenClock
) -> None:
    await world.praxis.put_routine(PutRoutine("weekly", title="Water the plants", every_s=604800))
    await world.praxis.put_routine(PutRoutine("nightly", title="Backup", cron="0 3 * * *"))
    await world.pass_time(20 * 3600)
    visitor.language = "ru"

    page = await visitor.get("/routines")

    assert page.text.index("Backup") < page.text.index("Water the plants")
    assert TEXTS["ru"].standings["late"] in page.text
    assert "<code>0 3 * * *</code>" in page.text


async def test_a_rejected_delivery_is_shown_inert_and_can_be_read_once_more(
    world: World, visitor: Visitor
) -> None:
    await world.praxis.put_source(PutSource("am", "alertmanager"))
    body = b'{"version": "4", "alerts": "<script>alert(1)</script>"}'
    sent = await world.praxis.deliver(Deliver("am", "alertmanager", body))
    action = f"/rejected/{sent.rejected_id}/replay"

    page = await visitor.get("/rejected")
    answer = await visitor.post(action, page.form(action))
    after = await visitor.get(answer.headers["location"])
    forged = await visitor.post(action, {"csrf": "wrong"})

    assert "&lt;script&gt;" in page.text
    assert "<script>alert" not in page.text
    assert answer.status == 303
    assert TEXTS["en"].replay_failed in after.text
    assert forged.status == 403
