"""What the documents say is so: links lead somewhere, commands exist, generated pages hold."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

from ecosystem.reference import SETTINGS, commands, pages
from kit.settings import load
from nexus.contract import ApplyCatalog
from tests.requirements import REQUIREMENTS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "config" / "ecosystem.example.toml"
CATALOG = ROOT / "config" / "entities.example.toml"
ELSEWHERE = frozenset(
    {
        "echo",
        "apt-get",
        "cat",
        "cd",
        "chmod",
        "cp",
        "curl",
        "export",
        "git",
        "kill",
        "ls",
        "openssl",
        "sed",
        "sleep",
    }
)
"""Programs of the system that console blocks may call."""

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_SPAN = re.compile(r"`([^`\n]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_REQUIREMENT = re.compile(r"\b(?:arch|invariant|phase)\.\d[\w.-]*\b")


def documents(root: Path) -> dict[Path, str]:
    """Every Markdown file of the project, with its text."""
    paths = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    return {path: path.read_text(encoding="utf-8") for path in sorted(paths)}


def prose_of(text: str) -> str:
    """The text without its fenced blocks."""
    return _FENCE.sub("", text)


def broken_links(root: Path) -> list[str]:
    """Links between files of the project that lead nowhere."""
    texts = documents(root)
    faults: list[str] = []
    for path, text in texts.items():
        for target in _LINK.findall(prose_of(text)):
            if re.match(r"https?://", target):
                continue
            name, _, anchor = target.partition("#")
            there = (path.parent / name).resolve() if name else path
            if not there.exists():
                faults.append(f"{path.relative_to(root)}: {target}")
            elif anchor and anchor not in anchors_of(texts.get(there, "")):
                faults.append(f"{path.relative_to(root)}: {target} has no such heading")
    return faults


def anchors_of(text: str) -> set[str]:
    """The anchors that a Markdown page gets from its headings."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in _HEADING.findall(prose_of(text))
    }


def typed_in(text: str) -> Iterator[str]:
    """The command lines of the console blocks, joined where they go on; assignments left out."""
    for language, block in _FENCE.findall(text):
        if language == "console":
            for line in block.replace("\\\n", " ").splitlines():
                if line[:2] in {"$ ", "# "} and not re.match(r"[A-Z_]+=\$\(", line[2:]):
                    yield line[2:]


def wrong_commands(root: Path) -> list[str]:
    """Command lines in console blocks that would be refused as they stand."""
    installed, targets = commands(), targets_of(ROOT / "Makefile")
    return [
        f"{path.relative_to(root)}: {line}: {fault}"
        for path, text in documents(root).items()
        for line in typed_in(text)
        for words in pieces_of(line)
        if (fault := fault_of(words, installed, targets)) is not None
    ]


def pieces_of(line: str) -> Iterator[list[str]]:
    """The commands of a line, each as its words, without variables before and files after them."""
    piece: list[str] = []
    for word in [*shlex.split(re.sub(r" > \S+", "", line), comments=True), "&&"]:
        if word in {"&&", "|", ";", "&"}:
            yield piece
            piece = []
        elif piece or not re.match(r"[A-Z_]+=", word):
            piece.append(word)


def fault_of(
    words: list[str], installed: dict[str, click.Command], targets: set[str]
) -> str | None:
    """What is wrong with one command."""
    if not words:
        return None
    name, *arguments = words
    program = name.removeprefix(".venv/bin/")
    if program == "make":
        goals = [word for word in arguments if "=" not in word and word[:1] != "-"]
        return next((f"there is no target {goal}" for goal in goals if goal not in targets), None)
    if program in installed:
        return refusal_of(installed[program], program, arguments)
    if program == "python" and arguments[:1] == ["-m"]:
        return None if find_spec(arguments[1]) else f"there is no module {arguments[1]}"
    tool = (ROOT / ".venv" / "bin" / program).exists() or (ROOT / name).exists()
    return None if program in ELSEWHERE or tool else f"{program} is not known"


def refusal_of(
    command: click.Command,
    name: str,
    arguments: list[str],
    parent: click.Context | None = None,
) -> str | None:
    """What the command says against these arguments; nothing is run."""
    if isinstance(command, click.Group):
        context = click.Context(command, parent, info_name=name)
        below = command.get_command(context, arguments[0]) if arguments else None
        if below is None:
            return f"{name} has no command {arguments[:1]}"
        return refusal_of(below, arguments[0], arguments[1:], context)
    try:
        command.make_context(name, list(arguments), parent)
    except click.ClickException as error:
        return error.format_message()
    except click.exceptions.Exit:
        return None
    return None


