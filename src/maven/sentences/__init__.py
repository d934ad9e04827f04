"""What the fast path understands: one file of sentence templates per language."""

from __future__ import annotations

from importlib import resources
from typing import Any, Literal

import yaml

from maven.domain.fastpath import Grammar

LANGUAGES: tuple[Literal["ru", "en"], ...] = ("ru", "en")


def load() -> Grammar:
    """The grammar of both languages, compiled."""
    grammar = Grammar()
    for language in LANGUAGES:
        document = read(language)
        grammar.add(language, document["sentences"], document["pieces"])
    return grammar


def read(language: Literal["ru", "en"]) -> dict[str, Any]:
    """The file of one language: `pieces` and `sentences`."""
    text = resources.files(__package__ or "").joinpath(f"{language}.yaml").read_text("utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - safe
