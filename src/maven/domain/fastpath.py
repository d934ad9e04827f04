"""Stage 0: sentence templates compiled into one graph of words, and the sentence a text is.

A template is words with `[optional|parts]`, `(one|another)`, `<piece>` (a part named in the same
file) and at most one `{name}`, which takes one to eight words. The sentence with the most words of
its own wins; where two intents have equally many, neither does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from maven.domain.utterance import Language, Utterance, Word, fold, variants

SLOT = "{name}"
_LONGEST_NAME = 8
_NAMELESS = frozenset({"the", "a", "an", "and", "of", "me", "my", "и", "а", "же", "мне", "ну", "у"})
_LEADING = frozenset({"and", "also", "but", "а", "и", "но", "ну"})
"""What begins a sentence that goes on from another, and no name."""
_TOKEN = re.compile(r"\{name\}|[\[\]()|]|[^\s\[\]()|]+")
_PIECE = re.compile(r"<([a-z_]+)>")


class BadTemplate(ValueError):
    """A sentence template cannot be read."""


@dataclass(frozen=True, slots=True)
class Match:
    """The sentence that was said."""

    intent: str
    language: Language
    name: str | None
    """What stood for `{name}`, in the original spelling."""
    literals: int
    """How many words the template itself has."""
    rest: tuple[Word, ...]
    """The words outside the name."""


@dataclass(frozen=True, slots=True)
class Tie:
    """Two intents claim the text equally."""

    intents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Several:
    """The text is several sentences, each of which asks for something."""

    intents: tuple[str, ...]


@dataclass(slots=True, eq=False)
class _Node:
    following: dict[str, list[_Node]] = field(default_factory=dict[str, "list[_Node]"])
    end: tuple[str, Language] | None = None


class Grammar:
    """All sentences of both languages."""

    def __init__(self) -> None:
        self._root = _Node()

    def add(
        self, language: Language, sentences: Mapping[str, Sequence[str]], pieces: Mapping[str, str]
    ) -> None:
        """Compile the sentences of a language: templates per intent, and the pieces they name.

        Raises:
            BadTemplate: A template is malformed.
        """
        for intent, templates in sentences.items():
            for template in templates:
                self._compile(template, pieces, (intent, language))

    def match(self, utterance: Utterance) -> Match | Tie | None:
        """The sentence a text is, as said or without what surrounds it."""
        for words in variants(utterance):
            found = self._best(utterance, words)
            if found is not None:
                return found
        return None

    def sentences(self) -> Iterator[tuple[str, Language, tuple[str, ...]]]:
        """Every sentence understood, as words with `{name}` for the slot."""
        waiting: list[tuple[_Node, tuple[str, ...]]] = [(self._root, ())]
        while waiting:
            node, words = waiting.pop()
            if node.end is not None:
                yield *node.end, words
            for word, nodes in node.following.items():
                said = (*words, word) if word else words
                waiting += [(following, said) for following in nodes]

    def _compile(self, template: str, pieces: Mapping[str, str], end: tuple[str, Language]) -> None:
        tokens = _TOKEN.findall(_put_pieces(template, pieces))
        exits, at = _sequence([self._root], tokens, 0, template)
        if at != len(tokens):
            raise BadTemplate(f"{template!r} has an unmatched {tokens[at]!r}.")
        if self._root in exits:
            raise BadTemplate(f"{template!r} may be nothing at all.")
        final = _Node(end=end)
        for node in exits:
            node.following.setdefault("", []).append(final)

    def _best(self, utterance: Utterance, words: tuple[Word, ...]) -> Match | Tie | None:
        found = [
            each
            for each in _walk(self._root, words, 0, None)
            if each[1] > 0 and not _is_no_name(words, each[2])
        ]
        if not found:
            return None
        most = max(literals for _, literals, _ in found)
        best = {end: slot for end, literals, slot in found if literals == most}
        intents = sorted({intent for intent, _ in best})
        if len(intents) > 1:
            return Tie(tuple(intents))
        (intent, language), slot = next(iter(best.items()))
        if slot is None:
            return Match(intent, language, None, most, words)
        begun, ended = slot
        return Match(
            intent=intent,
            language=language,
            name=utterance.said(words[begun:ended]),
            literals=most,
            rest=words[:begun] + words[ended:],
        )


def _is_no_name(words: tuple[Word, ...], slot: tuple[int, int] | None) -> bool:
    """Whether what stands for the name names nothing, or begins with what leads into a sentence."""
    if slot is None:
        return False
    if slot[0] == 0 and words[0].folded in _LEADING:
        return True
    return all(word.folded in _NAMELESS for word in words[slot[0] : slot[1]])


def is_nameless(text: str) -> bool:
    """Whether a text names nothing."""
    return all(word in _NAMELESS for word in fold(text).split())


def _put_pieces(template: str, pieces: Mapping[str, str]) -> str:
    for _ in range(5):
        if not _PIECE.search(template):
            return template
        try:
            template = _PIECE.sub(lambda match: f"({pieces[match[1]]})", template)
        except KeyError as error:
            raise BadTemplate(f"{template!r} names an unknown piece {error}.") from error
    raise BadTemplate(f"The pieces of {template!r} contain each other.")


def _sequence(
    entries: list[_Node], tokens: list[str], at: int, template: str
) -> tuple[list[_Node], int]:
    """Put a sequence behind `entries`, up to a closing sign, a bar or the end; its last nodes."""
    nodes = entries
    while at < len(tokens) and tokens[at] not in "])|":
        said = tokens[at]
        if said in "[(":
            nodes, at = _choices(nodes, tokens, at, template)
            continue
        word = _Node()
        key = said if said == SLOT else fold(said)
        for node in nodes:
            node.following.setdefault(key, []).append(word)
        nodes, at = [word], at + 1
    return nodes, at


def _choices(
    entries: list[_Node], tokens: list[str], at: int, template: str
) -> tuple[list[_Node], int]:
    closing = "]" if tokens[at] == "[" else ")"
    exits = list(entries) if closing == "]" else []
    while True:
        nodes, at = _sequence(entries, tokens, at + 1, template)
        exits += nodes
        if at >= len(tokens) or tokens[at] not in ("|", closing):
            raise BadTemplate(f"{template!r} lacks a {closing!r}.")
        if tokens[at] == closing:
            return exits, at + 1


def _walk(
    node: _Node, words: tuple[Word, ...], at: int, slot: tuple[int, int] | None
) -> Iterator[tuple[tuple[str, Language], int, tuple[int, int] | None]]:
    if at == len(words):
        taken = 0 if slot is None else slot[1] - slot[0]
        for final in node.following.get("", ()):
            if final.end is not None:
                yield final.end, len(words) - taken, slot
        return
    for following in node.following.get(words[at].folded, ()):
        yield from _walk(following, words, at + 1, slot)
    if slot is None:
        for following in node.following.get(SLOT, ()):
            for ended in range(at + 1, min(len(words), at + _LONGEST_NAME) + 1):
                yield from _walk(following, words, ended, (at, ended))
