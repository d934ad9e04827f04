"""Questions that spell a registered name: plain, in the other script, mistyped, misheard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from tests.evaluation.nexus.draw import grammar
from tests.evaluation.nexus.draw.labels import Question, Truth, inflected
from tests.evaluation.nexus.draw.mistakes import misheard, slip
from tests.evaluation.nexus.draw.registry import Thing
from tests.evaluation.nexus.draw.spelling import (
    is_russian,
    key,
    other_layout,
    read_as_russian,
    romanised,
)


class Asking:
    """A shuffled registry to ask about."""

    def __init__(self, things: list[Thing], truth: Truth, random: Random) -> None:
        self.things, self.truth, self.random = things, truth, random

    def shuffled(self) -> list[Thing]:
        """Every thing, in a new order."""
        return self.random.sample(self.things, len(self.things))

    def registered(self) -> Iterator[tuple[Thing, str]]:
        """A written down name of each thing, an alias now and then."""
        for thing in self.shuffled():
            names = list(thing.names.values())
            if thing.aliases and self.random.random() < 0.3:
                names = thing.aliases
            yield thing, self.random.choice(names)

    def hidden(self, lang: str) -> Iterator[tuple[Thing, str]]:
        """A real name that nobody wrote down, of each thing that has one in this language."""
        for thing in self.shuffled():
            name = thing.unwritten().get(lang)
            if name:
                yield thing, name

    def cased(self, text: str) -> str:
        """As it is, or as often in lower case."""
        return text.lower() if self.random.random() < 0.5 else text


def plain(ask: Asking) -> Iterator[Question]:
    """Names as they are written down."""
    for _, name in ask.registered():
        gold = ask.truth.bearers(name)
        yield Question(name, "exact", None, gold, ask.truth.label(name, gold))


def by_external_id(ask: Asking) -> Iterator[Question]:
    """What another system calls a thing."""
    for thing in ask.shuffled():
        if thing.external:
            system, id = ask.random.choice(thing.external)
            yield Question(f"{system}:{id}", "external_id", system, [thing.id], lang="en")


def _camel(name: str) -> str | None:
    parts = re.split(r"[\s_-]+", name)
    whole = len(parts) > 1 and all(part.isalnum() for part in parts) and name.isascii()
    return "".join(part[:1].upper() + part[1:] for part in parts) if whole else None


def _dressed(name: str, sub: str, random: Random) -> str | None:
    if sub == "fullwidth" and not name.isascii():
        return None
    wide = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
    put: dict[str, Callable[[], str | None]] = {
        "lower": name.lower,
        "upper": name.upper,
        "swap": name.swapcase,
        "camel": lambda: _camel(name),
        "dash": lambda: re.sub(r"[\s-]", lambda _: random.choice("—-_‑"), name),
        "fullwidth": lambda: name.translate(wide),
        "nbsp": lambda: name.replace(" ", "\u00a0"),
        "punct": lambda: name + random.choice(("!", "?", ",", ".", " ...", ";", ":")),
        "quotes": lambda: random.choice(("«{}»", "“{}”", '"{}"', "'{}'", "„{}“")).format(name),
        "space": lambda: "  " + name.replace(" ", "   ") + " ",
        "trail": lambda: name + random.choice(("\n", "\t", " \n")),
    }
    return put[sub]()


def dressed(ask: Asking, sub: str) -> Iterator[Question]:
    """Case, punctuation and spaces."""
    for _, name in ask.registered():
        text = _dressed(name, sub, ask.random)
        if text and text != name:
            gold = ask.truth.bearers(name)
            yield Question(text, "case_diacritics", sub, gold, ask.truth.label(name, gold))


def other_script(ask: Asking, sub: str) -> Iterator[Question]:
    """The name in the script it was not written down in."""
    if sub in {"cyr2lat_real", "lat2cyr_real"}:
        rows = ask.hidden("en" if sub == "cyr2lat_real" else "ru")
        for thing, name in rows:
            if "role_ru" in thing.parts:
                continue
            gold = ask.truth.bearers(name)
            if ask.truth.is_apart(name, gold):
                yield Question(ask.cased(name), "xscript", sub, gold, ask.truth.label(name, gold))
        return
    for _, name in ask.registered():
        if sub == "lat2cyr_rule":
            if not re.fullmatch(r"[A-Za-z][A-Za-z -]+", name):
                continue
            text = read_as_russian(name)
        elif is_russian(name):
            text = romanised(name, sub.removeprefix("ru2lat_"))
        else:
            continue
        gold = ask.truth.bearers(name)
        if ask.truth.is_apart(text, gold):
            accept = ask.truth.label(name, gold)
            yield Question(ask.cased(text), "xscript", sub, gold, accept)


def mistyped(ask: Asking, sub: str) -> Iterator[Question]:
    """One or two slips of the finger."""
    edits = 1 if sub.startswith("edit1") else 2
    for _, name in ask.registered():
        letters = sum(letter.isalpha() for letter in name)
        short = letters <= 5 if edits == 1 else letters < 10
        if short != sub.endswith("_short") or letters < (4 if edits == 1 else 7):
            continue
        text = ask.cased(name)
        for _ in range(edits):
            text = slip(text, ask.random)
        gold = ask.truth.bearers(name)
        if key(text) != key(name) and ask.truth.is_apart(text, gold):
            accept = ["ambiguous"] if short else ask.truth.label(name, gold)
            yield Question(text, "typo", sub, gold, accept)


def wrong_layout(ask: Asking) -> Iterator[Question]:
    """Typed with the keyboard in the other language."""
    for _, name in ask.registered():
        text = other_layout(name)
        gold = ask.truth.bearers(name)
        if len(name) >= 4 and key(text) and not ask.truth.in_form(text):
            yield Question(text, "layout", "kbd", gold, ask.truth.label(name, gold))


def heard(ask: Asking) -> Iterator[Question]:
    """What dictation makes of it."""
    for thing, written in ask.registered():
        name = written
        if ask.random.random() < 0.15:
            name = ask.random.choice([written, *thing.unwritten().values()])
        if ":" in name or sum(letter.isalpha() for letter in name) < 4:
            continue
        text = misheard(name, ask.random)
        gold = ask.truth.bearers(name)
        if text != name.lower() and ask.truth.is_apart(text, gold):
            accept = ["ambiguous"] if len(name) <= 5 else ask.truth.label(name, gold)
            yield Question(text, "phonetic_stt", "stt", gold, accept)


def in_case(ask: Asking, sub: str) -> Iterator[Question]:
    """Russian names in a case; `xscript_` for those written down in English only."""
    case = sub.removeprefix("xscript_")
    rows = ask.hidden("ru") if sub.startswith("xscript_") else ask.registered()
    for thing, name in rows:
        form = inflected(thing, name, case) if is_russian(name) else None
        if not form:
            continue
        gold = sorted(set(ask.truth.bearers(name)) | set(ask.truth.in_form(form)))
        if ask.truth.is_apart(form, gold):
            accept = ask.truth.label(name, gold)
            yield Question(ask.cased(form), "inflection", sub, gold, accept)


def latin_stem(ask: Asking, sub: str) -> Iterator[Question]:
    """A Latin name with a Russian ending."""
    ending = sub.removeprefix("latin_stem_")
    for _, name in ask.registered():
        if re.fullmatch(r"[A-Za-z][\w -]+[bcdfgklmnprstvz]", name) and name.isascii():
            text = name + ask.random.choice(("'", "-", "")) + ending
            gold = ask.truth.bearers(name)
            yield Question(text, "inflection", sub, gold, ask.truth.label(name, gold))


def composite(ask: Asking, sub: str) -> Iterator[Question]:
    """An inflected name that is mistyped too, or written in Latin letters."""
    for thing in ask.shuffled():
        name = thing.names.get("ru") or thing.unwritten().get("ru", "")
        form = inflected(thing, name, ask.random.choice(grammar.CASES)) if name else None
        if not form:
            continue
        if sub == "infl+typo":
            text = slip(form.lower(), ask.random)
        else:
            text = romanised(form.lower(), ask.random.choice(("bgn", "informal", "icao")))
        gold = sorted(set(ask.truth.bearers(name)) | set(ask.truth.in_form(form)))
        if key(text) not in {key(form), key(name)} and ask.truth.is_apart(text, gold):
            is_short = sub == "infl+typo" and len(name) <= 6
            accept = ["ambiguous"] if is_short else ask.truth.label(name, gold)
            yield Question(text, "composite", sub, gold, accept)
