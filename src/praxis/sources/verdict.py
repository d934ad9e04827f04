"""Readings in bounded plain words, whatever the thing looked at has said of itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from kit import redact
from kit.visible import visible_line
from praxis.contract import Severity
from praxis.sources import Reading

_LONGEST_SUMMARY = 400
_LONGEST_DETAIL = 200
_LONGEST_KEY = 200


def line(text: str, limit: int = _LONGEST_DETAIL) -> str:
    """One line without secrets and control characters, within `limit`."""
    clean = visible_line(" ".join(redact.text(text, limit * 2).split()))
    return clean if len(clean) <= limit else f"{clean[: limit - 1]}…"


def good(
    at: datetime, summary: str, details: Mapping[str, str] | None = None, **more: Any
) -> Reading:
    """It is as it should be."""
    return _reading("ok", "info", at, summary, details or {}, more)


def bad(
    at: datetime,
    reason: str,
    summary: str,
    severity: Severity = "error",
    details: Mapping[str, str] | None = None,
    **more: Any,
) -> Reading:
    """Something is wrong; `reason` is its stable name."""
    return _reading("problem", severity, at, summary, {"reason": reason, **(details or {})}, more)


def _reading(
    state: Any,
    severity: Severity,
    at: datetime,
    summary: str,
    details: Mapping[str, str],
    more: dict[str, Any],
) -> Reading:
    if more.get("key") is not None:
        more["key"] = line(more["key"], _LONGEST_KEY)
    return Reading(
        state=state,
        severity=severity,
        summary=line(summary, _LONGEST_SUMMARY),
        observed_at=at,
        details={name: line(value) for name, value in details.items() if value.strip()},
        **more,
    )
