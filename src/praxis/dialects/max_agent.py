"""What MAX tells: which session, in which state, and what it asks or why it failed."""

from __future__ import annotations

from typing import Literal

import msgspec

from praxis.dialects import Delivery
from praxis.dialects.agents import ASKED, Asked, Session
from praxis.dialects.decoding import decoded, instant, required
from praxis.domain.told import Told

State = Literal["started", "working", "waiting", "ready", "failed", "finished"]


class Word(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session and how it is."""

    session: str
    state: State
    question: str = ""
    reason: str = ""
    tool: str = ""
    command: str = ""
    folder: str = ""
    at: str | None = None
    id: str | None = None
    """The same twice is one word."""


class Max:
    """One session, one item; MAX knows its own state, so its last word holds."""

    name = "max"

    def read(self, delivery: Delivery) -> Told:
        """What is told of a session.

        Raises:
            Unfit: It is not the word of a session.
        """
        word = decoded(delivery.body, Word)
        session = Session(
            agent="MAX",
            key=required(word.session, "session"),
            signal=word.state,
            folder=word.folder,
            observed_at=instant(word.at, "at", delivery.zone),
            event_id=word.id,
        )
        match word.state:
            case "started" | "working":
                return [session.works()]
            case "waiting":
                asked = Asked(question=word.question, tool=word.tool, command=word.command)
                return [session.waits(asked, ASKED)]
            case "ready":
                return [session.ready(ASKED, why=word.reason)]
            case "failed":
                return [session.failed(word.reason or "unknown", ASKED)]
            case "finished":
                return [session.ended(word.reason or "finished")]
