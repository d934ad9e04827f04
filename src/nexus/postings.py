"""Keys that lead to several values, in the order they were added."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V", bound=Hashable)


class Postings(Generic[K, V]):
    """For each key its values, each once."""

    def __init__(self) -> None:
        self._values: dict[K, dict[V, None]] = {}

    def of(self, key: K) -> Collection[V]:
        """The values of a key, the first added first."""
        return self._values.get(key, {})

    def add(self, key: K, value: V) -> None:
        """Let the key lead to the value as well."""
        self._values.setdefault(key, {})[value] = None

    def remove(self, key: K, value: V) -> None:
        """Let the key no longer lead to the value."""
        values = self._values.get(key)
        if values is not None:
            values.pop(value, None)
            if not values:
                del self._values[key]
