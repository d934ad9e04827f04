"""A PostgreSQL cluster of one's own, on a Unix socket in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

BINARIES = Path("/usr/lib/postgresql")
PATIENCE_S = 30.0


def binaries() -> Path | None:
    """Where Debian puts PostgreSQL's programs; None where it is not installed."""
    found = sorted(BINARIES.glob("*/bin/postgres"))
    return found[-1].parent if found else None


class Cluster:
    """Started and stopped by its process; it never runs as root."""

    def __init__(self, folder: Path) -> None:
        programs = binaries()
        if programs is None:
            raise FileNotFoundError("PostgreSQL is needed: apt-get install postgresql")
        self._programs = programs
        self._user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        # Its own folder right below /tmp: the path of a socket is short, and its user may go there.
        self._folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
        if os.geteuid() == 0:
            shutil.chown(self._folder, self._user)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> str:
        """Make and start it; how to connect."""
        data = self._folder / "data"
        as_user = self._user if os.geteuid() == 0 else None
        subprocess.run(
            [self._programs / "initdb", "--pgdata", data, "--auth=trust", "--encoding=UTF8",
             "--locale=C.UTF-8", "--username=bench", "--no-sync"],
            check=True, user=as_user, cwd=self._folder, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        self._process = subprocess.Popen(
            [self._programs / "postgres", "-D", data, "-k", self._folder, "-c", "listen_addresses=",
             "-c", "shared_buffers=256MB", "-c", "maintenance_work_mem=256MB", "-c", "fsync=off",
             "-c", "unix_socket_permissions=0700"],
            user=as_user, cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + PATIENCE_S
        ready = [self._programs / "pg_isready", "-q", "-h", self._folder]
        while subprocess.run(ready, check=False).returncode:
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise TimeoutError("PostgreSQL did not start.")
            time.sleep(0.05)
        return f"host={self._folder} user=bench dbname=postgres"

    def stop(self) -> None:
        """Stop it and remove what it kept."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE_S)
        shutil.rmtree(self._folder, ignore_errors=True)
