"""How a conversation looks on a terminal, as styled fragments; nothing here touches one."""

from __future__ import annotations

import textwrap
from datetime import datetime

from kit.render import visible, visible_line
from maven.contract import Answer, Notification, Proposal
from maven.terminal.words import Words

Fragments = list[tuple[str, str]]
STYLE = {
    "prompt": "ansicyan bold",
    "auto-suggestion": "ansibrightblack",
    "answer": "",
    "note": "ansibrightblack italic",
    "away": "ansiyellow",
    "back": "ansigreen",
    "bar": "ansiyellow bold",
    "bar.critical": "ansired bold",
    "what": "bold",
    "detail": "ansibrightblack",
    "number": "ansicyan bold",
    "news.recovered": "ansigreen",
    "news.not_recovered": "ansired",
    "news.execution_finished": "ansiblue",
    "bottom-toolbar": "noreverse ansibrightblack",
    "bottom-toolbar.text": "",
    "waiting": "ansiyellow noreverse",
}
_INDENT = "  "


def answer_card(answer: Answer, words: Words, width: int) -> Fragments:
    """An answer, and below it what it asks back."""
    fragments = [("class:answer", _wrapped(answer.text, width) + "\n")]
    if answer.proposal is not None:
        fragments += _proposal(answer.proposal, words)
    for choice in answer.choices:
        fragments += [
            ("class:number", f"{_INDENT}{choice.number:>2}  "),
            ("", f"{visible_line(choice.label)}\n"),
        ]
    return [*fragments, ("", "\n")]


def news_card(notification: Notification, width: int) -> Fragments:
    """What came unasked, with a mark for its kind and its time."""
    at = notification.at.astimezone().strftime("%H:%M:%S")
    first, *more = _wrapped(notification.text, width - len(at) - 1).splitlines() or [""]
    inset = " " * (len(at) + 1)
    return [
        (f"class:news.{notification.kind}", "● "),
        ("class:detail", f"{at} "),
        ("", "\n".join([first.strip(), *(inset + line for line in more)]) + "\n\n"),
    ]


def note_card(text: str, width: int, style: str = "note") -> Fragments:
    """What the terminal itself says."""
    return [(f"class:{style}", _wrapped(text, width) + "\n\n")]


def waiting_line(answer: Answer, words: Words, now: datetime) -> str:
    """What is waited for, in one line, with the time left."""
    proposal = answer.proposal
    if proposal is None:
        return words.confirmation if answer.expects == "confirmation" else words.choice
    left = max(0, int((proposal.expires_at - now).total_seconds()))
    return f"{words.confirmation} · {_what(proposal)} · {left // 60}:{left % 60:02d}"


def _proposal(proposal: Proposal, words: Words) -> Fragments:
    bar = "class:bar.critical" if proposal.risk == "critical" else "class:bar"
    until = proposal.expires_at.astimezone().strftime("%H:%M:%S")
    risk = words.risks.get(proposal.risk, visible_line(proposal.risk))
    rows = [
        ("class:what", _what(proposal)),
        ("class:detail", f"{risk} · {words.until} {until}"),
    ]
    return [
        fragment
        for style, text in rows
        for fragment in ((bar, f"{_INDENT}▌ "), (style, f"{text}\n"))
    ]


def _what(proposal: Proposal) -> str:
    parts = (proposal.title or proposal.action, proposal.target, proposal.host)
    return " · ".join(visible_line(part) for part in parts if part)


def _wrapped(text: str, width: int) -> str:
    lines = [
        wrapped
        for line in visible(text).splitlines()
        for wrapped in textwrap.wrap(
            line,
            max(20, width - 1),
            initial_indent=_INDENT,
            subsequent_indent=_INDENT + " " * (len(line) - len(line.lstrip())),
            drop_whitespace=True,
            break_on_hyphens=False,
        )
        or [""]
    ]
    return "\n".join(lines)
