"""Questions about what is not registered: far names, near names, siblings, strays, noise."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tests.evaluation.nexus.draw import sources
from tests.evaluation.nexus.draw.labels import Question
from tests.evaluation.nexus.draw.spelled import Asking
from tests.evaluation.nexus.draw.spelling import common_latin, key, words


@cache
def _known_names() -> list[str]:
    """Real names of every kind."""
    near, far, _ = sources.cities()
    cities = [name for city in (*near, *far) for name in (city.pair.en, city.pair.ru) if name]
    files = ("pypi.txt", "pypi_short.txt", "debian.txt")
    packages = [name for file in files for name in sources.package_names(file)]
    return [*cities, *(name for _, name in sources.countries()), *packages]


def _unregistered(ask: Asking) -> Iterator[str]:
    names = _known_names()
    places = [name for name in names if name[:1].isupper()]
    packages = [name for name in names if not name[:1].isupper()]
    ask.random.shuffle(places)
    ask.random.shuffle(packages)
    for place, package in zip(places, packages[: len(places)], strict=True):
        yield place
        yield package
    yield from packages[len(places) :]


def far(ask: Asking) -> Iterator[Question]:
    """Real names of other things, unlike any registered one."""
    held = {
        word for thing in ask.things for name in ask.truth.true_names(thing) for word in words(name)
    }
    for name in _unregistered(ask):
        if len(key(name)) < 4 or set(words(name)) & held or ask.truth.sounding(name):
            continue
        begins = any(
            word.startswith(key(name)) or key(name).startswith(word)
            for word in held
            if len(word) > 3
        )
        if not begins and ask.truth.distance(name) > max(3, len(key(name)) // 3):
            yield Question(name, "not_found", "far", [])


def near(ask: Asking, sub: str) -> Iterator[Question]:
    """Real names of other things, one or two edits from a registered one."""
    edits = 1 if sub == "near_name_hard" else 2
    least = 4 if edits == 1 else 5
    for name in _unregistered(ask):
        if len(key(name)) < least or ask.truth.bearers(name) or ask.truth.sounding(name):
            continue
        if not ask.truth.in_form(name) and ask.truth.distance(name) == edits:
            yield Question(name, "not_found", sub, [], ["ambiguous"])


def sibling(ask: Asking, sub: str) -> Iterator[Question]:
    """Composed like the registered ones, of their own words, yet not registered."""
    things = ask.things
    for _ in range(4000):
        russian = ask.random.random() < 0.5
        if sub == "sibling_person":
            people = [thing for thing in things if "gender" in thing.parts]
            one, other = ask.random.sample(people, 2)
            if one.parts["gender"] != other.parts["gender"]:
                continue
            first, last = one.parts["first"], other.parts["last"]
            if one.parts["short"] and ask.random.random() < 0.15:
                first = one.parts["short"]
            text = f"{first} {last}"
            if not russian and first == one.parts["first"]:
                text = f"{one.real['en'].split()[0]} {common_latin(last)}"
        elif sub == "sibling_device":
            devices = [thing for thing in things if "kind_en" in thing.parts]
            one, other = ask.random.sample(devices, 2)
            lang = "ru" if russian else "en"
            kinds = one.parts[f"kind_{lang}"], other.parts[f"kind_{lang}"]
            place = (
                one.real[lang][len(kinds[0]) + 1 :]
                if russian
                else one.real[lang][: -len(kinds[0]) - 1]
            )
            text = f"{kinds[1]} {place}" if russian else f"{place.lower()} {kinds[1]}"
        else:
            services = [thing for thing in things if "project" in thing.parts]
            one, other = ask.random.sample(services, 2)
            project = ask.truth.things[one.parts["project"]].real
            text = (
                f"{other.parts['role_ru']} {project['ru']}"
                if russian
                else f"{project['en']} {other.parts['role_en']}"
            )
        if not ask.truth.in_form(text) and not ask.truth.sounding(text):
            yield Question(text, "not_found", sub, [], ["ambiguous"])


def stray(ask: Asking, sub: str) -> Iterator[Question]:
    """Words and signs that name nothing."""
    words_ = sources.lexicon()
    if sub == "garbage":
        texts: list[str] = [*words_["garbage"], "z" * 4000]
    elif sub == "stray":
        texts = [text.strip().strip('"') for text in words_["strays"].split(";")]
    else:
        texts = [text.strip() for text in words_["stray_phrases"].split(";")]
    for text in ask.random.sample(texts, len(texts)):
        if not ask.truth.bearers(text):
            yield Question(text, "not_found", sub, [], ["ambiguous"] if sub == "stray2" else [])
