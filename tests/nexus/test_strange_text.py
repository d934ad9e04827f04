"""Strange text is answered quickly, and never resolved."""

from __future__ import annotations

import pytest

from nexus.client import NexusClient
from nexus.contract import (
    Ambiguous,
    ApplyCatalog,
    CatalogEntry,
    NotFound,
    Purpose,
    Resolve,
)


@pytest.mark.parametrize(
    "text",
    [
        "я" * 500,
        "a b " * 125,
        "векна " * 80,
        "\u202eанкев\u202c",
        "\u0000\u0001\u001b[31m",
        "e\u0301" * 250,
        "\ufdfa" * 500,
        "\U0001f525" * 500,
        "ent_" + "0" * 60,
        "a:" * 250,
        "'" * 500,
        "a" * 10_000,
        "векна " * 1_600,
    ],
    ids=range(13),
)
@pytest.mark.parametrize("purpose", ["read", "mutate"])
async def test_strange_text_is_answered_and_never_resolved(
    nexus: NexusClient, text: str, purpose: Purpose
) -> None:
    entry = CatalogEntry(
        key="vecna", type="service", names={"en": "Vecna", "ru": "Векна"}, aliases=["a b"]
    )
    await nexus.apply_catalog(ApplyCatalog(catalog="home", entries=[entry]))

    found = await nexus.resolve(Resolve(text=text, purpose=purpose))

    assert isinstance(found, NotFound | Ambiguous)
