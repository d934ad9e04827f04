"""What the service says of itself: one manifest for each version of the protocol."""

from __future__ import annotations

from typing import Any

from nexus.contract import CONTRACT, Language
from nexus.reconciliation.extending import LIMIT_SETTING
from nexus.reconciliation.preview import HEIGHT, WIDTH
from nexus.reconciliation.question import BATCH_SIZE
from nexus.reconciliation.suggesting import default_types
from nexus.store.vocabulary import InUse

_TEXTS: dict[Language, tuple[str, str]] = {
    "en": ("How many values", "0 for all of them"),
    "ru": ("Сколько значений", "0 — все"),
}


def manifest_of(
    version: str, base: str, in_use: InUse, language: Language | None
) -> dict[str, Any]:
    """The manifest at the URL `base`."""
    shared: dict[str, Any] = {
        "versions": [version],
        "name": "Nexus",
        # 1.0 has no use for the spaces and the URL of the preview, and does not mind them: both
        # bases answer the calls of 0.2, and its clients look for these.
        "identifierSpace": "urn:ecosystem:nexus:entity",
        "schemaSpace": "urn:ecosystem:nexus:schema",
        "serviceVersion": str(CONTRACT),
        "defaultTypes": default_types(in_use),
        "batchSize": BATCH_SIZE,
        "preview": {"url": f"{base}/preview?id={{{{id}}}}", "width": WIDTH, "height": HEIGHT},
    }
    name, help_text = _TEXTS[language or "en"]
    limit = {"type": "number", "name": name, "default": 0}
    if version == "0.2":
        return shared | {
            "view": {"url": f"{base}/view?id={{{{id}}}}"},
            "suggest": {
                kind: {"service_url": base, "service_path": f"/suggest/{kind}"}
                for kind in ("entity", "type", "property")
            },
            "extend": {
                "propose_properties": {"service_url": base, "service_path": "/extend/propose"},
                "property_settings": [
                    {**limit, "name": LIMIT_SETTING, "label": name, "help_text": help_text}
                ],
            },
        }
    return shared | {
        "view": {"url": f"{base}/view?id={{id}}"},
        "standardizedScore": True,
        "suggest": {"entity": True, "type": True, "property": True},
        "extend": {
            "proposeProperties": True,
            "propertySettings": [{**limit, "id": LIMIT_SETTING, "helpText": help_text}],
        },
    }
