"""What fingers and ears did to a word: the fewest edits from what is known to what was asked."""

from __future__ import annotations

from typing import Literal, NamedTuple, cast

from rapidfuzz.distance import Levenshtein

from nexus.domain.keyboard import NEIGHBOURS

Kind = Literal[
    "swapped", "doubled", "adjacent", "heard", "vowel", "put", "missed", "added", "beside", "quiet"
]
"""Two letters changed places; a double letter became one or one double; a key beside the right one
was hit, or hit as well (`beside`); letters that sound alike were confused, or one vowel with
another; any other letter was put, missed or added; `quiet` is a letter hardly heard."""

_HEARD_ALIKE = frozenset(
    pair
    for one, other in (
        *("оа", "еи", "иы", "еэ", "яе", "яи", "ёе", "ёо", "ую", "юу"),
        *("бп", "вф", "гк", "дт", "жш", "зс", "сц", "чщ", "шщ", "гх", "йи", "хк"),
        *("iy", "ei", "ao", "ou", "ck", "kq", "sz", "sc", "vw", "fv", "bp", "dt", "gk"),
        *("gj", "cs", "uv", "ea", "tc", "zj", "ij", "yj", "SC", "ZS", "ie", "Zz", "Ss"),
    )
    for pair in ((one, other), (other, one))
)
_VOWELS = frozenset("аеиоуыэюяaeiouy")
_QUIET = frozenset("ьъh'")


class Slip(NamedTuple):
    """One edit."""

    kind: Kind
    place: int
    """Where in the known word."""


def slips_between(asked: str, known: str) -> list[Slip]:
    """The fewest edits that make `asked` of `known`; neighbours that changed places count once."""
    edits = cast("list[tuple[str, int, int]]", Levenshtein.editops(known, asked).as_list())
    found: list[Slip] = []
    at = 0
    while at < len(edits):
        tag, place, row = edits[at]
        if at + 1 < len(edits) and _is_swap(known, asked, edits[at], edits[at + 1]):
            found.append(Slip("swapped", place))
            at += 2
            continue
        match tag:
            case "replace":
                found.append(Slip(_put(asked[row], known[place]), place))
            case "delete":
                found.append(Slip(_missed(known, place), place))
            case _:
                found.append(Slip(_added(asked, row), place))
        at += 1
    return found


def _is_swap(
    known: str, asked: str, one: tuple[str, int, int], other: tuple[str, int, int]
) -> bool:
    """Whether two edits together put two neighbours in each other's place."""
    (tag, place, row), (following, further, lower) = one, other
    if tag == following == "replace":
        is_next = further == place + 1
        return is_next and known[place] == asked[lower] and known[further] == asked[row]
    if tag == "insert" and following == "delete":
        return further == place + 1 and asked[row] == known[further]
    if tag == "delete" and following == "insert":
        return further == place + 2 and known[place] == asked[lower]
    return False


def _put(typed: str, letter: str) -> Kind:
    pair = (typed, letter)
    if pair in _HEARD_ALIKE:
        return "heard"
    if pair in NEIGHBOURS:
        return "adjacent"
    return "vowel" if typed in _VOWELS and letter in _VOWELS else "put"


def _missed(known: str, place: int) -> Kind:
    letter = known[place]
    if letter in _QUIET:
        return "quiet"
    return (
        "doubled"
        if letter in {known[place - 1 : place], known[place + 1 : place + 2]}
        else "missed"
    )


def _added(asked: str, row: int) -> Kind:
    typed = asked[row]
    if typed in _QUIET:
        return "quiet"
    around = (asked[row - 1 : row], asked[row + 1 : row + 2])
    if typed in around:
        return "doubled"
    return "beside" if any((typed, each) in NEIGHBOURS for each in around) else "added"
