"""What Codex tells: its `notify` program after each turn, and its newer hooks."""

from __future__ import annotations

import msgspec

from praxis.dialects import Delivery
from praxis.dialects.agents import MAY_BE_ANSWERED, NOTIFIED, Session
from praxis.dialects.claude import Claude
from praxis.dialects.decoding import converted, decoded, required
from praxis.domain.told import Beat, Told


class Notice(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", omit_defaults=True):
    """What the `notify` program is given as its last argument."""

    type: str
    thread_id: str | None = None
    turn_id: str | None = None
    cwd: str = ""
    client: str = ""


class Codex(Claude):
    """One thread, one item."""

    name = "codex"
    agent = "Codex"
    # It asks its hooks also where `auto_review` will answer.
    asks_with = MAY_BE_ANSWERED

    def read(self, delivery: Delivery) -> Told:
        """What a notice or a hook tells of its thread.

        Raises:
            Unfit: It is neither, or lacks its thread.
        """
        body = decoded(delivery.body, dict[str, object])
        if "type" not in body or "hook_event_name" in body:
            return super().read(delivery)
        notice = converted(body, Notice)
        if notice.type != "agent-turn-complete":
            return [Beat()]
        key = required(notice.thread_id, "thread-id")
        session = Session(
            agent=self.agent,
            key=key,
            signal=notice.type,
            folder=notice.cwd,
            event_id=f"{notice.type}:{key}:{notice.turn_id}" if notice.turn_id else None,
        )
        return [session.goes_on(), session.ready(NOTIFIED)]
