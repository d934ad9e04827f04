"""Questions that name a thing in part, with its type, or that fit several things."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tests.evaluation.nexus.draw import grammar
from tests.evaluation.nexus.draw.labels import Question
from tests.evaluation.nexus.draw.registry import Thing
from tests.evaluation.nexus.draw.spelled import Asking
from tests.evaluation.nexus.draw.spelling import is_russian, key, romanised, sound, words

TYPE_WORDS = {
    "project.software": (("проект",), ("project",)),
    "repository": (("репозиторий", "репа"), ("repository", "repo")),
    "service": (("сервис", "служба"), ("service",)),
    "application": (("приложение", "программа"), ("app", "application")),
    "device": (("устройство",), ("device",)),
    "person": (("человек",), ("person",)),
    "location": (("место",), ("place",)),
    "agent_session": (("агент", "сессия"), ("agent", "session")),
    "pet": (("питомец",), ("pet",)),
    "household_object": (("вещь", "предмет"), ("thing", "item")),
    "external_task_project": (("список задач",), ("task list",)),
}
ARTICLES = {"the", "a", "в", "во", "на", "для", "от", "с", "и", "of", "and", "у", "к"}


def _holding(ask: Asking, part: list[str]) -> list[str]:
    """Things with all of these words, or their surnames' other gender, in one of their names."""
    wanted = {sound(word) for word in part}
    found: list[str] = []
    for thing in ask.things:
        for name in ask.truth.true_names(thing):
            held = {sound(word) for word in words(name)}
            if "family" in thing.parts:
                held.add(sound(thing.parts["family"]))
            if wanted <= held:
                found.append(thing.id)
                break
    return sorted(found)


def _unmarked(text: str) -> list[str]:
    return text.split() if " " in text else text.replace("-", " ").split()


def partial(ask: Asking, sub: str) -> Iterator[Question]:
    """Words in another order, a word left out, the beginning of a word."""
    makers = {"order": _turned, "prefix": _prefix, "drop": _dropped}
    for thing, name in ask.registered():
        if sub != "drop" or thing.type != "device":
            yield from makers[sub](ask, name)


def _joined(parts: list[str], name: str) -> str:
    return (" " if " " in name else "-").join(parts)


def _turned(ask: Asking, name: str) -> Iterator[Question]:
    parts = _unmarked(name)
    if len(parts) < 2 or any(part.casefold() in ARTICLES for part in parts):
        return
    text = _joined(parts[::-1] if len(parts) == 2 else parts[1:] + parts[:1], name)
    same = sorted(sound(word) for word in words(text))
    gold = [
        other.id
        for other in ask.things
        if any(
            sorted(sound(word) for word in words(real)) == same
            for real in ask.truth.true_names(other)
        )
    ]
    if key(text) != key(name) and not set(ask.truth.in_form(text)) - set(gold):
        yield Question(ask.cased(text), "partial", "order", sorted(gold))


def _dropped(ask: Asking, name: str) -> Iterator[Question]:
    left = _unmarked(name)
    if len(left) < 2:
        return
    left.pop(ask.random.randrange(len(left)))
    text = _joined(left, name)
    if {left[0].casefold(), left[-1].casefold()} & ARTICLES or len(key(text)) < 4:
        return
    gold = _holding(ask, words(text))
    is_short = len(key(text)) < 5 and len(gold) == 1
    if ask.truth.in_form(text) or ask.truth.sounding(text) or len(gold) > 10 or is_short:
        return
    yield Question(text, "partial", "drop", gold, ["ambiguous"])


def _prefix(ask: Asking, name: str) -> Iterator[Question]:
    whole = key(name)
    size = round(len(whole) * ask.random.uniform(0.55, 0.85))
    begun = name[:size].rstrip(" -")
    if len(key(begun)) < 5 or key(begun) == whole or ":" in begun:
        return
    start = key(begun)
    gold: set[str] = set()
    for thing in ask.things:
        for real in ask.truth.true_names(thing):
            for spelled in {key(real), key(romanised(real, "icao"))}:
                if f" {spelled}".find(f" {start}") >= 0:
                    gold.add(thing.id)
    alone = not ask.truth.in_form(begun) and not ask.truth.sounding(begun)
    if alone and 0 < len(gold) <= 10 and ask.truth.distance(begun) > (1 if len(begun) > 5 else 0):
        yield Question(begun, "partial", "prefix", sorted(gold), ["ambiguous"])


def _of_types(ask: Asking, gold: list[str], types: list[str]) -> list[str]:
    return [id for id in gold if ask.truth.things[id].type in types]


