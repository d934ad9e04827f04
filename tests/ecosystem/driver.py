"""Drive a whole ecosystem on real processes as a person does: by its commands."""

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

from kit.auth import Secret

BIN = Path(sys.executable).parent
T = TypeVar("T")


def eventually(look: Callable[[], T | None], within_s: float, what: str) -> T:
    """The first thing that `look` finds, waited for within a bound."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    pytest.fail(f"not within {within_s} s: {what}")


def living(pids: list[int]) -> list[int]:
    """Those of the processes that run; one that ended and was not waited for does not."""
    return [
        pid
        for pid in pids
        if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    ]


class Chat:
    """An open `maven chat` in a pipe."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [BIN / "maven", "chat", "--wait-s", "60"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
        )
        self.heard: list[str] = []
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def say(self, text: str) -> None:
        """Type a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()

    def hear(self, pattern: str, within_s: float = 20.0) -> str:
        """The next line that matches, asked for or not."""
        deadline = time.monotonic() + within_s
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            self.heard.append(line)
            if re.search(pattern, line, re.IGNORECASE):
                return line
        pytest.fail(f"not heard within {within_s} s: {pattern!r}; heard {self.heard}")

    def close(self) -> None:
        """Leave."""
        self._process.kill()
        self._process.communicate()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))


class Ecosystem:
    """One ecosystem in a folder of its own."""

    def __init__(self, home: Path, **settings: str) -> None:
        self.home = home
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith("ECOSYSTEM_")
        }
        self.environment = inherited | {
            "ECOSYSTEM_HOME": str(home),
            "ECOSYSTEM_RESTART_ON_CRASH": "false",
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            **settings,
        }
        self.owner = ""
        """The person it belongs to, once it is up."""
        self.secrets: dict[str, Secret] = {}
        """The credential of each program, once it is up."""
        self._chats: list[Chat] = []

    def run(self, *command: str, timeout_s: float = 90.0) -> subprocess.CompletedProcess[str]:
        """Run one of the project's commands."""
        return subprocess.run(
            [BIN / command[0], *command[1:]],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def up(self) -> str:
        """`ecosystem up`; what it printed."""
        done = self.run("ecosystem", "up")
        assert done.returncode == 0, done.stdout + done.stderr + self.logs()
        self.owner = (self.home / "config" / "owner").read_text().strip()
        self.secrets = {
            path.name: Secret.load(path) for path in (self.home / "credentials").iterdir()
        }
        return done.stdout

    def down(self) -> str:
        """`ecosystem down`; what it printed."""
        for chat in self._chats:
            chat.close()
        done = self.run("ecosystem", "down")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def ask(self, text: str, *options: str) -> str:
        """`maven ask`; the answer."""
        done = self.run("maven", "ask", *options, text)
        assert done.returncode == 0, f"{done.stdout}{done.stderr}\n{self.logs()}"
        return done.stdout.strip()

    def chat(self) -> Chat:
        """Open a chat."""
        chat = Chat(self.environment)
        self._chats.append(chat)
        return chat

    def pid(self, program: str) -> int:
        """The process of a program, by the supervisor's word; 0 when there is none."""
        done = subprocess.run(
            [
                BIN / "supervisorctl",
                "-c",
                self.home / "config" / "supervisord.conf",
                "pid",
                program,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        text = done.stdout.strip()
        return int(text) if text.isdigit() else 0

    def kill(self, program: str) -> None:
        """End a program's process as a crash would."""
        pid = self.pid(program)
        assert pid > 0, f"{program} does not run"
        os.kill(pid, signal.SIGKILL)

    def supervisor(self, *command: str) -> str:
        """A word to the supervisor's own command."""
        done = subprocess.run(
            [BIN / "supervisorctl", "-c", self.home / "config" / "supervisord.conf", *command],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    def logs(self) -> str:
        """The end of every log, for a failing test."""
        return "\n".join(
            f"--- {path.name}\n{path.read_text()[-1500:]}"
            for path in sorted((self.home / "log").glob("*.log"))
        )
