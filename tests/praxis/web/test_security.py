"""Who is let in, what other sites cannot do, and what every answer forbids."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kit.errors import Unauthenticated
from kit.testing import FrozenClock
from praxis.web.form import local_path
from praxis.web.session import LINK_LIVES_S, SESSION_LIVES_S, Keys, secret_in
from tests.praxis.conftest import World
from tests.praxis.web.conftest import Site, Visitor

PATHS = ("/", "/sources", "/search?q=a", "/items/itm_1", "/events")


@pytest.mark.parametrize("path", PATHS)
async def test_without_a_cookie_nothing_is_shown(site: Site, world: World, path: str) -> None:
    await world.praxis.observe(world.report())

    page = await Visitor(site.port).get(path)

    assert page.status == 401
    assert "problem 1" not in page.text
    assert "praxis web --link" in page.text


async def test_a_link_lets_one_browser_in_once(site: Site) -> None:
    link = site.web.keys.new_link()
    first, second = Visitor(site.port), Visitor(site.port)

    opened = await first.get(f"/?token={link}")
    refused = await second.get(f"/?token={link}")

    assert opened.status == 200
    cookie = opened.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert (await first.get("/")).status == 200
    assert refused.status == 401
    assert (await second.get("/")).status == 401


async def test_a_link_that_waited_too_long_lets_nobody_in(site: Site, clock: FrozenClock) -> None:
    link = site.web.keys.new_link()
    clock.advance(LINK_LIVES_S + 1)

    assert (await Visitor(site.port).get(f"/?token={link}")).status == 401


async def test_a_cookie_outlives_a_restart_and_not_its_time(
    site: Site, visitor: Visitor, clock: FrozenClock
) -> None:
    await site.stop()
    await site.start()

    assert (await visitor.get("/")).status == 200
    clock.advance(SESSION_LIVES_S + 1)
    assert (await visitor.get("/")).status == 401


@pytest.mark.parametrize("token", ["", "a", "1.2.3", "9" * 5000, "1.x.%00", "²3.a.b", "é.é.é"])
def test_what_we_did_not_make_opens_nothing(token: str, folder: Path) -> None:
    keys = Keys(secret_in(folder), FrozenClock())

    assert keys.redeem(token) is None
    assert keys.session_of(token) is None
    assert keys.session_of(keys.new_link()) is None


def test_the_secret_is_private_and_refused_when_it_is_not(folder: Path) -> None:
    secret_in(folder)
    path = folder / "web"

    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    with pytest.raises(Unauthenticated):
        secret_in(folder)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:7878", "127.0.0.1.evil.example", "10.0.0.1", ""]
)
async def test_a_host_that_is_not_loopback_is_refused(visitor: Visitor, host: str) -> None:
    page = await visitor.get("/", {"host": host})

    assert page.status == 403


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/events-not", "/?token=wrong"])
async def test_every_answer_carries_the_headers_that_forbid(visitor: Visitor, path: str) -> None:
    headers = (await visitor.get(path)).headers

    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


async def test_pages_hold_no_script_or_style_of_their_own(world: World, visitor: Visitor) -> None:
    await world.praxis.observe(world.report())
    item = await world.item()

    for path in ("/", f"/items/{item.item_id}", "/sources", "/search?q=problem"):
        text = (await visitor.get(path)).text
        assert "<style" not in text
        assert " style=" not in text
        assert " on" not in "".join(piece.partition(">")[0] for piece in text.split("<input")[1:])
        assert text.count("<script") == text.count('<script type="module" src="/static/app.js')
        assert "http://" not in text.replace(visitor.origin, "")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "null", "sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "null", "sec-fetch-site": "same-origin"}, 303),
    ],
)
async def test_a_decision_is_taken_from_a_page_of_this_site_alone(
    world: World, visitor: Visitor, headers: dict[str, str], status: int
) -> None:
    await world.praxis.observe(world.report())
    item = await world.item()
    action = f"/items/{item.item_id}/acknowledge"
    form = (await visitor.get("/")).form(action)

    page = await visitor.post(action, form, headers)

    assert page.status == status
    is_done = (await world.item()).attention == "acknowledged"
    assert is_done == (status == 303)


async def test_a_decision_without_this_browsers_form_token_is_refused(
    site: Site, world: World, visitor: Visitor
) -> None:
    await world.praxis.observe(world.report())
    item = await world.item()
    action = f"/items/{item.item_id}/resolve"
    other = await site.visitor()
    theirs = (await other.get("/")).form(f"/items/{item.item_id}/resolve")

    for csrf in ("", "wrong", theirs["csrf"]):
        assert (await visitor.post(action, {**theirs, "csrf": csrf})).status == 403

    assert (await world.item()).attention == "new"


async def test_a_form_that_is_too_large_or_ambiguous_is_refused(
    world: World, visitor: Visitor
) -> None:
    await world.praxis.observe(world.report())
    item = await world.item()
    action = f"/items/{item.item_id}/resolve"
    form = (await visitor.get("/")).form(action)

    assert (await visitor.post(action, {**form, "note": "x" * 40_000})).status == 413
    assert (await visitor.post(f"{action}?x=1", {f"f{n}": "" for n in range(60)})).status == 400
    assert (await visitor.post(action, form, {"content-type": "text/plain"})).status == 400
    assert (await world.item()).attention == "new"


async def test_another_site_may_lead_here_but_not_read(visitor: Visitor) -> None:
    follows = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    reads = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}

    assert (await visitor.get("/", follows)).status == 200
    assert (await visitor.get("/", reads)).status == 403
    assert (await visitor.get("/events", reads)).status == 403


async def test_only_loopback_is_listened_on(site: Site) -> None:
    with pytest.raises(OSError):  # noqa: PT011 - which one is the system's choice
        await asyncio.open_connection("127.0.0.2", site.port)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("/", "/"),
        ("/items/itm_1?x=1", "/items/itm_1?x=1"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/a\r\nset-cookie: x", "/"),
        ("", "/"),
        ("/" + "a" * 1000, "/"),
    ],
)
def test_the_way_back_stays_on_this_site(sent: str, kept: str) -> None:
    assert local_path(sent) == kept
