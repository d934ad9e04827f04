"""A page about one entity: small for the frame of a client, whole for a window of its own."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from itertools import chain

from nexus.contract import Entity, Language
from nexus.reconciliation.matching import label_of

WIDTH, HEIGHT = 420, 220
_MOST_IN_A_FRAME = 4
"""Values of one kind in the small page."""
_STYLE = (
    ":root{color-scheme:light dark}body{font:14px/1.4 system-ui,sans-serif;margin:12px}"
    "h1{font-size:17px;margin:0 0 6px}p{margin:0 0 6px}dl{margin:0;display:grid;"
    "grid-template-columns:max-content 1fr;gap:2px 10px}dt{opacity:.7}dd{margin:0;"
    "overflow-wrap:anywhere}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_ALLOWED = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none';"
    " sandbox; frame-ancestors"
)
FRAMED_POLICY = f"{_ALLOWED} http://127.0.0.1:* http://localhost:*"
"""Nothing is run or fetched; a client on this machine may show the page in a frame."""
WHOLE_POLICY = f"{_ALLOWED} 'none'"
"""The same, and in no frame."""
_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "also": "also called",
        "external": "in other systems",
        "missing": "There is no such entity.",
        "status": "status",
        "type": "type",
        "archived": "archived",
        "merged": "merged",
    },
    "ru": {
        "also": "другие имена",
        "external": "в других системах",
        "missing": "Такой сущности нет.",
        "status": "состояние",
        "type": "тип",
        "archived": "в архиве",
        "merged": "объединена",
    },
}


def page_of(
    entity: Entity, relations: dict[str, str], language: Language | None, *, is_framed: bool
) -> str:
    """The page of an entity.

    Args:
        entity: what it tells of.
        relations: what each predicate is called.
        language: the language to prefer.
        is_framed: whether there is little room.
    """
    spoken: Language = language or "en"
    words = _WORDS[spoken]
    most = _MOST_IN_A_FRAME if is_framed else None
    label = label_of(entity.names, language)
    others = [each for each in entity.names.values() if each != label]
    rows = [(words["type"], [entity.type])]
    if entity.status != "active":
        rows.append((words["status"], [words[entity.status]]))
    rows.append((words["also"], [*others, *(each.text for each in entity.aliases)]))
    for predicate, name in relations.items():
        related = [
            label_of(each.names, language)
            for each in entity.relations
            if each.predicate == predicate
        ]
        rows.append((name, related))
    rows.append(
        (words["external"], [f"{each.system}: {each.external_id}" for each in entity.external])
    )
    said = sorted(entity.description.items(), key=lambda each: each[0] != spoken)
    paragraphs = [f'<p lang="{escape(code)}">{escape(text)}</p>' for code, text in said]
    listed = chain.from_iterable(_row(name, values, most) for name, values in rows if values)
    return _page(spoken, label, f"{''.join(paragraphs)}<dl>{''.join(listed)}</dl>")


def page_of_nothing(language: Language | None) -> str:
    """The page of an id that nothing has."""
    spoken: Language = language or "en"
    return _page(spoken, _WORDS[spoken]["missing"], "")


def _row(name: str, values: list[str], most: int | None) -> Iterator[str]:
    shown = list(dict.fromkeys(values))
    left = len(shown) - len(shown[:most])
    text = ", ".join(shown[:most]) + (f" … +{left}" if left else "")
    yield f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>"


def _page(language: Language, title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>{body}</body></html>"
    )
