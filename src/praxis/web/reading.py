"""The pages that only show: attention, an item, sources, search, and the places for more."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import structlog
from msgspec.structs import replace
from starlette.responses import HTMLResponse, Response

from kit.errors import InvalidArgument, NotFound, ServiceError
from praxis.client import PraxisClient
from praxis.contract import (
    ApplicableCapabilities,
    AttentionList,
    GetItem,
    Item,
    ListAttention,
    ListChanges,
    ListItemCapabilities,
    ListItems,
    ListRejected,
    ListRoutines,
    ListSources,
    MarkSurfaced,
    Search,
)
from praxis.web import views
from praxis.web.door import keep_language
from praxis.web.language import language_of
from praxis.web.pages import Pages, Visit
from praxis.web.session import Session
from praxis.web.texts import TEXTS
from praxis.web.timeline import steps_of, story_of
from praxis.web.views import Filter, Sight

if TYPE_CHECKING:
    from starlette.requests import Request

_log = structlog.get_logger()
_LINES = 100
_LOOKED_AT = 500
"""Items looked at where they are filtered here."""
_FOUND = 50
CHANNEL = "web"


def visit_of(request: Request) -> Visit:
    """Who asks; the door has let them in."""
    session: Session = request.scope["praxis.session"]
    query = dict(request.query_params)
    return Visit(language_of(request), session.csrf, request.url.path, query)


class Reading:
    """One method per page."""

    def __init__(self, praxis: PraxisClient, pages: Pages) -> None:
        self._praxis = praxis
        self._pages = pages

    async def attention(self, request: Request) -> Response:
        """What needs attention, and what the list rests on."""
        wanted = Filter.of(request.query_params)
        entities = [wanted.entity] if wanted.entity else []
        seen = await self.cursor()
        try:
            listed = await self._praxis.list_attention(
                ListAttention(
                    entities,
                    _LOOKED_AT if wanted.is_set else _LINES,
                    together=not wanted.is_set,
                )
            )
        except InvalidArgument:
            if not entities:
                raise
            # No entity can be called so; the sources are the same for all.
            listed = replace(await self._praxis.list_attention(ListAttention(limit=1)), items=[])
            entities = []
        fitting = [line for line in listed.items if wanted.fits(line)]
        sections = views.sections_of(fitting[:_LINES])
        if wanted.is_of_the_past and bool(entities) == bool(wanted.entity):
            sections = views.past(await self._past(wanted, entities))
        stands_for = sum(line.alike for line in fitting[:_LINES])
        return await self.answer(
            request,
            "attention.html",
            filter=wanted,
            sections=sections,
            total=listed.total,
            shown=stands_for,
            looked_at=len(listed.items),
            aside=listed.set_aside,
            sight=Sight.of(listed.sources),
            sources=_names(listed, wanted),
            seen=seen,
        )

    async def _past(self, wanted: Filter, entities: list[str]) -> list[Item]:
        request = ListItems(
            entities,
            operational="recovered" if wanted.state == "recovered" else None,
            attention="resolved" if wanted.state == "resolved" else None,
            source=wanted.source or None,
            limit=_LINES,
        )
        found = (await self._praxis.list_items(request)).items
        return [
            item
            for item in found
            if wanted.severity in {"", item.severity} and wanted.cause in {"", item.group}
        ]

    async def item(self, request: Request) -> Response:
        """One item with its story; a person who opens it has seen it."""
        item_id: str = request.path_params["item_id"]
        seen = await self.cursor()
        try:
            item = await self._praxis.get_item(GetItem(item_id))
        except InvalidArgument as error:
            raise NotFound(error.message) from error
        if item.attention == "new" and item.ignored is None and _is_opened(request):
            item = await self._surface(item)
        return await self.item_page(request, item, seen)

    async def item_page(
        self,
        request: Request,
        item: Item,
        seen: int,
        *,
        status: int = 200,
        typed: Mapping[str, str] | None = None,
        notice: Mapping[str, Any] | None = None,
    ) -> Response:
        """The page of an item, with what was typed into it and what there is to say of that."""
        (steps, is_cut), applicable = await asyncio.gather(
            steps_of(self._praxis, item), self._applicable(item)
        )
        return await self.answer(
            request,
            "item.html",
            status=status,
            item=item,
            story=story_of(item, steps, is_cut=is_cut),
            applicable=applicable,
            seen=seen,
            typed=typed or {},
            notice=notice,
        )

    async def sources(self, request: Request) -> Response:
        """Every source and how fresh it is."""
        listed = await self._praxis.list_sources(ListSources())
        ordered = views.by_freshness(listed.sources)
        return await self.answer(request, "sources.html", sources=ordered)

    async def search(self, request: Request) -> Response:
        """Items that tell of some words."""
        asked = request.query_params.get("q", "").strip()[:400]
        found: list[Item] = []
        seen = await self.cursor()
        if asked:
            found = (await self._praxis.search(Search(asked, limit=_FOUND))).items
        return await self.answer(request, "search.html", asked=asked, found=found, seen=seen)

    async def routines(self, request: Request) -> Response:
        """What is expected by a time, and how it stands."""
        listed = await self._praxis.list_routines(ListRoutines())
        ordered = views.by_standing(listed.routines)
        return await self.answer(request, "routines.html", routines=ordered)

    async def rejected(self, request: Request) -> Response:
        """Deliveries that could not be read."""
        listed = await self._praxis.list_rejected(ListRejected(limit=_LINES))
        return await self.answer(
            request,
            "rejected.html",
            rejected=listed.rejected,
            total=listed.total,
            said=request.query_params.get("replayed", ""),
        )

    async def cursor(self) -> int:
        """Where the feed ends before anything else is read, so that no change falls between."""
        return (await self._praxis.list_changes(ListChanges(limit=1))).next_after

    async def answer(
        self, request: Request, template: str, *, status: int = 200, **shown: Any
    ) -> Response:
        """A page as the answer to a request, with what was just decided said above it."""
        done = await self._done(request) if request.method != "POST" else None
        page = self._pages.page(visit_of(request), template, done=done, **shown)
        answer = HTMLResponse(page, status)
        keep_language(request, answer)
        return answer

    async def unknown(self, request: Request, retry: Mapping[str, str] | None) -> Response:
        """Praxis cannot be asked: nothing is known, which is not the same as nothing."""
        page = self._pages.page(visit_of(request), "unknown.html", done=None, retry=retry or {})
        return HTMLResponse(page, 503)

    async def _done(self, request: Request) -> dict[str, Any] | None:
        """What a person has just decided, as the address says."""
        verb, item_id = request.query_params.get("done"), request.query_params.get("item")
        if verb not in TEXTS["en"].done or not item_id:
            return None
        try:
            item = await self._praxis.get_item(GetItem(item_id))
        except (InvalidArgument, NotFound):
            return None
        undo = views.UNDO.get(verb)
        return {
            "verb": verb,
            "item": item,
            "undo": undo if undo in views.verbs_of(item) else None,
        }

    async def _surface(self, item: Item) -> Item:
        try:
            shown = await self._praxis.mark_surfaced(MarkSurfaced([item.item_id], CHANNEL))
        except ServiceError as error:
            _log.warning("not_surfaced", code=error.code, reason=error.reason)
            return item
        return await self._praxis.get_item(GetItem(item.item_id)) if shown.items else item

    async def _applicable(self, item: Item) -> ApplicableCapabilities:
        if item.entity_id is None:
            return ApplicableCapabilities([])
        try:
            return await self._praxis.list_item_capabilities(ListItemCapabilities(item.item_id))
        except ServiceError as error:
            _log.warning("capabilities_unknown", code=error.code, reason=error.reason)
            return ApplicableCapabilities([], known=False)


def _names(listed: AttentionList, wanted: Filter) -> list[str]:
    """Sources one may choose from."""
    registered = {each.source for each in listed.sources}
    named = {line.item.source for line in listed.items}
    return sorted((registered | named | {wanted.source}) - {""})


def _is_opened(request: Request) -> bool:
    """Whether a person opened the page, rather than a browser fetched it to be ready."""
    site = request.headers.get("sec-fetch-site", "none")
    return "prefetch" not in request.headers.get("sec-purpose", "") and site in {
        "none",
        "same-origin",
    }
