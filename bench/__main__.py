"""Measure, and print one Markdown table; `python -m bench overhead commits` measures only those."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from bench.table import Row, markdown

MEASUREMENTS = ("overhead", "commits", "household")
"""What a bare `python -m bench` runs; `names` and `names_start` take minutes and are asked for."""


def main(names: list[str]) -> None:
    """Run the named measurements, or all."""
    rows: list[Row] = []
    for name in names or MEASUREMENTS:
        folder = Path(tempfile.mkdtemp(prefix="bn"))
        try:
            measure: Callable[[Path], list[Row]] = import_module(f"bench.{name}").measure
            rows += measure(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}\n")
    print(markdown(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
