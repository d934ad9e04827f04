"""The import rules hold, and each of them notices what it is there to notice."""

import configparser
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = ROOT / ".importlinter"
PACKAGES = ("kit", "nexus", "praxis", "hexis", "vecna", "maven", "ecosystem")
COMMAND = Path(sys.executable).with_name("lint-imports")


@dataclass(frozen=True)
class Plant:
    """A module that imports another, so that one rule is broken."""

    rule: str
    module: str
    imported: str

    def put(self, src: Path) -> None:
        """Write the module, and in its shortest form whatever it needs around it."""
        if self.imported.partition(".")[0] in PACKAGES:
            _ensure(src, self.imported)
        _ensure(src, self.module).write_text(f"import {self.imported}\n", encoding="utf-8")


def _ensure(src: Path, module: str) -> Path:
    path = src.joinpath(*module.split("."))
    if path.is_dir():
        return path / "__init__.py"
    path = path.with_suffix(".py")
    path.parent.mkdir(parents=True, exist_ok=True)
    for package in path.relative_to(src).parents[:-1]:
        (src / package / "__init__.py").touch()
    path.touch()
    return path


PLANTS = [
    Plant("kit-knows-no-service", "kit.planted", "nexus.contract"),
    Plant("imports-point-down", "nexus.store.planted", "nexus.service"),
    Plant("imports-point-down", "hexis.domain.planted", "hexis.client.catalog"),
    Plant("imports-point-down", "maven.tools.planted", "maven.turn"),
    Plant("clients-are-thin", "hexis.client.planted", "hexis.domain"),
    Plant("clients-are-thin", "vecna.contract.planted", "kit.store"),
    Plant("domain-does-no-io", "maven.domain.planted", "sqlite3"),
    Plant("domain-does-no-io", "praxis.domain.planted", "time"),
    Plant("domain-does-no-io", "nexus.domain.planted", "kit.store"),
    *(
        Plant(f"{service}-is-private", f"{stranger}.planted", f"{service}.{inner}")
        for service, stranger, inner in [
            ("nexus", "maven", "store"),
            ("praxis", "maven", "domain"),
            ("hexis", "ecosystem", "service"),
            ("vecna", "maven", "settings"),
            ("maven", "ecosystem", "cli"),
            ("maven", "praxis", "app"),
        ]
    ),
    Plant("nexus-and-vecna-call-nobody", "vecna.planted", "nexus.client"),
    Plant("nexus-and-vecna-call-nobody", "nexus.planted", "praxis.client"),
    Plant("nobody-calls-back-up", "praxis.planted", "maven.client"),
    Plant("nobody-calls-back-up", "hexis.planted", "vecna.client"),
    Plant("ecosystem-is-the-top", "maven.planted", "ecosystem.compose"),
    Plant("attention-never-acts", "praxis.planted", "hexis.client.executor"),
    Plant("attention-never-acts", "praxis.sources.planted", "hexis.contract.execution"),
    Plant("channels-use-the-client", "maven.terminal.planted", "maven.turn"),
    Plant("channels-use-the-client", "maven.terminal.planted", "maven.domain.words"),
    Plant("pages-use-the-client", "praxis.web.planted", "praxis.store"),
    Plant("pages-use-the-client", "praxis.web.planted", "praxis.domain.standing"),
    Plant("pages-use-the-client", "praxis.web.planted", "nexus.client"),
    Plant("fixtures-stay-in-tests", "nexus.planted", "kit.testing"),
]


def lint(src: Path, rule: str | None = None) -> tuple[bool, str]:
    """Check the rules, or one of them, on a tree of packages.

    Returns:
        Whether they hold, and the report.
    """
    done = subprocess.run(
        [
            COMMAND,
            f"--config={RULES}",
            "--no-cache",
            *([f"--contract={rule}"] if rule else []),
        ],
        cwd=src,
        env={**os.environ, "PYTHONPATH": str(src), "COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0, done.stdout + done.stderr


def names_of_rules() -> set[str]:
    """Read the names of the rules from the file that holds them."""
    parser = configparser.ConfigParser()
    parser.read(RULES, encoding="utf-8")
    return {section.rpartition(":")[2] for section in parser.sections() if ":contract:" in section}


@pytest.fixture
def src(tmp_path: Path) -> Path:
    """Copy the packages to where they may be spoilt."""
    copy = tmp_path / "src"
    shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_the_import_rules_hold() -> None:
    holds, report = lint(ROOT / "src")

    assert holds, report


def test_every_rule_has_a_planted_violation() -> None:
    assert {plant.rule for plant in PLANTS} | {"no-cycles"} == names_of_rules()


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: f"{plant.rule}: {plant.module}")
def test_a_planted_violation_is_reported_by_the_rule_meant_for_it(src: Path, plant: Plant) -> None:
    plant.put(src)
    if plant.rule == "no-cycles":
        (src / "kit/planted/two.py").write_text("from kit.planted import one\n", encoding="utf-8")

    holds, report = lint(src, plant.rule)

    assert not holds
    assert f"{plant.module} -> {plant.imported}" in report


def test_a_planted_cycle_is_reported(src: Path) -> None:
    Plant("no-cycles", "vecna.planted.one", "vecna.planted.two").put(src)
    Plant("no-cycles", "vecna.planted.two", "vecna.planted.one").put(src)

    holds, report = lint(src, "no-cycles")

    assert not holds
    assert "No cycles are allowed in vecna.planted." in report


def test_what_the_architecture_allows_is_not_reported(src: Path) -> None:
    for module, imported in [
        ("praxis.sources.planted", "hexis.client.catalog"),
        ("hexis.executors.planted", "praxis.client"),
        ("maven.tools.planted", "hexis.client.executor"),
        ("ecosystem.planted", "nexus.app"),
        ("ecosystem.reference", "nexus.settings"),
        ("nexus.domain.planted", "datetime"),
    ]:
        Plant("none", module, imported).put(src)

    holds, report = lint(src)

    assert holds, report
