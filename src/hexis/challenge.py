"""A challenge in a person's words, and what counts as a yes, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from hexis.contract.catalog import Risk
from hexis.contract.execution import Confirmation
from kit import redact
from kit.local import Language
from kit.visible import visible_line

_YES = frozenset({"y", "yes", "д", "да"})
_LINES: dict[Language, tuple[str, str, str, str]] = {
    "en": (
        "On host: {}",
        "With: {}",
        "Risk: {}; a yes counts until {:%H:%M:%S}",
        "Do it? [yes/no]",
    ),
    "ru": (
        "На хосте: {}",
        "С чем: {}",
        "Риск: {}; «да» действует до {:%H:%M:%S}",
        "Сделать? [да/нет]",
    ),
}
_INNER_QUOTES = str.maketrans(dict.fromkeys('«»“”„‟"', "'"))
_RISKS: dict[Language, dict[Risk, str]] = {
    "en": {"read": "none", "low": "low", "protected": "protected", "critical": "critical"},
    "ru": {"read": "нет", "low": "низкий", "protected": "повышенный", "critical": "высокий"},
}


def question(challenge: Confirmation, language: Language) -> str:
    """What will happen, to what, on which host, with which arguments, at which risk, until when."""
    on_host, with_arguments, risk, ask = _LINES[language]
    target = challenge.target
    title, name = _named(challenge.title, language), _quoted(target.names, language)
    lines = [f"{title}: {name} ({target.entity_id})"]
    if target.host_names:
        lines.append(on_host.format(_quoted(target.host_names, language)))
    if challenge.arguments:
        lines.append(with_arguments.format(visible_line(redact.summary(challenge.arguments))))
    until = challenge.expires_at.astimezone()
    lines += [risk.format(_RISKS[language][challenge.risk], until), ask]
    return "\n".join(lines)


def is_yes(answer: str) -> bool:
    """Whether a person has clearly agreed; anything else is a no."""
    return answer.strip().casefold() in _YES


def _named(names: Mapping[str, str], language: Language) -> str:
    return visible_line(redact.text(names.get(language) or next(iter(names.values()), "?"), 200))


def _quoted(names: Mapping[str, str], language: Language) -> str:
    """A name that cannot be taken for the words around it."""
    opening, closing = "«»" if language == "ru" else "“”"
    return f"{opening}{_named(names, language).translate(_INNER_QUOTES)}{closing}"
