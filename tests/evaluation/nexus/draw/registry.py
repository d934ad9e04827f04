"""Draw a registry: about two thousand things of eleven types, with what is truly their name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from rapidfuzz import fuzz

from tests.evaluation.nexus.draw import sources
from tests.evaluation.nexus.draw.sources import Pair
from tests.evaluation.nexus.draw.spelling import common_latin, key, romanised, sound

Row = TypeVar("Row")


@dataclass
class Thing:
    """An entity as drawn; `real` holds its name in each language, written down or not."""

    id: str
    type: str
    names: dict[str, str]
    real: dict[str, str]
    source: str
    aliases: list[str] = field(default_factory=list[str])
    external: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    relations: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    unregistered: list[str] = field(default_factory=list[str])
    """Further true names that nobody registered, such as a person's short name."""
    parts: dict[str, str] = field(default_factory=dict[str, str])
    """What it is composed of: first and last name and gender, or room and kind, or role."""

    def unwritten(self) -> dict[str, str]:
        """Names in the other language that nobody wrote down and that sound like one that is."""
        written = [sound(name) for name in self.names.values()]
        return {
            lang: name
            for lang, name in self.real.items()
            if lang not in self.names
            and any(fuzz.ratio(sound(name), known) >= 60 for known in written)
        }

    def line(self) -> dict[str, Any]:
        """Its line in the registry."""
        return {
            "id": self.id,
            "type": self.type,
            "names": self.names,
            "aliases": [{"text": text} for text in self.aliases],
            "external": [{"system": system, "id": id} for system, id in self.external],
            "relations": [{"rel": rel, "to": to} for rel, to in self.relations],
            "source": self.source,
        }


def slug(text: str, joint: str = "_") -> str:
    """A name as an identifier."""
    return re.sub(r"[^a-z0-9]+", joint, romanised(text, "bgn").casefold()).strip(joint) or "x"


