"""Decide about items: each decision says who, when, why, and which version was seen."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kit.contract import Id, Request, Short, Text, Time
from praxis.contract.state import IgnoreEnd


class Transition(Request):
    """A person decides about an item."""

    item_id: Id
    if_version: Annotated[int, Meta(ge=1)] | None = None
    """The version the person saw; another one is refused."""
    note: Text = ""


class Ignore(Request):
    """A person does not want to hear of an item for now; it goes on being counted."""

    item_id: Id
    ends: IgnoreEnd = "worse"
    """It ends when it gets worse; when anything changes; or, with `time`, only at `until`."""
    until: Time | None = None
    """It ends then in any case; required with `time`."""
    if_version: Annotated[int, Meta(ge=1)] | None = None
    """The version the person saw; another one is refused."""
    note: Text = ""


class MarkSurfaced(Request):
    """These items were shown or said to a person."""

    item_ids: Annotated[list[Id], Meta(min_length=1, max_length=100)]
    channel: Short
