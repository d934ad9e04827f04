"""Names near a question: part of one, with slips, in the wrong layout, or amid other words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nexus.contract import Grade
from nexus.domain.keyboard import switched
from nexus.domain.keys import INITIALS
from nexus.domain.lexicon import EMPTY, is_of_type
from nexus.domain.likelihood import Signs, log_odds
from nexus.domain.match import Match, Tier
from nexus.domain.names import Words, join, readings, spellings
from nexus.domain.query import understand
from nexus.resolver.asked import Asked
from nexus.resolver.firm import whole_names
from nexus.resolver.nearby import Near, Nearby
from nexus.resolver.weighing import Observed, observe, telling
from nexus.store.finding import Name, NameReader
from nexus.store.indexing import SUGGESTED

_MOST_WORDS = 12
_MOST_POSTINGS = 2500
"""Places of words in names that are looked at for one question."""
_MOST_WEIGHED = 10
_LONGEST_ACRONYM = 6
_MOST_OF_TYPES = 200
_TELLING_LETTERS = 3
"""Letters of a word that, where names hold it, shows the layout to be the right one."""
_LIKELY = 3.0
"""Log-odds that make a look at the other keyboard layout needless."""
_SUGGESTED_ONLY = -6.0
"""What a name nobody vouches for loses, so that it is shown and no more."""
_UNCLEAN = frozenset({"share", "unexplained", "acronym", "contrary", "layout"})
_NOT_WHOLE = frozenset({"unexplained", "acronym", "contrary", "layout", "missing", "part", "cut"})
_TYPED = frozenset({"swapped", "adjacent", "put", "missed", "added", "beside"})


class Weighed(NamedTuple):
    """A near match with what was observed of it."""

    match: Match
    signs: Signs


def near_names(reader: NameReader, asked: Asked, text: str, types: Sequence[str]) -> list[Match]:
    """Every entity that the text may have been meant for."""
    return [weighed.match for weighed in weigh(reader, asked, text, types)]


def weigh(reader: NameReader, asked: Asked, text: str, types: Sequence[str]) -> list[Weighed]:
    """The same, with what was observed."""
    divided = dict.fromkeys(words for spelling in spellings(text) for words in readings(spelling))
    found = [
        weighed for words in divided for weighed in _near(reader, asked, words, types, layout=False)
    ]
    if any(weighed.match.likelihood >= _LIKELY for weighed in found):
        return found
    if any(
        len(word) >= _TELLING_LETTERS and asked.options(word) for words in divided for word in words
    ):
        return found
    other = switched(text)
    if other is not None:
        found += _in_other_layout(reader, other, types)
    return found


def _in_other_layout(reader: NameReader, text: str, types: Sequence[str]) -> Iterator[Weighed]:
    understood = understand(text)
    asked = Asked(reader)
    whole = whole_names(reader, asked, understood, types)
    for match in whole:
        signs = {"layout": 1.0, "bent": float(match.tier > Tier.NAME)}
        yield _weighed(match.entity_id, match.type, match.evidence, signs)
    if not whole:
        for words in readings(text)[:1]:
            yield from _near(reader, asked, words, types, layout=True)


def _near(
    reader: NameReader, asked: Asked, words: Words, types: Sequence[str], *, layout: bool
) -> Iterator[Weighed]:
    """One way to divide a question into words, and the names near it."""
    content = tuple(dict.fromkeys(word for word in words if word not in EMPTY))
    if not content or len(words) > _MOST_WORDS:
        return
    joined = join(words)
    is_rejoinable = len(content) in {2, 3} and not all(map(asked.options, content))
    asked_of = (joined, *content) if is_rejoinable else content
    nearby = Nearby(reader, asked, asked_of, () if layout else content)
    near = {word: nearby.of(word) for word in asked_of}
    observed = [
        (name, _observed(name, content, joined if is_rejoinable else None, near))
        for name in _candidates(reader, asked, near, types)
    ]
    whole = {seen.met for _, seen in observed if seen.is_whole}
    for name, (signs, met, is_whole) in observed:
        if not is_whole and met in whole:
            signs["overshadowed"] = 1.0
        if layout:
            signs["layout"] = 1.0
            signs["layout_slip"] = float("share" in signs)
        more = _SUGGESTED_ONLY if name.standing == SUGGESTED else 0.0
        yield _weighed(name.entity_id, name.type, name.text, signs, more)
    if len(content) == 1 and len(content[0]) <= _LONGEST_ACRONYM and not layout:
        for _, name in reader.named([INITIALS + content[0]], _MOST_WEIGHED):
            if name.standing >= SUGGESTED and (not types or is_of_type(name.type, types)):
                yield _weighed(name.entity_id, name.type, name.text, {"acronym": 1.0})


def _observed(
    name: Name, content: Words, joined: str | None, near: dict[str, dict[str, Near]]
) -> Observed:
    """The name against the words, or against all of them written as one."""
    seen = observe(name, content, near)
    if joined is None or "unexplained" not in seen.signs or not near[joined]:
        return seen
    other = observe(name, (joined,), near)
    other.signs["rejoined"] = 1.0
    return max(seen, other, key=lambda each: log_odds(each.signs))


def _weighed(entity_id: str, kind: str, evidence: str, signs: Signs, more: float = 0.0) -> Weighed:
    match = Match(
        entity_id,
        kind,
        _grade_of(signs),
        Tier.NEAR,
        evidence,
        likelihood=log_odds(signs) + more,
        is_clean=not more and _UNCLEAN.isdisjoint(signs),
        is_begun="cut" in signs,
        is_whole=not more and _NOT_WHOLE.isdisjoint(signs),
    )
    return Weighed(match, signs)


def _candidates(
    reader: NameReader, asked: Asked, near: dict[str, dict[str, Near]], types: Sequence[str]
) -> list[Name]:
    """The names that hold most of what was asked, weighed by how telling the words are."""
    if not any(near.values()):
        return []
    count = asked.names
    worth: dict[int, float] = {}
    frequency: dict[int, int] = {}
    for of_word in near.values():
        for each in of_word.values():
            lexeme = each.lexeme
            nearness = 1 + each.distance + each.cut + 0.3 * each.by_ear
            value = telling(lexeme.names, count) / nearness
            worth[lexeme.lexeme_id] = max(value, worth.get(lexeme.lexeme_id, 0.0))
            frequency[lexeme.lexeme_id] = lexeme.names
    left = _MOST_POSTINGS
    chosen: list[tuple[int, float]] = []
    for lexeme_id in sorted(worth, key=lambda known: frequency[known]):
        left -= frequency[lexeme_id]
        if left < 0 and chosen:
            break
        chosen.append((lexeme_id, worth[lexeme_id]))
    most = _MOST_OF_TYPES if types else _MOST_WEIGHED
    names = reader.holding_most(chosen, most, _MOST_POSTINGS)
    if types:
        names = [name for name in names if is_of_type(name.type, types)]
    return names[:_MOST_WEIGHED]


def _grade_of(signs: Signs) -> Grade:
    if "layout" in signs:
        return "layout"
    if "acronym" in signs:
        return "acronym"
    if "share" in signs:
        return "sound" if _TYPED.isdisjoint(signs) else "typo"
    return "sound" if "by_ear" in signs else "partial"
