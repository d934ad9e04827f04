"""What the made-up part offers."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from kit.client import Client, remote, streamed
from kit.contract import Contract, Id, Nothing, Operation, Reply, Request, WaitSeconds


class Inner(Request):
    """Something inside a request."""

    size: Annotated[int, Meta(ge=0)]


class Echo(Request):
    """Say it back."""

    text: str = ""
    anything: dict[str, Any] = {}
    inner: list[Inner] = []
    note_id: Id | None = None


class Echoed(Reply):
    """What was said, and in which context it arrived."""

    text: str
    requester: str
    correlation_id: str
    causation_id: str
    trace_id: str
    principal: str
    remaining_ms: int


class Linger(Request):
    """Answer never, or fail in a named way."""

    fail: str = ""


class AwaitNews(Request):
    """Answer when there is news."""

    wait_s: WaitSeconds = 0.0


class News(Reply):
    """How many notes there are."""

    count: int


class Keep(Request):
    """Keep a note."""

    text: Annotated[str, Meta(min_length=1, max_length=100)]
    how: str = ""
    """`slowly`: not before the part is told; `twice`: with two writes; `breaking`: and then fail;
    `badly`: the write itself fails; `elsewhere`: write nothing."""


class Kept(Reply):
    """The note that was kept."""

    sequence: int
    remark: str = ""


class Notes(Reply):
    """All notes, oldest first."""

    texts: list[str]


class Measure(Request):
    """Say how long a long text is."""

    text: str


class Measured(Reply):
    """How long it is."""

    letters: int


class Approve(Request):
    """Say yes."""


class Approved(Reply):
    """Who said yes, in which turn."""

    requester: str
    turn_id: str


class Count(Request):
    """Count on from a number."""

    after: Annotated[int, Meta(ge=0)] = 0
    to: int = 3
    letters: int = 0
    """How long each reply is to be."""
    then: str = ""
    """`wait`: for the part to stop; `defect` or a failure by name: break off with it."""


class Counted(Reply):
    """A number, and whether the call that asked for it still has to be answered in time."""

    cursor: int
    is_timed: bool
    text: str = ""


ECHO: Operation[Echo, Echoed] = Operation(
    name="echo", request=Echo, reply=Echoed, scope="sample.read", summary="Say it back."
)
LINGER: Operation[Linger, Notes] = Operation(
    name="linger", request=Linger, reply=Notes, scope="sample.read", summary="Answer never."
)
AWAIT_NEWS: Operation[AwaitNews, News] = Operation(
    name="await_news",
    request=AwaitNews,
    reply=News,
    scope="sample.read",
    summary="Answer when there is news.",
    waits=True,
    timeout_s=65.0,
)
KEEP: Operation[Keep, Kept] = Operation(
    name="keep",
    request=Keep,
    reply=Kept,
    scope="sample.write",
    effect="write",
    summary="Keep a note.",
)
LIST_NOTES: Operation[Nothing, Notes] = Operation(
    name="list_notes", request=Nothing, reply=Notes, scope="sample.read", summary="Show all notes."
)
MEASURE: Operation[Measure, Measured] = Operation(
    name="measure",
    request=Measure,
    reply=Measured,
    scope="sample.write",
    summary="Say how long a long text is.",
    largest_body=3 << 20,
)
APPROVE: Operation[Approve, Approved] = Operation(
    name="approve",
    request=Approve,
    reply=Approved,
    scope="sample.approve",
    effect="write",
    asserted=True,
    summary="Say yes.",
)
COUNT: Operation[Count, Counted] = Operation(
    name="count",
    request=Count,
    reply=Counted,
    scope="sample.read",
    summary="Count on from a number.",
    streams=True,
)
CONTRACT = Contract(
    "sample", "1.2", ECHO, LINGER, AWAIT_NEWS, KEEP, LIST_NOTES, MEASURE, APPROVE, COUNT
)


class SampleClient(Client):
    """Typed access to the made-up part."""

    contract = CONTRACT

    echo = remote(ECHO)
    linger = remote(LINGER)
    await_news = remote(AWAIT_NEWS)
    keep = remote(KEEP)
    list_notes = remote(LIST_NOTES)
    measure = remote(MEASURE)
    approve = remote(APPROVE)
    count = streamed(COUNT)
