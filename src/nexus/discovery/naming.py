"""Names for what a machine calls by a file name, and nothing that could not be one."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from kit.redact import text as without_secrets
from nexus.contract import Discovery
from nexus.domain.entity import fault_in_external_id, fault_in_name, tidy

_LONGEST_NAME, _LONGEST_EVIDENCE = 200, 4000
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")


def display_name(text: str) -> str:
    """The words of a technical name, as they are: `photo-indexer@nas` is “photo indexer nas”."""
    return " ".join(re.sub(r"[-_@\s]+", " ", text).split()) or text


def discovery(
    system: str,
    external_id: str,
    type: str,
    name: str,
    *,
    aliases: Iterable[str] = (),
    description: str = "",
    evidence: str = "",
) -> Discovery | None:
    """What was seen, in the form of a proposal; None where it has no id or no name that fits."""
    called = tidy(display_name(name))
    try:
        "".join((external_id, called, evidence)).encode()
    except UnicodeEncodeError:
        return None
    if fault_in_name(called) or fault_in_external_id(external_id):
        return None
    others = dict.fromkeys(map(tidy, aliases))
    described = without_secrets(" ".join(description.split()), _LONGEST_EVIDENCE)
    seen = {
        "system": system,
        "external_id": external_id,
        "type": type,
        "names": _in_its_language(called),
        "aliases": [each for each in others if _is_fit(each) and each != called],
        "description": _in_its_language(described) if described.isprintable() else {},
        "evidence": evidence[:_LONGEST_EVIDENCE],
    }
    try:
        return msgspec.convert(seen, Discovery)
    except msgspec.ValidationError:
        return None


def _is_fit(name: str) -> bool:
    return 0 < len(name) <= _LONGEST_NAME and fault_in_name(name) is None


def _in_its_language(text: str) -> dict[str, str]:
    return {"ru" if _CYRILLIC.search(text) else "en": text} if text else {}
