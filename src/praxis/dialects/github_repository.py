"""What the deliveries of GitHub have in common: the repository, its people, keys and times."""

from __future__ import annotations

from datetime import datetime

import msgspec

from praxis.dialects import bounded
from praxis.dialects.decoding import instant, required


class Repository(msgspec.Struct, frozen=True, kw_only=True):
    """Where it happened."""

    full_name: str | None = None
    default_branch: str | None = None


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """A person or a team, by the name that is public."""

    login: str | None = None
    slug: str | None = None


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """What every delivery of a repository has."""

    action: str | None = None
    repository: Repository | None = None

    @property
    def place(self) -> str:
        """The full name of the repository.

        Raises:
            Unfit: The delivery names none.
        """
        repository = required(self.repository, "repository")
        return bounded.line(required(repository.full_name, "repository.full_name"), 200)


def latest(field: str, **stamps: str | None) -> datetime | None:
    """The instant of the first of the times that is given.

    Raises:
        Unfit: It is no time.
    """
    found = ((name, stamp) for name, stamp in stamps.items() if stamp)
    name, stamp = next(found, ("", None))
    return instant(stamp, f"{field}.{name}")
