"""How people write the types of things, and how Nexus does."""

from __future__ import annotations

import re

_COMMON = {
    spelling: known
    for known in (
        "agent.session",
        "device.host",
        "household.object",
        "location.room",
        "project.software",
        "project.task",
        "repository.git",
        "service.container",
        "service.systemd",
    )
    for spelling in (known, known.replace(".", "_"))
} | {"external_task_project": "project.task"}


def canonical_type(text: str) -> str:
    """The type that is meant; letter case, spaces and dashes are forgiven.

    What is not a common spelling keeps its own words, so that any type may be declared.
    """
    parts = (re.sub(r"[\s_-]+", "_", part.strip().lower()) for part in text.split("."))
    joined = ".".join(parts)
    return _COMMON.get(joined, joined)
