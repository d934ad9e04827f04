"""What Vecna offers: fragments of knowledge in, recall by topic out (specification, section 5)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from kit.contract import Contract, Operation, Reply, Request, Time

Topic = Annotated[str, Meta(min_length=1, max_length=128)]
Agent = Annotated[str, Meta(min_length=1, max_length=64)]
Ticket = Annotated[str, Meta(min_length=1, max_length=64)]
Content = Annotated[str, Meta(min_length=1, max_length=65535)]
"""At most 65,535 bytes in UTF-8, counted again where it is stored."""
Importance = Annotated[int, Meta(ge=1, le=5)]
"""1 is trash, 5 is vital and does not decay."""
FragmentId = Annotated[str, Meta(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$(?!\n)")]


class Fragment(Reply):
    """One piece of knowledge an agent left for the others."""

    fragment_id: FragmentId
    topic: str
    sub_topic: str | None
    content: str
    source_agent: str
    importance: int
    linear_ref: str | None
    """The ticket it belongs to."""
    is_deprecated: bool
    created_at: Time


class Connect(Request):
    """An agent leaves what it learned."""

    topic: Topic
    content: Content
    source_agent: Agent
    sub_topic: Topic | None = None
    importance: Importance = 3
    linear_ref: Ticket | None = None


class Connected(Reply):
    """The stored fragment, or the one that already said it."""

    fragment: Fragment
    deduplicated: bool


class Recall(Request):
    """What is known about a topic, the most useful first?"""

    topic: Topic
    ticket: Ticket | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    format: Literal["json", "context"] = "json"
    """`context`: the answer's `text` is ready for a prompt."""


class Recalled(Reply):
    """Fragments in recall order (section 4.2)."""

    topic: str
    count: int
    fragments: list[Fragment]
    text: str = ""


class GetFragment(Request):
    """Show one fragment, deprecated or not."""

    fragment_id: FragmentId


CONNECT: Operation[Connect, Connected] = Operation(
    name="connect",
    request=Connect,
    reply=Connected,
    scope="vecna.write",
    effect="write",
    summary="Leave a fragment of knowledge for other agents.",
    positional=("topic", "content"),
)
RECALL: Operation[Recall, Recalled] = Operation(
    name="recall",
    request=Recall,
    reply=Recalled,
    scope="vecna.read",
    summary="Recall what is known about a topic.",
    positional=("topic",),
)
GET_FRAGMENT: Operation[GetFragment, Fragment] = Operation(
    name="get_fragment",
    request=GetFragment,
    reply=Fragment,
    scope="vecna.read",
    summary="Show one fragment.",
    positional=("fragment_id",),
    alias="fragment",
)

CONTRACT = Contract("vecna", "1.0", CONNECT, RECALL, GET_FRAGMENT)