class Draw:
    """A registry in the making."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"registry {seed}")
        self.things: list[Thing] = []
        self._ids: set[str] = set()
        both, english = self.random.uniform(0.25, 0.42), self.random.uniform(0.3, 0.42)
        self._shares = (both, english, 1 - both - english)
        self.alias_share = self.random.uniform(0.25, 0.45)
        self._ticket = 100

    def registered(self, pair: Pair) -> dict[str, str]:
        """Which of its names somebody wrote down."""
        if not (pair.en and pair.ru):
            return {"en": pair.en} if pair.en else {"ru": pair.ru}
        kept = self.random.choices(("both", "en", "ru"), self._shares)[0]
        names = {"en": pair.en, "ru": pair.ru}
        return names if kept == "both" else {kept: names[kept]}

    def add(self, type: str, pair: Pair, source: str, **more: Any) -> Thing:
        """Put a thing into the registry."""
        names = self.registered(pair)
        real = {lang: name for lang, name in (("en", pair.en), ("ru", pair.ru)) if name}
        base = "ent_" + slug(names.get("en") or names["ru"])
        id, number = base, 1
        while id in self._ids:
            number += 1
            id = f"{base}_{number}"
        self._ids.add(id)
        thing = Thing(id, type, names, real, source, **more)
        self.things.append(thing)
        return thing

    def some(self, rows: list[Row], count: int) -> list[Row]:
        """So many of them, or all, give or take a few."""
        count = round(count * self.random.uniform(0.94, 1.06))
        return self.random.sample(rows, min(count, len(rows)))

    def ticket(self) -> str:
        """The next number of the task system."""
        self._ticket += 1
        return str(self._ticket)


def _software(draw: Draw) -> None:
    projects: list[Thing] = []
    for pair in draw.some(sources.pairs("projects"), 123):
        ids = [("github", f"home/{slug(pair.en, '-')}"), ("vikunja", draw.ticket())]
        projects.append(draw.add("project.software", pair, "lexicon", external=ids))
    packages = draw.some(sources.package_names("pypi.txt"), 200)
    for name in packages[:130]:
        draw.add("project.software", Pair(name), "pypi", external=[("pypi", name)])
    for name in packages[130:]:
        draw.add("repository", Pair(name), "pypi", external=[("github", f"fork/{name}")])
    for name in draw.some(sources.listed("invented_repositories"), 10):
        draw.add("repository", Pair(name), "invented")
    _repositories(draw, projects)
    _services(draw, projects)
    _work(draw, projects)
    for type, count in (("service", 20), ("repository", 14)):
        for project in draw.some(projects, count):
            pair = Pair(project.real["en"], project.real["ru"])
            extra = [("gitea", f"me/{slug(pair.en, '-')}")] if type == "repository" else []
            draw.add(type, pair, "lexicon", external=extra)


def _composed(
    draw: Draw, projects: list[Thing], words: list[Row], count: int
) -> list[tuple[Thing, Row]]:
    return draw.some([(project, word) for project in projects for word in words], count)


def _repositories(draw: Draw, projects: list[Thing]) -> None:
    for project, suffix in _composed(draw, projects, sources.listed("repo_suffixes"), 122):
        name = f"{slug(project.real['en'], '-')}-{suffix}"
        thing = draw.add("repository", Pair(name), "lexicon")
        thing.external = [("github", f"home/{name}")]
        thing.relations = [("part_of", project.id)]


def _services(draw: Draw, projects: list[Thing]) -> None:
    for project, role in _composed(draw, projects, sources.pairs("roles"), 200):
        pair = Pair(f"{project.real['en']} {role.en}")
        if draw.random.random() < 0.7:
            pair = Pair(pair.en, f"{role.ru.capitalize()} {project.real['ru']}")
        thing = draw.add("service", pair, "composed")
        thing.external = [("systemd", f"{slug(pair.en, '-')}.service")]
        thing.relations = [("part_of", project.id)]
        thing.parts = {"role_en": role.en, "role_ru": role.ru, "project": project.id}


def _work(draw: Draw, projects: list[Thing]) -> None:
    sessions = [
        (agent, task)
        for agent in sources.listed("agents")
        for task in sources.listed("agent_tasks")
    ]
    for project, (agent, task) in _composed(draw, projects, sessions, 95):
        pair = Pair(f"{agent}: {project.real['en']} {task}")
        thing = draw.add("agent_session", pair, "composed")
        thing.external = [("tmux", f"{agent}:{draw.random.randrange(100)}")]
        thing.relations = [("works_on", project.id)]
    for project in draw.some(projects, 30):
        pair = Pair(f"{project.real['en']} backlog")
        thing = draw.add("external_task_project", pair, "composed")
        thing.external = [("vikunja", slug(project.real["en"], "_"))]
        thing.relations = [("tracks", project.id)]


def _applications(draw: Draw) -> None:
    short = sources.application_aliases()
    for pair in draw.some(sources.pairs("applications"), 106):
        aliases = short.get(pair.en, []) if draw.random.random() < 0.85 else []
        ids = [("debian", pair.en.lower())]
        draw.add("application", pair, "lexicon", aliases=aliases, external=ids)
    for name in draw.some(sources.package_names("debian.txt"), 60):
        draw.add("application", Pair(name), "debian", external=[("debian", name)])


def _household(draw: Draw) -> None:
    rooms = draw.some(sources.pairs("rooms"), 20)
    for room in rooms:
        draw.add("location", Pair(room.en, room.ru), "lexicon")
    kinds = sources.pairs("device_kinds")
    for room, kind in draw.some([(r, k) for r in rooms for k in kinds], 170):
        pair = Pair(f"{room.en} {kind.en}", f"{kind.ru[0].upper()}{kind.ru[1:]} {room.third}")
        ids = [("home_assistant", f"{slug(kind.en)}.{slug(room.en)}_{slug(kind.en)}")]
        thing = draw.add("device", pair, "composed", external=ids)
        thing.parts = {"kind_en": kind.en, "kind_ru": kind.ru}
    for name in draw.some(sources.listed("hosts"), 62):
        draw.add("device", Pair(name), "invented", external=[("hostname", f"{name}.lan")])
    for type, table, count in (
        ("device", "invented_devices", 17),
        ("location", "places", 15),
        ("household_object", "objects", 80),
        ("pet", "pets", 40),
    ):
        for pair in draw.some(sources.pairs(table), count):
            draw.add(type, pair, "lexicon" if type in {"household_object", "pet"} else "invented")
    for pair in draw.some(sources.pairs("task_projects"), 20):
        system = draw.random.choice(("vikunja", "todoist", "jira", "github", "linear"))
        ids = [(system, slug(pair.en))]
        draw.add("external_task_project", pair, "invented", external=ids)


def _people(draw: Draw) -> None:
    drawn: set[tuple[str, str]] = set()
    last_names = draw.some(sources.surnames(), 95)
    given = sources.given_names()
    for _ in range(round(215 * draw.random.uniform(0.95, 1.05))):
        name, last = draw.random.choice(given), draw.random.choice(last_names)
        if (name.ru, last) in drawn:
            continue
        drawn.add((name.ru, last))
        family = last if name.gender == "masc" else last + "а"
        pair = Pair(f"{name.en} {common_latin(family)}", f"{name.ru} {family}")
        aliases: list[str] = []
        if name.short and draw.random.random() < draw.alias_share:
            aliases = [f"{name.short} {family}"]
        ids = [("telegram", f"@{slug(pair.en)}")]
        thing = draw.add("person", pair, "faker", aliases=aliases, external=ids)
        thing.parts = {"first": name.ru, "last": family, "family": last, "gender": name.gender}
        thing.parts["short"] = name.short
        thing.unregistered = [f"{name.short} {family}"] if name.short else []
    for pair in draw.some(sources.pairs("foreign_people"), 25):
        draw.add("person", pair, "lexicon")
    for name in draw.some(sources.listed("kin"), 7):
        draw.add("person", Pair("", name), "invented")


def _places(draw: Draw) -> None:
    near, far, twins = sources.cities()

    def city(place: sources.City, *aliases: str) -> None:
        ids = [("geonames", place.geonames)]
        draw.add("location", place.pair, "geonames", external=ids, aliases=list(aliases))

    for place in draw.some(near, 112):
        city(place)
    for place in draw.some(far, 75):
        city(place)
    for code, name in draw.some(sources.countries(), 60):
        draw.add("location", Pair(name), "geonames", external=[("iso3166", code)])
    for group in draw.some(twins, 38):
        for place in group[:2]:
            city(place, f"{place.pair.en}, {place.country}")


def drawn(seed: int) -> list[Thing]:
    """The registry of a seed."""
    draw = Draw(seed)
    for part in (_software, _applications, _household, _people, _places):
        part(draw)
    known: dict[tuple[str, str], str] = {}
    for thing in draw.things:
        unique: list[tuple[str, str]] = []
        for system, id in thing.external:
            if known.setdefault((system, id), thing.id) == thing.id:
                unique.append((system, id))
        thing.external = unique
        thing.aliases = [text for text in thing.aliases if key(text)]
    return draw.things
