"""Panes of a real tmux are watched for programs that wait at a prompt."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from kit.errors import Unavailable
from kit.testing import FrozenClock
from praxis.contract.agent_looks import PaneLook
from praxis.dialects.agents import SEEN
from praxis.sources import Reading
from praxis.sources.pane_prompts import shown_on
from praxis.sources.panes import PaneSource

MENU = """\
╭──────────────────────────────────────────────────╮
│ Bash command                                     │
│   rm -rf node_modules                            │
│ Do you want to proceed?                          │
│ ❯ 1. Yes                                         │
│   2. Yes, and don't ask again for rm commands    │
│   3. No, and tell Claude what to do differently  │
╰──────────────────────────────────────────────────╯
"""
BANNER = " ⎿  Invalid API key · Please run /login\n\n"
_MOST_LOOKS = 300


@pytest.mark.parametrize(
    ("screen", "program", "agent"),
    [
        (MENU, "claude", "Claude Code"),
        ("Allow?\n› 1. Yes\n  3. No, and tell Codex what to do differently\n", "node", "Codex"),
        ("Apply?\n● 1. Yes, allow once\n  2. No (esc)\n", "node", "Gemini"),
        ("Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: \n\n", "python", "aider"),
        ("Add file to the chat? (Y)es/(N)o [Yes]:", "python", "aider"),
        ("Do you want to continue? [Y/n] ", "apt", "apt"),
        ("Хотите продолжить? [Д/н] ", "apt", "apt"),
        ("Overwrite (yes/no)?", "bash", "bash"),
    ],
)
def test_a_prompt_is_known_by_its_words(screen: str, program: str, agent: str) -> None:
    shown = shown_on(screen, program)

    assert shown is not None
    assert (shown.agent, shown.is_broken) == (agent, False)


def test_what_is_asked_stands_above_the_choice() -> None:
    shown = shown_on(MENU, "claude")

    assert shown is not None
    assert "rm -rf node_modules" in shown.text
    assert "─" not in shown.text


@pytest.mark.parametrize(
    ("screen", "program"),
    [
        ("", "claude"),
        ("Run shell command? (Y)es/(N)o [Yes]: y\n> ls\n", "python"),
        ("Continue? [Y/n] y\nUnpacking…\n", "apt"),
        ("It looks for «No, and tell Claude what to do differently».\n> ", "claude"),
        (MENU, "less"),
        ("curl: 401 Unauthorized\n$ ", "bash"),
    ],
)
def test_what_is_over_or_only_spoken_of_is_no_prompt(screen: str, program: str) -> None:
    assert shown_on(screen, program) is None


def test_a_prompt_drawn_below_a_refused_login_waits_for_nobody() -> None:
    shown = shown_on(BANNER + MENU, "claude")

    assert shown is not None
    assert shown.is_broken
    assert "Please run /login" in shown.text


class Tmux:
    """A server of tmux of its own, where nobody else's configuration counts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(self, *arguments: str) -> None:
        command = ["tmux", "-L", "praxis", "-f", "/dev/null", *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=20)

    def start(self, script: str) -> None:
        """A session in which a shell runs a script."""
        path = self._folder / "script"
        path.write_text(script, encoding="utf-8")
        command = f"exec sh {path}"
        self.run("new-session", "-d", "-x", "100", "-y", "30", "-s", "work", command)

    def keep_dead_panes(self) -> None:
        self.run("set-option", "-g", "remain-on-exit", "on")

    def type(self, *keys: str) -> None:
        self.run("send-keys", "-t", "work", *keys)

    def notice_ends(self) -> None:
        """Have it look which programs have ended, which it does when one ends, and may miss."""
        self.run("run-shell", "true")

    def end(self) -> None:
        command = ["tmux", "-L", "praxis", "kill-server"]
        subprocess.run(command, check=False, capture_output=True, timeout=20)


@pytest.fixture
def tmux(monkeypatch: pytest.MonkeyPatch) -> Generator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed (apt install tmux)")
    with tempfile.TemporaryDirectory(prefix="eco", dir="/tmp") as name:
        monkeypatch.setenv("TMUX_TMPDIR", name)
        monkeypatch.delenv("TMUX", raising=False)
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        server = Tmux(Path(name))
        yield server
        server.end()


def watching(still: int = 2) -> PaneSource:
    return PaneSource(PaneLook(socket="praxis", still=still), FrozenClock())


async def until(
    source: PaneSource, kind: str, prepare: Callable[[], None] = lambda: None
) -> Reading:
    """Look until something is told that is not that a pane works, and that must be it."""
    for _ in range(_MOST_LOOKS):
        prepare()
        for reading in await source.poll():
            if reading.details.get("ended") == "unknown":
                continue
            if reading.kind == kind:
                return reading
            assert reading.kind == "agent.working", reading
    raise AssertionError(f"{kind} was not told")


WAITS = "printf 'Выложить на сервер? [y/N] '; read answer; echo \"$answer\"; exec cat"


async def test_a_pane_that_waits_is_told_with_its_question_and_an_answer_ends_it(
    tmux: Tmux,
) -> None:
    tmux.start(WAITS)
    source = watching()

    waits = await until(source, "agent.waiting")
    assert waits.state == "waiting"
    assert waits.details["question"] == "Выложить на сервер? [y/N]"
    assert waits.weight == SEEN
    assert await source.poll() == []

    tmux.type("y", "Enter")
    works = await until(source, "agent.working")
    assert (works.key, works.state) == (waits.key, "ok")


async def test_a_screen_counts_once_it_has_stood_still(tmux: Tmux) -> None:
    tmux.start(WAITS)
    await until(watching(still=1), "agent.waiting")
    source = watching(still=3)

    assert [await source.poll(), await source.poll()] == [[], []]
    assert [each.kind for each in await source.poll()] == ["agent.waiting"]


async def test_a_pane_that_goes_away_ends_what_it_waited_for(tmux: Tmux) -> None:
    tmux.start(WAITS)
    source = watching()
    waits = await until(source, "agent.waiting")

    tmux.end()
    ended = await until(source, "agent.ended")
    assert (ended.key, ended.state) == (waits.key, "ok")
    assert await source.poll() == []


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        ("exit 0", "agent.ended"),
        ("exit 3", "agent.failed"),
        ("kill -TERM $$", "agent.ended"),
        ("kill -SEGV $$", "agent.failed"),
    ],
)
async def test_a_program_whose_pane_is_kept_has_ended_or_failed_by_how_it_ended(
    tmux: Tmux, end: str, kind: str
) -> None:
    tmux.start(f"ulimit -c 0; printf 'Go on? [y/N] '; read answer; {end}")
    tmux.keep_dead_panes()
    source = watching()
    await until(source, "agent.waiting")

    tmux.type("y", "Enter")
    told = await until(source, kind, tmux.notice_ends)
    assert told.state == ("problem" if kind == "agent.failed" else "ok")


async def test_a_program_that_was_logged_out_has_failed_though_it_shows_a_prompt(
    tmux: Tmux,
) -> None:
    tmux.start(f"cat <<'END'\n{BANNER}{MENU}END\nexec sleep 600")

    failed = await until(watching(), "agent.failed")
    assert (failed.state, failed.details["reason"]) == ("problem", "logged_out")


async def test_without_a_server_there_is_no_pane_and_nothing_waits(tmux: Tmux) -> None:
    assert await watching().poll() == []


async def test_without_tmux_nothing_can_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")

    with pytest.raises(Unavailable):
        await watching().poll()
