"""What is answered where: the paths of both versions, below the base URL of either."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kit.errors import InvalidArgument
from kit.trace import Call
from nexus.contract import Language
from nexus.reconciliation import draft, v02
from nexus.reconciliation.extending import extend, known
from nexus.reconciliation.form import parameters_of
from nexus.reconciliation.manifest import manifest_of
from nexus.reconciliation.matching import Matcher
from nexus.reconciliation.preview import (
    FRAMED_POLICY,
    WHOLE_POLICY,
    page_of,
    page_of_nothing,
)
from nexus.reconciliation.properties import properties_of, property_of
from nexus.reconciliation.suggesting import (
    MOST,
    PAGE,
    show_property,
    suggest_entities,
    suggest_properties,
    suggest_types,
)
from nexus.service import Nexus
from nexus.store.vocabulary import Vocabulary

_LARGEST_NUMBER = 1_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that may be answered."""

    version: str
    base: str
    """The URL of this version, for what the answer points at."""
    parameters: dict[str, str]
    body: bytes
    language: Language | None
    call: Call


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer."""

    status: int
    body: bytes
    kind: str
    headers: list[tuple[bytes, bytes]] = field(default_factory=list[tuple[bytes, bytes]])


Handler = Callable[[Asked], Awaitable[Answer]]


class Routes:
    """The handlers, by path and method."""

    def __init__(self, nexus: Nexus, vocabulary: Vocabulary) -> None:
        self._nexus = nexus
        self._vocabulary = vocabulary
        self._matcher = Matcher(nexus)
        self._handlers: dict[str, dict[str, Handler]] = {
            "/": {"GET": self._read_root, "POST": self._post_root},
            "/match": {"POST": self._match},
            "/suggest/entity": {"GET": self._suggest_entity},
            "/suggest/type": {"GET": self._suggest_type},
            "/suggest/property": {"GET": self._suggest_property},
            "/preview": {"GET": self._preview},
            "/view": {"GET": self._view},
            "/extend": {"POST": self._extend},
            "/extend/propose": {"GET": self._propose},
        }

    def at(self, path: str) -> dict[str, Handler]:
        """What is offered at a path, by method."""
        return self._handlers.get(path, {})

    async def _read_root(self, asked: Asked) -> Answer:
        if "queries" in asked.parameters or "extend" in asked.parameters:
            return await self._answer_form(asked, asked.parameters)
        in_use = await self._vocabulary.in_use()
        return _json(manifest_of(asked.version, asked.base, in_use, asked.language))

    async def _post_root(self, asked: Asked) -> Answer:
        return await self._answer_form(asked, parameters_of(asked.body))

    async def _answer_form(self, asked: Asked, sent: dict[str, str]) -> Answer:
        if ("queries" in sent) == ("extend" in sent):
            raise InvalidArgument(
                "A form holds either `queries` or `extend`, URL-encoded.",
                reason="invalid_form",
                field="queries",
            )
        if "queries" in sent:
            batch = v02.read_batch(sent["queries"], asked.language)
            answers = {
                key: await self._matcher.find(question, asked.call)
                for key, question in batch.items()
            }
            return _json(v02.show_batch(answers))
        query = v02.read_extension(sent["extend"])
        found = await extend(self._nexus, query, asked.language, asked.call)
        return _json(v02.show_extension(*found))

    async def _match(self, asked: Asked) -> Answer:
        batch = draft.read_batch(asked.body, asked.language)
        answers = [await self._matcher.find(question, asked.call) for question in batch]
        return _json(draft.show_batch(answers))

    async def _extend(self, asked: Asked) -> Answer:
        query = draft.read_extension(asked.body)
        found = await extend(self._nexus, query, asked.language, asked.call)
        return _json(draft.show_extension(*found))

    async def _propose(self, asked: Asked) -> Answer:
        properties = properties_of(await self._vocabulary.in_use())
        limit = _number(asked, "limit", len(properties))
        shown = [show_property(each, asked.language) for each in properties[:limit]]
        proposal: dict[str, Any] = {"properties": shown}
        if "type" in asked.parameters:
            proposal["type"] = asked.parameters["type"]
        if "limit" in asked.parameters:
            proposal["limit"] = limit
        return _json(proposal)

    async def _suggest_entity(self, asked: Asked) -> Answer:
        wanted = asked.parameters.get("type")
        found = await suggest_entities(
            self._nexus,
            asked.parameters.get("prefix", "").strip(),
            [wanted] if wanted else [],
            asked.language,
            asked.call,
        )
        return _page(asked, found)

    async def _suggest_type(self, asked: Asked) -> Answer:
        in_use = await self._vocabulary.in_use()
        return _page(asked, suggest_types(in_use, asked.parameters.get("prefix", "").strip()))

    async def _suggest_property(self, asked: Asked) -> Answer:
        in_use = await self._vocabulary.in_use()
        prefix = asked.parameters.get("prefix", "").strip()
        return _page(asked, suggest_properties(in_use, prefix, asked.language))

    async def _preview(self, asked: Asked) -> Answer:
        return await self._show(asked, is_framed=True)

    async def _view(self, asked: Asked) -> Answer:
        return await self._show(asked, is_framed=False)

    async def _show(self, asked: Asked, *, is_framed: bool) -> Answer:
        entity = await known(self._nexus, asked.parameters.get("id", ""), asked.call)
        policy = FRAMED_POLICY if is_framed else WHOLE_POLICY
        if entity is None:
            return _html(404, page_of_nothing(asked.language), policy)
        relations = {
            each.predicate: property_of(each.predicate).name(asked.language)
            for each in entity.relations
        }
        page = page_of(entity, relations, asked.language, is_framed=is_framed)
        return _html(200, page, policy)


def _page(asked: Asked, found: list[dict[str, Any]]) -> Answer:
    """What `cursor` and `limit` leave of the suggestions."""
    start = _number(asked, "cursor", 0)
    size = min(_number(asked, "limit", PAGE), MOST)
    return _json({"result": found[start : start + size]})


def _number(asked: Asked, name: str, otherwise: int) -> int:
    sent = asked.parameters.get(name, "")
    if not sent:
        return otherwise
    if not (sent.isascii() and sent.isdigit() and len(sent) <= len(str(_LARGEST_NUMBER))):
        raise InvalidArgument(f"`{name}` is a whole number.", field=name)
    return int(sent)


def _json(value: object) -> Answer:
    return Answer(200, msgspec.json.encode(value), "application/json")


def _html(status: int, page: str, policy: str) -> Answer:
    headers = [(b"content-security-policy", policy.encode())]
    return Answer(status, page.encode(), "text/html; charset=utf-8", headers)
