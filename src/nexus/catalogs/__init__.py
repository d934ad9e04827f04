"""Catalogs as people keep them: files and folders, read whole or refused with the place."""

from __future__ import annotations

from typing import Literal

Form = Literal["auto", "native", "backstage", "csv"]
"""How a catalog may be written that is read; `auto` tells it from each file."""
Written = Literal["toml", "yaml"]
"""How a catalog is written out."""
