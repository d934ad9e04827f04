"""Which drawn things a text truly fits, so that every label is earned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

from tests.evaluation.nexus.draw import grammar
from tests.evaluation.nexus.draw.registry import Thing
from tests.evaluation.nexus.draw.spelling import is_russian, key, language, romanised, sound


@dataclass
class Question:
    """One labelled query."""

    text: str
    category: str
    sub: str | None
    gold: list[str]
    accept: list[str] = field(default_factory=list[str])
    types: list[str] | None = None
    lang: str = ""

    @property
    def expect(self) -> str:
        """The answer that is right."""
        return ("not_found", "resolved", "ambiguous")[min(2, len(self.gold))]

    def line(self, number: int) -> dict[str, Any]:
        """Its line in the file of queries."""
        return {
            "text": self.text,
            "types": self.types,
            "lang": self.lang or language(self.text),
            "category": self.category,
            "sub": self.sub,
            "expect": self.expect,
            "gold": self.gold,
            "accept": list(dict.fromkeys([self.expect, *self.accept])),
            "note": None,
            "qid": f"q{number:05d}",
        }


def inflected(thing: Thing, name: str, case: str) -> str | None:
    """A Russian name of the thing in a case; None where it has no such form."""
    parts = thing.parts
    if "gender" in parts:
        first, _, last = name.partition(" ")
        if first != parts["first"]:
            return None
        form = grammar.person(first, last, parts["gender"], case)
    elif thing.type == "person":
        form = None
    else:
        form = grammar.phrase(name, case)
    return form if form and key(form) != key(name) else None


def _latin(text: str) -> str:
    return key(romanised(text, "icao"))


class Truth:
    """Every true name, registered or not, and what bears it."""

    def __init__(self, things: list[Thing]) -> None:
        self.things = {thing.id: thing for thing in things}
        self._registered: dict[str, set[str]] = defaultdict(set)
        self._real: dict[str, set[str]] = defaultdict(set)
        self._sounds: dict[str, set[str]] = defaultdict(set)
        self._forms: dict[str, set[str]] = defaultdict(set)
        self._bearers: dict[str, set[str]] = defaultdict(set)
        for thing in things:
            for name in (*thing.names.values(), *thing.aliases):
                self._registered[key(name)].add(thing.id)
            for name in self.true_names(thing):
                self._real[key(name)].add(thing.id)
                self._sounds[sound(name)].add(thing.id)
                self._bearers[key(name)].add(thing.id)
                self._bearers[_latin(name)].add(thing.id)
                if is_russian(name):
                    for case in grammar.CASES:
                        form = inflected(thing, name, case)
                        if form:
                            self._forms[key(form)].add(thing.id)
        self._spelled = list(self._bearers)

    @staticmethod
    def true_names(thing: Thing) -> list[str]:
        """What it is called in earnest, by anybody."""
        return [
            *thing.names.values(),
            *thing.unwritten().values(),
            *thing.aliases,
            *thing.unregistered,
        ]

    def bearers(self, name: str) -> list[str]:
        """Everything that truly bears this very name."""
        return sorted(self._real[key(name)]) if key(name) in self._real else []

    def registered(self, name: str) -> list[str]:
        """Everything for which this very name was written down."""
        return sorted(self._registered[key(name)]) if key(name) in self._registered else []

    def in_form(self, form: str) -> list[str]:
        """Everything whose name may be meant by this inflected form, or is it outright."""
        return sorted(self._forms.get(key(form), set()) | self._real.get(key(form), set()))

    def sounding(self, text: str) -> set[str]:
        """Everything whose name sounds like this."""
        return self._sounds.get(sound(text), set())

    def is_apart(self, text: str, gold: Iterable[str], least: int = 0) -> bool:
        """Whether the text is nearer to the names of `gold` than to every other name.

        With `least`, every other name must be at least that many edits away.
        """
        mine = set(gold)
        if self.sounding(text) - mine or (set(self.in_form(text)) - mine):
            return False
        for spelled in {key(text), _latin(text)}:
            if not spelled:
                return False
            reach = 2 if len(spelled) < 9 else 3
            found = process.extract(
                spelled,
                self._spelled,
                scorer=OSA.distance,
                limit=25,
                score_cutoff=max(reach, least),
            )
            own = [far for name, far, _ in found if self._bearers[name] & mine]
            others = [far for name, far, _ in found if self._bearers[name] - mine]
            if others and (min(others) < least or (own and min(others) <= min(own))):
                return False
            if mine and others and not own:
                return False
        return True

    def distance(self, text: str) -> int:
        """Edits to the nearest true name, in either alphabet."""
        return min(
            int(process.extractOne(spelled, self._spelled, scorer=OSA.distance)[1])
            for spelled in {key(text), _latin(text)}
        )

    def label(self, name: str, gold: list[str]) -> list[str]:
        """Which single answers are fair too: the one thing that has this name written down."""
        outright = self.registered(name)
        return [f"resolved:{outright[0]}"] if len(gold) > 1 and len(outright) == 1 else []
