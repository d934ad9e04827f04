"""The Praxis of its own tests, for its evaluation."""

from __future__ import annotations

from tests.praxis.conftest import clock, folder, praxis, world

__all__ = ["clock", "folder", "praxis", "world"]
