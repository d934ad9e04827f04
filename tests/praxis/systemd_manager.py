"""A real systemd user manager and journal in a mount namespace of their own, where root may.

`systemd --user` starts only where `/run/systemd/system` exists, and PID 1 of a test machine may be
another program: so a folder that has it lies over `/run/systemd`, for this manager alone.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

_PROGRAMS = ("unshare", "nsenter", "setsid", "systemctl", "journalctl", "dbus-daemon")
_SYSTEMD = Path("/lib/systemd/systemd")
_JOURNALD = Path("/lib/systemd/systemd-journald")
_CGROUPS = Path("/sys/fs/cgroup")
_START_S = 30.0
_NAMESPACE = """
set -e
mount --make-rprivate /
mount --bind "$1/run" /run/systemd
mkdir -p /run/log/journal
mount -t tmpfs tmpfs /run/log/journal
if [ -d /var/log/journal ]; then mount -t tmpfs tmpfs /var/log/journal; fi
NOTIFY_SOCKET="$1/ready" exec "$2"
"""
_USER = """
set -e
# A manager moves all that is in its control group: it must be alone there, or not start at all.
entered=
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
    if [ -e "$hierarchy/cgroup.procs" ]; then
        mkdir "$hierarchy/$3"
        echo $$ >"$hierarchy/$3/cgroup.procs"
        entered=yes
    fi
done
[ "$entered" ]
exec env -i HOME="$1" PATH="$PATH" LC_ALL=C.UTF-8 XDG_RUNTIME_DIR="$1/user" \\
    XDG_CONFIG_HOME="$1/config" NOTIFY_SOCKET="$1/ready" SYSTEMD_LOG_TARGET=journal "$2" --user
"""


class SystemdManager:
    """A running manager; what speaks to it needs its `environment`."""

    def __init__(self, folder: Path, journal: int) -> None:
        self._folder = folder
        self.environment = {"XDG_RUNTIME_DIR": str(folder / "user")}
        self._inside = ("nsenter", "--mount", f"--target={journal}")
        self.journalctl = (*self._inside, "journalctl")
        """The journal is in the namespace too."""

    def write_unit(self, name: str, text: str) -> None:
        """Declare a unit."""
        (self._folder / "user" / "systemd" / "user" / name).write_text(text, encoding="utf-8")
        self.systemctl("daemon-reload")

    def write_journal(self, **fields: str) -> None:
        """Write an entry as any program may."""
        text = "".join(f"{name}={value}\n" for name, value in fields.items())
        subprocess.run([*self._inside, "logger", "--journald"], input=text.encode(), check=True)

    def systemctl(self, *arguments: str) -> str:
        """What `systemctl --user` prints; that it succeeds is not asked for."""
        done = subprocess.run(
            ["systemctl", "--user", "--no-pager", *arguments],
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.stdout


@contextmanager
def systemd_manager(folder: Path) -> Generator[SystemdManager]:
    """Run a manager for the block; skip the test where that is not possible.

    Args:
        folder: an empty folder with a path short enough for sockets.
    """
    missing = _missing()
    if missing:
        pytest.skip(missing)
    for name in ("run/system", "run/journal", "user/systemd/user", "config"):
        (folder / name).mkdir(parents=True, mode=0o700)
    group = f"eco-{folder.name}"
    script = ["bash", "-c", _NAMESPACE, "bash", str(folder), str(_JOURNALD)]
    with _running(["unshare", "--mount", *script], folder) as journal:
        script = ["bash", "-c", _USER, "bash", str(folder), str(_SYSTEMD), group]
        inside = ["nsenter", "--mount", f"--target={journal}", "setsid", *script]
        try:
            with _running(inside, folder):
                yield SystemdManager(folder, journal)
        finally:
            for left in _CGROUPS.glob(f"**/{group}"):
                _remove_group(left)


def _missing() -> str:
    """Why no manager can run here; empty where one can."""
    if os.geteuid() != 0:
        return "a systemd manager of its own needs root"
    absent = [name for name in _PROGRAMS if shutil.which(name) is None]
    absent += [str(path) for path in (_SYSTEMD, _JOURNALD) if not path.exists()]
    if absent:
        return f"a systemd manager needs {', '.join(absent)}"
    done = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return "" if done.returncode == 0 else "mount namespaces are not allowed here"


@contextmanager
def _running(command: list[str], folder: Path) -> Generator[int]:
    """Run a program from the moment it says that it is ready."""
    # Closed at once after that: nobody reads on, and a full socket would hold up the program.
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.bind(str(folder / "ready"))
        ready.settimeout(_START_S)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            while b"READY=1" not in ready.recv(4096).split(b"\n"):
                pass
        except TimeoutError:
            process.kill()
            pytest.fail(f"{command} does not start: {process.communicate()[1]!r}")
    (folder / "ready").unlink()
    try:
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.communicate()


def _remove_group(path: Path) -> None:
    """Remove a control group, and end what the manager has left in it."""
    for inner in path.iterdir():
        if inner.is_dir():
            _remove_group(inner)
    for left in (path / "cgroup.procs").read_text("ascii").split():
        with suppress(ProcessLookupError):
            os.kill(int(left), signal.SIGKILL)
    with suppress(OSError):
        path.rmdir()
