"""The files of the project: short, named for what they hold, and introduced by a sentence."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "bench")
LONGEST = 400
EMPTY_NAMES = frozenset({"base", "common", "helpers", "manager", "misc", "utils"})


def find_faults(root: Path) -> list[str]:
    """List what is wrong with the Python files of a tree.

    Args:
        root: the folder that holds `src`, `tests` and `bench`, as far as they exist.
    """
    return [
        f"{path.relative_to(root)} {fault}"
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*.py"))
        for fault in _faults_of(path)
    ]


def _faults_of(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if (length := len(text.splitlines())) > LONGEST:
        yield f"has {length} lines; {LONGEST} are allowed"
    if {path.stem, path.parent.name} & EMPTY_NAMES:
        yield "has a name that says nothing of what it holds"
    docstring = ast.get_docstring(ast.parse(text))
    if docstring is None:
        yield "has no docstring"
    elif not docstring.split("\n\n")[0].rstrip().endswith("."):
        yield "has a docstring whose first sentence does not end with a full stop"


def test_every_file_is_short_well_named_and_introduced() -> None:
    assert find_faults(ROOT) == []


def test_a_planted_file_that_is_too_long_is_found(tmp_path: Path) -> None:
    _plant(tmp_path / "src/nexus/long.py", '"""Goes on."""\n' + "x = 1\n" * LONGEST)
    _plant(tmp_path / "src/nexus/short.py", '"""Ends in time."""\n' + "x = 1\n" * (LONGEST - 1))

    assert find_faults(tmp_path) == ["src/nexus/long.py has 401 lines; 400 are allowed"]


def test_a_planted_name_that_says_nothing_is_found(tmp_path: Path) -> None:
    _plant(tmp_path / "bench/helpers.py", '"""Helps."""\n')
    _plant(tmp_path / "src/kit/utils/text.py", '"""Is of use."""\n')

    assert find_faults(tmp_path) == [
        "src/kit/utils/text.py has a name that says nothing of what it holds",
        "bench/helpers.py has a name that says nothing of what it holds",
    ]


def test_a_planted_file_without_a_whole_first_sentence_is_found(tmp_path: Path) -> None:
    _plant(tmp_path / "tests/test_a.py", "")
    _plant(tmp_path / "tests/test_b.py", '"""No stop"""\n')
    _plant(tmp_path / "tests/test_c.py", '"""Two lines make\none sentence.\n\nMore\n"""\n')

    assert find_faults(tmp_path) == [
        "tests/test_a.py has no docstring",
        "tests/test_b.py has a docstring whose first sentence does not end with a full stop",
    ]


def _plant(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
