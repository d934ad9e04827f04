"""The text form of a recall, ready to be put into a prompt (contract of the service, section 6)."""

from __future__ import annotations

from datetime import datetime

from vecna.contract import Fragment

_MINUTE, _HOUR, _DAY, _MONTH = 60, 3600, 86400, 30 * 86400


def as_context(topic: str, fragments: list[Fragment], now: datetime) -> str:
    """A heading, then each fragment with who left it, how important and how old it is."""
    heading = f"# Hive recall — topic: {topic}\n"
    if not fragments:
        return f"{heading}(no fragments)\n"
    return f"{heading}\n" + "".join(_entry(fragment, now) for fragment in fragments)


def age(seconds: float) -> str:
    """How long ago, in the largest unit that fits."""
    if seconds < _MINUTE:
        return "just now"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min ago"
    if seconds < _DAY:
        return f"{int(seconds // _HOUR)} h ago"
    if seconds < _MONTH:
        return f"{int(seconds // _DAY)} d ago"
    return f"{int(seconds // _MONTH)} mo ago"


def _entry(fragment: Fragment, now: datetime) -> str:
    old = age((now - fragment.created_at).total_seconds())
    ticket = f" [{fragment.linear_ref}]" if fragment.linear_ref else ""
    content = fragment.content.replace("\n", " ")
    about = f"{fragment.source_agent}, importance={fragment.importance}, {old}"
    return f"- ({about}){ticket}\n  {content}\n"
