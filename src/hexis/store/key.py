"""Hexis's own key, which seals confirmations; made at the first start, readable by nobody else."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from kit.auth import write_private
from kit.errors import Unavailable

_BYTES = 32


def load_key(path: Path) -> bytes:
    """The key in a file, which is made if it is missing.

    Raises:
        Unavailable: Others can read it, or it is not whole.
    """
    if not path.exists():
        write_private(path, secrets.token_bytes(_BYTES))
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        key = file.read(_BYTES + 1)
    if mode & 0o077 or len(key) != _BYTES:
        raise Unavailable(
            f"{path} is not a private key of {_BYTES} bytes; remove it, and what waits for a yes "
            "must be asked again.",
            reason="key_unusable",
        )
    return key
