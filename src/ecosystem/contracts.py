"""Write the OpenAPI document of every part (`make docs`); a test compares them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ecosystem.parts import PARTS
from kit.openapi import describe


def documents() -> dict[str, str]:
    """Path below the repository to the document the contract gives it."""
    return {
        f"docs/contracts/{part.name}.openapi.json": msgspec.json.format(
            msgspec.json.encode(describe(part.contract)), indent=2
        ).decode()
        + "\n"
        for part in PARTS
    }


def write(root: Path) -> None:
    """Write them all."""
    for name, text in documents().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    write(Path(__file__).parents[2])
