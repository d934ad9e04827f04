"""The two keyboard layouts people switch between: ЙЦУКЕН over QWERTY, letter by letter."""

from __future__ import annotations

_ROWS = (
    ("qwertyuiop[]", "йцукенгшщзхъ"),
    ("asdfghjkl;'", "фывапролджэ"),
    ("zxcvbnm,.", "ячсмитьбю"),
)
_CAPITALS = {"[": "{", "]": "}", ";": ":", "'": '"', ",": "<", ".": ">", "`": "~"}
_PAIRS = [("`", "ё"), *(pair for row in _ROWS for pair in zip(*row, strict=True))]
_TO_RUSSIAN = {
    **dict(_PAIRS),
    **{_CAPITALS.get(latin, latin.upper()): russian.upper() for latin, russian in _PAIRS},
}
_TO_LATIN = {russian: latin for latin, russian in _TO_RUSSIAN.items()}
_STEP_RIGHT = (0.0, 0.25, 0.75)
"""How far each row of keys stands to the right of the first."""


def switched(text: str) -> str | None:
    """What the same keys write in the other layout; None where no letter would change script."""
    latin = sum(character.isascii() and character.isalpha() for character in text)
    russian = sum(character in _TO_LATIN and character.isalpha() for character in text)
    if not latin and not russian:
        return None
    table = _TO_RUSSIAN if latin >= russian else _TO_LATIN
    return "".join(table.get(character, character) for character in text)


def _neighbours() -> frozenset[tuple[str, str]]:
    places = {
        letter: (column + step, row)
        for row, (layouts, step) in enumerate(zip(_ROWS, _STEP_RIGHT, strict=True))
        for layout in layouts
        for column, letter in enumerate(layout)
    }
    return frozenset(
        (one, other)
        for one, (x, y) in places.items()
        for other, (across, down) in places.items()
        if one != other and one.isascii() == other.isascii()
        if abs(x - across) <= 1.0 and abs(y - down) <= 1
    )


NEIGHBOURS = _neighbours()
"""Pairs of letters whose keys touch, in either layout."""
