"""Everything the pages say, in Russian and English: one typed table, filled once per language."""

from __future__ import annotations

from praxis.web.texts.en import EN
from praxis.web.texts.ru import RU
from praxis.web.texts.table import LANGUAGES, Language, Texts

TEXTS: dict[Language, Texts] = {"en": EN, "ru": RU}

__all__ = ["LANGUAGES", "TEXTS", "Language", "Texts"]
