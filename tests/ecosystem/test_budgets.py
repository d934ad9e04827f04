"""What the project promises of time and memory is measured, and holds on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.requirements import requirement

ROOT = Path(__file__).parents[2]


@requirement("phase.5.latency-budgets")
@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_whole_ecosystem_keeps_its_budgets() -> None:
    environment = {name: value for name, value in os.environ.items() if "ECOSYSTEM" not in name}
    done = subprocess.run(
        [sys.executable, "-m", "bench", "household"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "read turn through all parts" in done.stdout
    assert "does not hold" not in done.stdout, done.stdout
