"""Run a program of this host that only tells something: no shell, little time, little output."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
from collections.abc import Sequence

from kit.errors import Unavailable

_KEPT = ("DBUS_SESSION_BUS_ADDRESS", "HOME", "LOGNAME", "PATH", "USER", "XDG_RUNTIME_DIR")


def output_of(command: Sequence[str], *, timeout_s: float = 10.0, largest: int = 8 << 20) -> str:
    """What the program prints.

    It gets no input and, of the environment, only what it needs to find the services it asks.

    Raises:
        Unavailable: It is not there, fails, takes too long or prints too much.
    """
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    program = command[0]
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as complained:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=complained,
                env={**environment, "LC_ALL": "C.UTF-8"},
            )
        except OSError as error:
            raise Unavailable(f"{program} cannot be run: {error.strerror}.") from error
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest + 1, largest + 1))
        try:
            status = process.wait(timeout_s)
        except subprocess.TimeoutExpired as error:
            process.kill()
            process.wait()
            raise Unavailable(f"{program} did not end within {timeout_s:.0f} s.") from error
        printed.seek(0)
        raw = printed.read(largest + 1)
        complained.seek(0)
        said = complained.read(300).decode(errors="replace").strip().partition("\n")[0]
    if len(raw) > largest:
        raise Unavailable(f"{program} printed more than {largest >> 20} MiB.")
    if status != 0:
        raise Unavailable(f"{program} failed: {said or f'exit status {status}'}")
    return raw.decode(errors="replace")
