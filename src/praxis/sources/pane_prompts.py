"""What on a screen shows that a program waits for a person, or cannot go on: one table."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LAST_LINES = 25
"""Lines from the end of a screen that are looked at; what stands above is past."""
_LONGEST_QUESTION = 5
"""Lines above a choice that belong to the question."""
_SHELLS = frozenset({"bash", "dash", "fish", "ksh", "nu", "pwsh", "sh", "ssh", "tcsh", "zsh"})
"""Their screens keep what programs have left behind that are long over."""
_READERS = frozenset(
    {"cat", "htop", "journalctl", "less", "man", "more", "most", "tail", "top"}
) | {*("emacs", "nano", "nvim", "vi", "vim", "watch")}
"""Their screens show what somebody reads."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """How a program asks."""

    agent: str
    asks: re.Pattern[str]
    at_the_end: bool = False
    """It counts in the last line alone."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a screen shows of a program that does not go on."""

    agent: str
    text: str
    is_broken: bool = False


_CHOICE = r"^(?:[^\w\s]\s*)?(?:\d+[.)]\s*)?"
"""How a line of a menu begins; text that speaks of a menu begins otherwise."""
PROMPTS = (
    Prompt("Claude Code", re.compile(_CHOICE + "No, and tell Claude what to do differently")),
    Prompt("Codex", re.compile(_CHOICE + "No, and tell Codex what to do differently")),
    Prompt("Gemini", re.compile(_CHOICE + "Yes, allow once")),
    Prompt(
        "aider",
        re.compile(r"\(Y\)es/\(N\)o(?:/\([A-Z]\)[\w' ]+)*(?:\s*\[\w+\])?\s*:?$"),
        at_the_end=True,
    ),
    Prompt(
        "",
        re.compile(r"[\[(](?:y(?:es)?/n(?:o)?|д(?:а)?/н(?:ет)?)[\])]\s*[:?]?$", re.IGNORECASE),
        at_the_end=True,
    ),
)
"""The first that matches counts; without an agent it may be any program."""

_LOGGED_OUT = re.compile(
    r"""
      Please\ run\ /login | Invalid\ API\ key | API\ key\ (?:is\ )?(?:invalid|expired|not\ valid)
    | OAuth\ token\ (?:has\ )?(?:expired|been\ revoked) | authentication_error
    | 401\ Unauthorized | Not\ logged\ in | Credit\ balance\ is\ too\ low
    | session\ has\ expired.*log\ in
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FRAME = re.compile(r"[\u2500-\u257f|]+")
"""The lines that boxes are drawn with."""


def shown_on(screen: str, program: str) -> Shown | None:
    """What a screen shows of a program that does not go on; None where it shows nothing of it.

    Args:
        screen: its text.
        program: the name of what runs in the foreground.
    """
    framed = [_FRAME.sub(" ", each).strip() for each in screen.splitlines()]
    lines = [each for each in framed if each][-_LAST_LINES:]
    if program in _READERS:
        return None
    if program not in _SHELLS:
        for line in reversed(lines):
            if _LOGGED_OUT.search(line):
                return Shown(program, line, is_broken=True)
    for prompt in PROMPTS:
        for index in range(len(lines) - 1, -1, -1):
            if prompt.asks.search(lines[index]):
                return Shown(prompt.agent or program, _question(lines, index))
            if prompt.at_the_end:
                break
    return None


def _question(lines: list[str], index: int) -> str:
    """What is asked: the choice, and the lines right above it."""
    return "\n".join(lines[max(0, index - _LONGEST_QUESTION) : index + 1])
