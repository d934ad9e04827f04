"""Every requirement is shown by a test or planned, and every mark names a requirement."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path

import pytest

from tests.requirements import DONE_ISSUES, ISSUES, REQUIREMENTS, Requirement

TESTS = Path(__file__).parent

Links = Mapping[str, list[str]]
"""Where each id is named: the id, and the tests as `file::name`."""


def find_links(root: Path) -> tuple[Links, list[str]]:
    """Read the marks in the test files below a folder, without importing them.

    Returns:
        The links, and the places of marks that pytest would not collect or that this cannot read.
    """
    links: dict[str, list[str]] = {}
    strays: list[str] = []
    for path in sorted(root.rglob("*.py")):
        if path.name == "requirements.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        collected: set[ast.Call] = set()
        for name, mark in _marks(tree) if path.name.startswith("test_") else ():
            collected.add(mark)
            for argument in mark.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    links.setdefault(argument.value, []).append(f"{path.name}::{name}")
        strays += [
            f"{path.name}:{call.lineno}"
            for call in ast.walk(tree)
            if isinstance(call, ast.Call)
            and _is_mark(call)
            and (call not in collected or not _is_plain(call))
        ]
    return links, strays


def _marks(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Yield each mark on what pytest collects, with the name of what it is on."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name("pytestmark")], value=value):
                yield from (("pytestmark", call) for call in _calls([value]))
            case ast.ClassDef() if node.name.startswith("Test"):
                yield from ((node.name, call) for call in _calls(node.decorator_list))
                for method in node.body:
                    if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                        yield from _marks_of_test(method, f"{node.name}::")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _marks_of_test(node)
            case _:
                pass


def _marks_of_test(
    node: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str = ""
) -> Iterator[tuple[str, ast.Call]]:
    if node.name.startswith("test_"):
        yield from ((prefix + node.name, call) for call in _calls(node.decorator_list))


def _calls(nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
    for node in nodes:
        for child in ast.walk(node):
            if isinstance(child, ast.Call) and _is_mark(child):
                yield child


def _is_mark(call: ast.Call) -> bool:
    return ast.unparse(call.func) in {"requirement", "pytest.mark.requirement"}


def _is_plain(call: ast.Call) -> bool:
    return bool(call.args) and all(
        isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        for argument in call.args
    )


def find_faults(
    requirements: Mapping[str, Requirement], links: Links, issues: Set[str], done: Set[str]
) -> list[str]:
    """Compare the registry with the marks, in both directions."""
    faults = [
        f"{id} is not a requirement, but is named by {', '.join(tests)}"
        for id, tests in links.items()
        if id not in requirements
    ]
    for each in requirements.values():
        if each.planned is None:
            if each.id not in links:
                faults.append(f"{each.id} has no test and is not planned: {each.text}")
        elif each.planned not in issues:
            faults.append(f"{each.id} is planned for an unknown issue: {each.planned}")
        elif each.planned in done:
            faults.append(f"{each.id} is still planned for an issue that is done: {each.planned}")
    return faults


def test_every_requirement_is_shown_or_planned_and_every_mark_names_one() -> None:
    links, strays = find_links(TESTS)

    faults = find_faults(REQUIREMENTS, links, ISSUES, DONE_ISSUES)

    assert strays == [], "marks that are not on a test, or whose ids are not written out"
    assert faults == []


def test_the_registry_holds_the_whole_architecture() -> None:
    by_family = {
        family: [id for id in REQUIREMENTS if id.startswith(f"{family}.")]
        for family in ("arch", "phase", "invariant")
    }

    assert set(by_family["arch"]) == {f"arch.{number}" for number in range(1, 21)}
    assert set(by_family["invariant"]) == {f"invariant.{number}" for number in range(1, 12)}
    assert {id.split(".")[1] for id in by_family["phase"]} == {"1", "2", "3", "4", "5"}
    assert len(by_family["phase"]) == 36


def test_a_planted_requirement_without_a_test_is_found() -> None:
    planted = {"arch.21": Requirement("arch.21", "Nobody shows this.")}

    faults = find_faults(planted, {}, ISSUES, set())

    assert faults == ["arch.21 has no test and is not planned: Nobody shows this."]


def test_a_requirement_planned_for_a_done_or_an_unknown_issue_is_found() -> None:
    planted = {
        "a.1": Requirement("a.1", "Late.", planned="done"),
        "a.2": Requirement("a.2", "Lost.", planned="unknown"),
    }

    faults = find_faults(planted, {"a.1": ["t"], "a.2": ["t"]}, {"done"}, {"done"})

    assert faults == [
        "a.1 is still planned for an issue that is done: done",
        "a.2 is planned for an unknown issue: unknown",
    ]


@pytest.mark.parametrize(
    "mark",
    ['@requirement("arch.99")', '@pytest.mark.requirement("arch.99")'],
)
def test_a_planted_mark_with_an_unknown_id_is_found(tmp_path: Path, mark: str) -> None:
    _write(tmp_path / "test_planted.py", f"{mark}\nasync def test_it(): ...")

    links, strays = find_links(tmp_path)

    assert strays == []
    assert find_faults({}, links, set(), set()) == [
        "arch.99 is not a requirement, but is named by test_planted.py::test_it"
    ]


def test_marks_on_classes_methods_and_whole_modules_count(tmp_path: Path) -> None:
    _write(
        tmp_path / "test_planted.py",
        """
        pytestmark = [pytest.mark.slow, requirement("a.1")]
        @requirement("a.2")
        class TestIt:
            @requirement("a.3", "a.4")
            def test_it(self): ...
        """,
    )

    links, strays = find_links(tmp_path)

    assert strays == []
    assert links == {
        "a.1": ["test_planted.py::pytestmark"],
        "a.2": ["test_planted.py::TestIt"],
        "a.3": ["test_planted.py::TestIt::test_it"],
        "a.4": ["test_planted.py::TestIt::test_it"],
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("test_planted.py", '@requirement("a.1")\ndef check_it(): ...'),
        ("conftest.py", '@requirement("a.1")\ndef test_it(): ...'),
        ("test_planted.py", "@requirement(ID)\ndef test_it(): ..."),
        ("test_planted.py", "@requirement()\ndef test_it(): ..."),
    ],
    ids=["not a test", "not a test file", "not written out", "empty"],
)
def test_a_mark_that_shows_nothing_is_found(tmp_path: Path, name: str, text: str) -> None:
    _write(tmp_path / name, text)

    _, strays = find_links(tmp_path)

    assert strays == [f"{name}:1"]


def _write(path: Path, text: str) -> None:
    lines = text.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    path.write_text("\n".join(line[indent:] for line in lines), encoding="utf-8")