def targets_of(makefile: Path) -> set[str]:
    """The targets a Makefile declares as such."""
    declared = re.search(r"^\.PHONY: (.+)$", makefile.read_text(encoding="utf-8"), re.MULTILINE)
    assert declared is not None
    return set(declared[1].split())


def wrong_spans(root: Path) -> list[str]:
    """Targets and commands that the prose names and that do not exist."""
    installed, targets = commands(), targets_of(ROOT / "Makefile")
    faults: list[str] = []
    for path, text in documents(root).items():
        for span in _SPAN.findall(prose_of(text)):
            program, _, rest = span.partition(" ")
            goal = re.match(r"[a-z][a-z-]*", rest)
            command = installed.get(program)
            if goal is None:
                continue
            if program == "make" and goal[0] not in targets:
                faults.append(f"{path.relative_to(root)}: {span}")
            if isinstance(command, click.Group):
                context = click.Context(command, info_name=program)
                if command.get_command(context, goal[0]) is None:
                    faults.append(f"{path.relative_to(root)}: {span}")
    return faults


@pytest.mark.parametrize("name", pages())
def test_what_is_made_from_the_code_is_current(name: str) -> None:
    made = pages()[name]

    kept = (ROOT / name).read_text(encoding="utf-8")

    assert kept == made, "run `make docs`"


def test_every_link_between_documents_leads_somewhere() -> None:
    assert broken_links(ROOT) == []


def test_every_command_in_a_console_block_is_one() -> None:
    assert wrong_commands(ROOT) == []


def test_every_target_and_command_that_the_prose_names_exists() -> None:
    assert wrong_spans(ROOT) == []


def test_every_requirement_that_a_document_names_exists() -> None:
    named = {id for text in documents(ROOT).values() for id in _REQUIREMENT.findall(text)}

    assert named - REQUIREMENTS.keys() == set()


@pytest.mark.parametrize("section", SETTINGS)
def test_the_example_of_the_settings_holds_the_defaults_and_nothing_else(
    tmp_path: Path, section: str
) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "ecosystem.toml").write_text(EXAMPLE.read_text("utf-8"), "utf-8")

    loaded = load(SETTINGS[section], section, {"ECOSYSTEM_HOME": str(tmp_path)})

    assert loaded == SETTINGS[section]()
    assert set(tomllib.loads(EXAMPLE.read_text("utf-8"))) == set(SETTINGS)


def test_every_environment_variable_that_the_code_reads_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "environment.md").read_text(encoding="utf-8")
    read = re.compile(r"environ(?:ment)?(?:\.get\(|\[)\"([A-Z_]+)\"")
    names = {
        name
        for path in (ROOT / "src").rglob("*.py")
        for name in read.findall(path.read_text(encoding="utf-8"))
    }

    assert {name for name in names if f"`{name}`" not in page} == set()


def test_every_dependency_is_recorded_with_its_job() -> None:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = project["dependency-groups"]
    asked = {
        "0010-runtime-dependencies.md": project["project"]["dependencies"],
        "0011-development-dependencies.md": groups["build"] + groups["dev"],
    }

    for name, requirements in asked.items():
        text = (ROOT / "docs" / "decisions" / name).read_text("utf-8")
        recorded = set(re.findall(r"^\| ([\w-]+) \| (?!job)", text, re.MULTILINE))
        assert recorded == {re.split(r"[<>=~!;\[ ]", each)[0] for each in requirements}


def test_the_example_of_a_catalog_can_be_applied() -> None:
    document = tomllib.loads(CATALOG.read_text("utf-8"))

    catalog = msgspec.convert(document, ApplyCatalog)

    assert len({entry.key for entry in catalog.entries}) == len(catalog.entries)


def test_planted_faults_are_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(
        "# Top\n[gone](docs/gone.md) [top](#top) [low](#low) `make tea` `nexus dream`\n"
        "```console\n$ make coffee\n$ nexus resolve\n$ ecosystem up --loudly\n$ rmdir x\n```\n",
        encoding="utf-8",
    )

    assert broken_links(tmp_path) == [
        "README.md: docs/gone.md",
        "README.md: #low has no such heading",
    ]
    assert wrong_spans(tmp_path) == ["README.md: make tea", "README.md: nexus dream"]
    assert [fault.split(": ")[1] for fault in wrong_commands(tmp_path)] == [
        "make coffee",
        "nexus resolve",
        "ecosystem up --loudly",
        "rmdir x",
    ]
