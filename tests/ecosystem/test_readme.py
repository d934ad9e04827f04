"""The tours of both README files, run as they stand: what they show is what one sees."""

import re
import socket
import subprocess
from pathlib import Path

import pytest

from tests.ecosystem.driver import BIN, Ecosystem

ROOT = Path(__file__).parents[2]
_STEP = re.compile(r"^\$ (.+)$", re.MULTILINE)
_FILE = re.compile(r"`([\w.]+\.yaml)`[^`]*```yaml\n(.*?)```", re.DOTALL)
_NOISE = (
    (re.compile(r"\b[a-z]{3}_[0-9a-z]{20,}\b"), "ID"),
    (re.compile(r"just now|\d+ s ago|только что|\d+ с назад"), "AGO"),
    (re.compile(r"\b\d\d:\d\d(:\d\d)?\b"), "TIME"),
    (re.compile(r"\d+(\.\d+)? ?(s|ms|с|мс)\b"), "SPAN"),
    (re.compile(r"\b\d+ (seconds?|секунд[уы]?)"), "SPAN"),
    (re.compile(r"\b(pid) \d+"), "pid N"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "DATE"),
    (re.compile(r"\d+(\.\d+)? GiB"), "SIZE"),
    (re.compile(r"\d+% sure|уверенность \d+%"), "SURE"),
    (re.compile(r"[ \t]+"), " "),
)


def section(readme: Path, heading: str) -> str:
    """What stands below a heading."""
    return readme.read_text("utf-8").split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def tour(text: str) -> list[tuple[str, str]]:
    """The commands of a section with the output shown below each."""
    steps: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        pieces = _STEP.split(block)
        steps += list(zip(pieces[1::2], [text.strip("\n") for text in pieces[2::2]], strict=True))
    return steps


def quiet(text: str, home: Path) -> str:
    """The text without what differs from one run to the next."""
    text = text.replace(str(home), "HOME").replace("~/.local/state/ecosystem", "HOME")
    text = text.replace(socket.gethostname(), "homesrv").replace(str(BIN), ".venv/bin")
    for pattern, word in _NOISE:
        text = pattern.sub(word, text)
    return "\n".join(line.strip() for line in text.strip().splitlines())


def perform(command: str, ecosystem: Ecosystem) -> str:
    """Run one line of a tour as the person's shell would."""
    command = command.replace("make up", ".venv/bin/ecosystem up")
    command = command.replace("make down", ".venv/bin/ecosystem down")
    command = command.replace(".venv/bin", str(BIN))
    command = command.replace("~/.local/state/ecosystem", str(ecosystem.home))
    done = subprocess.run(
        ["bash", "-c", command],
        env=ecosystem.environment,
        cwd=ecosystem.home.parent,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("readme", "heading"), [("README.md", "Five minutes"), ("README.ru.md", "Пять минут")]
)
def test_the_tour_shows_what_one_sees(fresh: Ecosystem, readme: str, heading: str) -> None:
    if readme == "README.ru.md":
        fresh.environment["LANG"] = "ru_RU.UTF-8"
    told = section(ROOT / readme, heading)
    steps = tour(told)
    for name, content in _FILE.findall(told):
        (fresh.home.parent / name).write_text(content, encoding="utf-8")

    seen = [(command, perform(command, fresh)) for command, _ in steps]

    assert len(steps) > 12
    assert [(command, quiet(text, fresh.home)) for command, text in seen] == [
        (command, quiet(text, fresh.home)) for command, text in steps
    ]
