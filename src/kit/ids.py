"""Prefixed, sortable, opaque identifiers (the ULID layout, in lower case)."""

from __future__ import annotations

import secrets
import threading
from base64 import b32encode
from collections.abc import Callable

from kit.clock import Clock

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_TO_OURS = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", _ALPHABET.encode())
_BITS = 130
_PADDED_BITS = 160
"""The next multiple of 40 bits, which base 32 writes without a remainder."""
_RANDOM_AT_ONCE = 4096
_RANDOM_BITS = 80


def encode(milliseconds: int, entropy: int) -> str:
    """26 characters: 48 bits of time, then 80 bits of entropy, sorting as the time does."""
    number = (milliseconds << _RANDOM_BITS) | entropy
    padded = (number << (_PADDED_BITS - _BITS)).to_bytes(_PADDED_BITS // 8, "big")
    return b32encode(padded)[: _BITS // 5].translate(_TO_OURS).decode()


class Ids:
    """Makes identifiers that sort in the order they were made, within one process."""

    def __init__(self, clock: Clock, randbits: Callable[[int], int] = secrets.randbits) -> None:
        self._clock = clock
        self._randbits = randbits
        self._milliseconds = 0
        self._entropy = 0
        self._steps: list[int] = []
        self._one_at_a_time = threading.Lock()

    def new(self, prefix: str) -> str:
        """A fresh identifier such as `itm_01jz…`."""
        milliseconds = int(self._clock.now().timestamp() * 1000)
        with self._one_at_a_time:  # jobs of the store make them on its writer thread
            if milliseconds > self._milliseconds:
                self._milliseconds = milliseconds
                self._entropy = self._randbits(_RANDOM_BITS - 1)
            else:
                self._entropy += 1 + self._step()
            return f"{prefix}_{encode(self._milliseconds, self._entropy)}"

    def _step(self) -> int:
        """Sixteen random bits, drawn many at a time."""
        if not self._steps:
            drawn = self._randbits(_RANDOM_AT_ONCE)
            self._steps = [(drawn >> shift) & 0xFFFF for shift in range(0, _RANDOM_AT_ONCE, 16)]
        return self._steps.pop()
