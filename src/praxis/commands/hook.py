"""What `praxis hook` sends for a coding agent: its words, without what Praxis does not look at.

An agent tells its hooks far more than anybody needs to know of it: whole files, whole answers. What
is not looked at does not leave the agent's side.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from praxis.contract import LARGEST_DELIVERY, Deliver
from praxis.dialects import Unfit
from praxis.dialects.codex import Notice
from praxis.dialects.decoding import decoded
from praxis.dialects.hooks import trimmed

LARGEST_STDIN = 1 << 24
"""Bytes that are read of what an agent says; the result of a tool may be long."""


def delivery_of(
    dialect: str, stdin: bytes, argument: str | None = None, source: str | None = None
) -> Deliver:
    """The delivery of one hook; what does not fit is sent as it came, to be kept as rejected.

    Args:
        dialect: whose hook it is.
        stdin: what came there, at most `LARGEST_STDIN` of it; not looked at beside an argument.
        argument: the last of the command line, where the agent hands its words over so.
        source: the name of the source; none takes the dialect's.
    """
    body = stdin if argument is None else argument.encode("utf-8", "surrogateescape")
    trim = _TRIMS.get(dialect)
    try:
        sent = body if trim is None else trim(body)
    except Unfit:
        sent = body
    return Deliver(source=source or dialect, dialect=dialect, body=sent[:LARGEST_DELIVERY])


def _trimmed_of_codex(body: bytes) -> bytes:
    try:
        return msgspec.json.encode(decoded(body, Notice))
    except Unfit:
        return trimmed(body)


_TRIMS: dict[str, Callable[[bytes], bytes]] = {"claude": trimmed, "codex": _trimmed_of_codex}
