"""Prefixed, sortable, opaque identifiers (the ULID layout, in lower case)."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable

from kit.clock import Clock

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [one + other for one in _ALPHABET for other in _ALPHABET]
_SHIFTS = range(120, -1, -10)
_RANDOM_BITS = 80


def encode(milliseconds: int, entropy: int) -> str:
    """26 characters: 48 bits of time, then 80 bits of entropy, sorting as the time does."""
    number = (milliseconds << _RANDOM_BITS) | entropy
    return "".join([_PAIRS[(number >> shift) & 1023] for shift in _SHIFTS])


class Ids:
    """Makes identifiers that sort in the order they were made, within one process."""

    def __init__(self, clock: Clock, randbits: Callable[[int], int] = secrets.randbits) -> None:
        self._clock = clock
        self._randbits = randbits
        self._milliseconds = 0
        self._entropy = 0
        self._one_at_a_time = threading.Lock()

    def new(self, prefix: str) -> str:
        """A fresh identifier such as `itm_01jz…`."""
        milliseconds = int(self._clock.now().timestamp() * 1000)
        with self._one_at_a_time:  # jobs of the store make them on its writer thread
            if milliseconds > self._milliseconds:
                self._milliseconds = milliseconds
                self._entropy = self._randbits(_RANDOM_BITS - 1)
            else:
                self._entropy += 1 + self._randbits(16)
            return f"{prefix}_{encode(self._milliseconds, self._entropy)}"
