"""How Praxis can watch coding agents by itself: in what they write down, and on their screens."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from kit.contract import Request
from praxis.contract.looks import Every, File, Timeout

SocketName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$(?!\n)", max_length=80)]
"""The server of tmux by what follows its `-L`."""


class TranscriptLook(Request, tag_field="look", tag="transcripts"):
    """Follow the transcripts that coding agents write below a folder."""

    agent: Literal["claude", "codex"]
    folder: File
    """As `/home/anna/.claude/projects` or `/home/anna/.codex/sessions`."""
    recent_h: Annotated[float, Meta(gt=0, le=24 * 31)] = 24.0
    """Transcripts that nobody has written to for so many hours are let be."""
    every_s: Every = 2.0


class PaneLook(Request, tag_field="look", tag="panes"):
    """Watch panes of tmux for a program that waits at a prompt."""

    socket: SocketName | None = None
    """None: the server a person gets who names none."""
    still: Annotated[int, Meta(ge=1, le=100)] = 2
    """How many looks in a row must show the same before it counts."""
    every_s: Every = 5.0
    timeout_s: Timeout = 5.0
