"""Run a program of this host that only tells something: no shell, little time, little output."""

from __future__ import annotations

import os
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
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=complained,
                env={**environment, "LC_ALL": "C.UTF-8"},
                timeout=timeout_s,
                check=False,
            )
        except OSError as error:
            raise Unavailable(f"{program} cannot be run: {error.strerror}.") from error
        except subprocess.TimeoutExpired as error:
            raise Unavailable(f"{program} did not end within {timeout_s:.0f} s.") from error
        if done.returncode != 0:
            complained.seek(0)
            said = complained.read(300).decode(errors="replace").strip().partition("\n")[0]
            raise Unavailable(f"{program} failed: {said or f'exit status {done.returncode}'}")
        printed.seek(0)
        raw = printed.read(largest + 1)
    if len(raw) > largest:
        raise Unavailable(f"{program} printed more than {largest >> 20} MiB.")
    return raw.decode(errors="replace")
