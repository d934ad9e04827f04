"""What Maven offers: a turn of conversation, its trace, and what Maven says unasked."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from kit.contract import (
    Contract,
    Id,
    Operation,
    PageLimit,
    Reply,
    Request,
    Time,
    WaitSeconds,
)

Language = Literal["ru", "en"]
LONGEST_TEXT = 2000
"""Characters of one utterance."""
Channel = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$(?!\n)", max_length=40)]
"""The program the person speaks through: `terminal`, `web`, …"""


class TraceEntry(Reply):
    """One stage or external call of a turn (architecture, section 13); summaries are redacted."""

    turn_id: Id
    sequence: int
    correlation_id: str
    causation_id: str
    stage: str
    """`input`, `dialogue`, `fast_path`, `snapshot`, `router`, `resolution`, `query`, `action`,
    `phrasing` or `delivery`."""
    service: str
    operation: str
    started_at: Time
    duration_ms: float
    status: Literal["ok", "error", "fallback"]
    contract_version: str
    request_summary: str
    response_summary: str
    fallback_reason: str | None = None
    error_code: str | None = None


class Choice(Reply):
    """One answer to "which one?"."""

    number: int
    label: str
    entity_id: Id | None = None
    """What it picks, when it is an entity."""
    item_id: Id | None = None
    """What it picks, when it is an item of Praxis."""


class Proposal(Reply):
    """What a yes would do, for a channel that shows it as a card."""

    confirmation_id: Id
    action: str
    target: str
    host: str
    risk: str
    expires_at: Time
    title: str = ""
    """The action in the language of the answer."""


class Answer(Reply):
    """What Maven says back."""

    turn_id: Id
    conversation_id: str
    text: str
    language: Language
    expects: Literal["nothing", "confirmation", "choice"] = "nothing"
    choices: list[Choice] = []
    proposal: Proposal | None = None
    degraded: list[str] = []
    """Parts that could not be asked."""
    item_ids: list[Id] = []
    """Praxis items this answer speaks of."""
    execution_ids: list[Id] = []


class TakeTurn(Request):
    """A person said something; the channel mints the turn id and the assertion beside it."""

    turn_id: Annotated[str, Meta(pattern=r"^trn_[0-9a-z]{10,40}$(?!\n)")]
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]
    channel: Channel
    conversation_id: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]*$(?!\n)", max_length=60)] = (
        "default"
    )
    language: Language | None = None
    """What to answer in when the text does not tell."""
    answering: Id | None = None
    """The confirmation the channel shows: a yes or no to another one than waits is not taken."""


class GetTurn(Request):
    """Show a turn with its whole trace; without an id, the newest of this requester."""

    turn_id: Id | None = None


class TurnRecord(Reply):
    """One exchange as it was."""

    turn_id: Id
    conversation_id: str
    requester: str
    channel: str
    at: Time
    duration_ms: float
    text: str
    answer: Answer
    trace: list[TraceEntry]


class ListTurns(Request):
    """Show past turns, newest first, without their traces."""

    conversation_id: str | None = None
    limit: PageLimit = 20


class TurnList(Reply):
    """Past turns, newest first."""

    turns: list[TurnRecord]


class Notification(Reply):
    """Something Maven says unasked."""

    notification_id: Id
    cursor: int
    at: Time
    conversation_id: str
    kind: Literal["recovered", "not_recovered", "execution_finished"]
    text: str
    language: Language
    item_ids: list[Id] = []
    execution_id: Id | None = None


class ListNotifications(Request):
    """What has Maven to say unasked after a cursor?"""

    after: Annotated[int, Meta(ge=0)] | None = None
    """Cursor of the last one already heard; none means from now on."""
    conversation_id: str | None = None
    limit: PageLimit = 50
    wait_s: WaitSeconds = 0.0


class NotificationList(Reply):
    """Notifications, oldest first."""

    notifications: list[Notification]
    next_after: int


TAKE_TURN: Operation[TakeTurn, Answer] = Operation(
    name="take_turn",
    request=TakeTurn,
    reply=Answer,
    scope="maven.talk",
    effect="write",
    summary="Say something to Maven and hear the answer.",
    timeout_s=60.0,
)
GET_TURN: Operation[GetTurn, TurnRecord] = Operation(
    name="get_turn",
    request=GetTurn,
    reply=TurnRecord,
    scope="maven.read",
    summary="Show a turn with every stage and external call.",
    positional=("turn_id",),
)
LIST_TURNS: Operation[ListTurns, TurnList] = Operation(
    name="list_turns",
    request=ListTurns,
    reply=TurnList,
    scope="maven.read",
    summary="Show past turns, newest first.",
)
LIST_NOTIFICATIONS: Operation[ListNotifications, NotificationList] = Operation(
    name="list_notifications",
    request=ListNotifications,
    reply=NotificationList,
    scope="maven.read",
    summary="Show what Maven says unasked, waiting for it when asked to.",
    waits=True,
    timeout_s=65.0,
)

CONTRACT = Contract("maven", "1.0", TAKE_TURN, GET_TURN, LIST_TURNS, LIST_NOTIFICATIONS)
