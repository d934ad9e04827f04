"""Typed access to Hexis for other parts: `catalog` to look, `executor` to act."""
