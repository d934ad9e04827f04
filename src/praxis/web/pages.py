"""Turn what is known into HTML: templates read once, everything escaped, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from importlib import resources
from typing import Any
from urllib.parse import urlencode

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup, escape

from kit.clock import Clock, to_text
from kit.visible import visible, visible_line
from praxis.web import moments, views
from praxis.web.texts import TEXTS, Language, Texts

_KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class File:
    """A file that is served as it is."""

    content: bytes
    kind: str
    version: str


@dataclass(frozen=True, slots=True)
class Visit:
    """Who looks at a page, from where and in which language."""

    language: Language
    csrf: str
    path: str
    query: Mapping[str, str]

    def here(self, **changed: str) -> str:
        """This very page, with some of its query changed and what was only said once left out."""
        query = {name: value for name, value in self.query.items() if name not in {"done", "item"}}
        query.pop("lang", None)
        query |= changed
        kept = {name: value for name, value in query.items() if value}
        path = self.path
        if path.startswith("/items/"):  # and not the decision a form was sent to
            path = "/".join(path.split("/")[:3])
        return f"{path}?{urlencode(kept)}" if kept else path


class Pages:
    """The templates and the files beside them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        folder = resources.files("praxis.web")
        self.files = {
            each.name: _file(each.name, each.read_bytes())
            for each in (folder / "static").iterdir()
            if each.is_file()
        }
        templates = {
            each.name: each.read_text(encoding="utf-8")
            for each in (folder / "templates").iterdir()
            if each.name.endswith(".html")
        }
        self._environment = Environment(
            loader=DictLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {
            "line": visible_line,
            "text": visible,
            "ticked": _ticked,
        }

    def page(self, visit: Visit, template: str, **shown: Any) -> str:
        """A page for somebody who was let in."""
        return self._render(visit.language, template, visit=visit, **shown)

    def bare(self, language: Language, template: str, **shown: Any) -> str:
        """A page for somebody who was not."""
        return self._render(language, template, visit=None, **shown)

    def _render(self, language: Language, template: str, **shown: Any) -> str:
        now, texts = self._clock.now(), TEXTS[language]

        def when(at: datetime | None) -> Markup:
            return _when(at, now, texts)

        def every(seconds: float) -> str:
            return moments.every(seconds, texts)

        return self._environment.get_template(template).render(
            t=texts,
            now=now,
            when=when,
            every=every,
            file=self._address_of,
            verbs_of=views.verbs_of,
            reasons_of=views.reasons_of,
            **shown,
        )

    def _address_of(self, name: str) -> str:
        """Where a file is, under a name that changes with what is in it."""
        return f"/static/{name}?v={self.files[name].version}"


def _when(at: datetime | None, now: datetime, texts: Texts) -> Markup:
    """A `time` element: how long ago to read, exactly when on hover."""
    if at is None:
        return Markup("")
    return Markup('<time datetime="{}" title="{}" data-relative>{}</time>').format(
        to_text(at), moments.exact(at, texts), moments.relative(at, now, texts)
    )


def _ticked(text: str) -> Markup:
    """What stands between backticks, as code."""
    pieces = [escape(piece) for piece in text.split("`")]
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if index % 2 else piece
        for index, piece in enumerate(pieces)
    )


def _file(name: str, content: bytes) -> File:
    kind = _KINDS[name.rpartition(".")[2]]
    return File(content, kind, sha256(content).hexdigest()[:12])