def hinted(ask: Asking, sub: str) -> Iterator[Question]:
    """With the types wanted beside the text."""
    types = list(TYPE_WORDS)
    rows = ask.registered()
    for thing, name in rows:
        gold = ask.truth.bearers(name)
        if sub == "mismatch":
            wanted = [ask.random.choice([t for t in types if t != thing.type])]
            bearing = set(_of_types(ask, _holding(ask, words(name)), wanted))
            if not bearing and not _of_types(ask, gold, wanted):
                yield Question(name, "type_hint", sub, [], ["ambiguous"], types=wanted)
        elif sub == "param" and len(gold) > 1:
            wanted = [thing.type]
            kept = _of_types(ask, gold, wanted)
            if len(kept) < len(gold) or ask.random.random() < 0.3:
                accept = ask.truth.label(name, kept)
                yield Question(name, "type_hint", sub, kept, accept, types=wanted)
        elif sub == "param_redundant" and len(gold) == 1:
            wanted = [thing.type]
            if ask.random.random() < 0.3:
                wanted += ask.random.sample([t for t in types if t != thing.type], 2)
            yield Question(name, "type_hint", sub, gold, types=wanted)


def worded(ask: Asking, sub: str) -> Iterator[Question]:
    """With a word for the type in the text."""
    for thing, name in ask.registered():
        russian, english = TYPE_WORDS[thing.type]
        gold = _of_types(ask, ask.truth.bearers(name), [thing.type])
        if sub == "text_ru":
            word = ask.random.choice(russian)
            text = ask.random.choice(("{w} {n}", "{w} «{n}»", "{n} ({w})")).format(w=word, n=name)
        else:
            word = ask.random.choice(english)
            form = ask.random.choice(("the {n} {w}", "{w} {n}", "{n} {w}", "the {n} {w}"))
            text = form.format(w=word, n=name)
        if not set(_holding(ask, words(text))) - set(gold):
            yield Question(text, "type_hint", sub, gold, ask.truth.label(name, gold))


def repository_of(ask: Asking) -> Iterator[Question]:
    """A project's repository, where only the project is registered."""
    for thing, name in ask.registered():
        if thing.type != "project.software":
            continue
        gold = ask.truth.bearers(name)
        alone = _of_types(ask, gold, ["project.software"])
        if not _of_types(ask, gold, ["repository"]) and len(alone) == 1:
            form = ask.random.choice(("репозиторий {}", "the {} repository", "{} repo"))
            yield Question(
                form.format(name), "type_hint", "text_repo_of_project", alone, ["ambiguous"]
            )


def namesake(ask: Asking, sub: str) -> Iterator[Question]:
    """A name that several things bear."""
    for thing in ask.shuffled():
        written = list(thing.names.values())
        name = ask.random.choice([*written, *written, *thing.unwritten().values()])
        if sub == "namesake_lat":
            name = thing.names.get("en") or thing.unwritten().get("en", name)
        text = name
        if sub == "namesake_infl":
            case = ask.random.choice(grammar.CASES)
            text = (is_russian(name) and grammar.phrase(name, case)) or name
        elif sub == "namesake_lower":
            text = name.lower()
        elif sub == "namesake_upper":
            text = name.upper()
        gold = ask.truth.bearers(name)
        if len(gold) > 1 and not set(ask.truth.in_form(text)) - set(gold):
            yield Question(text, "ambiguous", sub, gold, ask.truth.label(name, gold))


def _grouped(ask: Asking, part: str) -> dict[str, list[Thing]]:
    groups: dict[str, list[Thing]] = defaultdict(list)
    for thing in ask.things:
        if part in thing.parts:
            groups[thing.parts[part]].append(thing)
    return {word: things for word, things in groups.items() if len(things) > 1}


def of_a_kind(ask: Asking, sub: str) -> Iterator[Question]:
    """A role of services or a kind of devices, said alone."""
    plain = sub.removesuffix("_infl")
    part = {
        "role": "role_en",
        "role_ru": "role_ru",
        "kind_en": "kind_en",
        "kind_ru": "kind_ru",
    }[plain]
    lang = "ru" if part.endswith("_ru") else "en"
    groups = _grouped(ask, part)
    for word in ask.random.sample(list(groups), len(groups)) * 3:
        group = {thing.id for thing in groups[word]}
        if set(_holding(ask, words(word))) - group:
            continue
        named = [thing for thing in groups[word] if lang in thing.names]
        if plain.startswith("role"):
            other = "en" if lang == "ru" else "ru"
            alike = [
                thing
                for thing in groups[word]
                if sound(thing.parts[f"role_{other}"]) == sound(word)
            ]
            named = [thing for thing in groups[word] if thing in named or thing in alike]
        gold = sorted(thing.id for thing in named)
        text = word
        if sub.endswith("_infl"):
            text = grammar.phrase(word, ask.random.choice(grammar.CASES)) or ""
            if key(text) == key(word):
                continue
        elif sub == "role":
            text = ask.random.choice((word, f"the {word}", word.upper()))
        if len(gold) > 1 and text and not ask.truth.in_form(text):
            yield Question(text, "ambiguous", sub, gold)


def of_a_name(ask: Asking, sub: str) -> Iterator[Question]:
    """A first name or a surname that several people have."""
    groups = _grouped(ask, "first" if sub == "first_name" else "family")
    for name in ask.random.sample(list(groups), len(groups)):
        gold = sorted(thing.id for thing in groups[name])
        if set(_holding(ask, [name])) == set(gold) and not ask.truth.in_form(name):
            yield Question(name, "ambiguous", sub, gold)
