"""Vecna: one method per operation."""

from __future__ import annotations

import uuid
from datetime import timedelta

from kit.clock import Clock
from kit.errors import InvalidArgument, NotFound
from kit.trace import Call
from vecna.contract import Connect, Connected, Fragment, GetFragment, Recall, Recalled
from vecna.domain.prompt import as_context
from vecna.domain.recall import decay_before
from vecna.store import FragmentStore

_CONTENT_BYTES = 65535
_DEDUPLICATED_FROM = 4
"""Importance from which the same words are kept once (section 4.1)."""


class Vecna:
    """What agents learned."""

    def __init__(self, fragments: FragmentStore, clock: Clock, dedup_window: timedelta) -> None:
        self._fragments = fragments
        self._clock = clock
        self._dedup_window = dedup_window

    async def connect(self, request: Connect, call: Call) -> Connected:
        """Keep a fragment, once within the window.

        Raises:
            InvalidArgument: A text is blank, or the content is longer than 65,535 bytes.
        """
        for name in ("topic", "content", "source_agent", "sub_topic", "linear_ref"):
            value = getattr(request, name)
            if value is not None and not value.strip():
                raise InvalidArgument(f"`{name}` is blank.", field=name)
        if len(request.content.encode()) > _CONTENT_BYTES:
            raise InvalidArgument(
                f"`content` is longer than {_CONTENT_BYTES} bytes; split it.", field="content"
            )
        now = self._clock.now()
        window = self._dedup_window
        once = request.importance >= _DEDUPLICATED_FROM and window > timedelta(0)
        return await self._fragments.add(
            str(uuid.uuid4()), request, now, now - window if once else None
        )

    async def recall(self, request: Recall, call: Call) -> Recalled:
        """The most useful fragments of a topic, deprecated ones never."""
        now = self._clock.now()
        fragments = self._fragments.recall(
            request.topic, request.ticket, decay_before(now), request.limit
        )
        text = as_context(request.topic, fragments, now) if request.format == "context" else ""
        return Recalled(topic=request.topic, count=len(fragments), fragments=fragments, text=text)

    async def get_fragment(self, request: GetFragment, call: Call) -> Fragment:
        """One fragment.

        Raises:
            NotFound: No fragment has this id.
        """
        fragment = self._fragments.get(request.fragment_id)
        if fragment is None:
            raise NotFound(f"There is no fragment {request.fragment_id}.", field="fragment_id")
        return fragment
