"""Answers and notifications as plain text, the same in a pipe and on a terminal."""

from __future__ import annotations

from kit.render import visible, visible_line
from maven.contract import Answer, Notification, TurnRecord


def answer_text(answer: Answer) -> str:
    """What Maven said; choices are listed below unless the words name them already."""
    text = visible(answer.text)
    if all(choice.label in answer.text for choice in answer.choices):
        return text
    choices = [f"  {choice.number}. {visible_line(choice.label)}" for choice in answer.choices]
    return "\n".join([text, *choices])


def turn_row(turn: TurnRecord) -> dict[str, object]:
    """A past turn as a row of a table."""
    return {
        "at": turn.at,
        "said": turn.text,
        "answered": " ".join(turn.answer.text.split()),
        "took": f"{turn.duration_ms:.0f} ms",
        "turn_id": turn.turn_id,
    }


def notification_text(notification: Notification) -> str:
    """What Maven says unasked, with its time, told from an answer by the mark before it."""
    at = notification.at.astimezone().strftime("%H:%M:%S")
    return f"* {at} {visible_line(notification.text)}"
