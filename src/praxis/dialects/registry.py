"""Every dialect by its name."""

from __future__ import annotations

from praxis.dialects import Dialect

DIALECTS: dict[str, Dialect] = {}
