"""Which language a browser is answered in: what it asked for, chose before, or prefers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from praxis.web.texts import LANGUAGES, Language

if TYPE_CHECKING:
    from starlette.requests import Request

COOKIE = "praxis_lang"
_WEIGHED = re.compile(r"\s*(ru|en)(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*", re.I)


def language_of(request: Request) -> Language:
    """The language of an answer: `?lang=`, else the cookie, else what the browser likes best."""
    for named in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        for language in LANGUAGES:
            if named == language:
                return language
    return _preferred(request.headers.get("accept-language", ""))


def _preferred(accepted: str) -> Language:
    weights: dict[Language, float] = {"en": 0.0, "ru": 0.0}
    for each in accepted[:500].split(","):
        match = _WEIGHED.fullmatch(each)
        if match is not None:
            language: Language = "ru" if match[1].lower() == "ru" else "en"
            weights[language] = max(weights[language], float(match[2] or 1))
    return "ru" if weights["ru"] > weights["en"] else "en"
