"""How likely a near match is: what was observed of it, weighed, against something unregistered.

Each candidate gets log-odds against "nobody registered this"; over all candidates of a question
they give one probability each. The weights are fitted to labelled questions, see
`docs/explanation/resolution.md`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Signs = dict[str, float]
"""What was observed of one candidate, by the names of `WEIGHTS`; what is absent is nought."""

BIAS = 4.5
WEIGHTS = {
    # Slips by kind, see `slips`, in words of the same alphabet.
    "swapped": 4.59,
    "doubled": 1.96,
    "adjacent": 1.03,
    "heard": 1.16,
    "vowel": -1.02,
    "put": -1.69,
    "missed": 1.35,
    "added": -0.2,
    "beside": 0.59,
    "quiet": 0.77,
    # Slips against a name in the other alphabet: vowels, what sounds alike, and the rest.
    "far_vowel": -0.55,
    "far_heard": 0.0,
    "far_other": -0.54,
    # Where the slips are: in a last or first letter, for each letter asked, beyond the first in a
    # word, in words beyond the first, in words of up to four letters, of five, of six or seven.
    "last_letter": 0.0,
    "first_letter": -0.72,
    "share": -14.64,
    "crowded": 0.0,
    "scattered": 0.0,
    # Words without a slip beside those with one.
    "accompanied": 2.37,
    # A word with a slip is, as it stands, a word of other names.
    "another_word": -2.0,
    "in_short": -1.19,
    "in_five": -1.12,
    "in_seven": -0.48,
    # Words whose digits differ.
    "digits": -8.61,
    # Everything asked is part of the name; else words of the name that were not asked for; those
    # among them that are numbers.
    "part": -2.44,
    "missing": -3.33,
    "missing_number": -2.61,
    # Words asked that the name does not explain.
    "unexplained": -6.72,
    # Share of the letters of a word that were not typed yet; slips and missing words beside that.
    "cut": -3.64,
    "short_cut": 0.0,
    "cut_and_more": 0.0,
    # Another name is met by the same words and has no others.
    "overshadowed": -2.42,
    "bent": -0.06,
    "bent_in_latin": -0.4,
    "crossed": -1.89,
    # Words that only sound alike to a foreign ear.
    "by_ear": 0.0,
    "crossed_slip": 0.0,
    "bent_slip": 0.0,
    "layout": 0.31,
    "layout_slip": -3.38,
    "reordered": -0.29,
    # Words written together or apart.
    "rejoined": -1.84,
    "acronym": -6.5,
    # The question names a kind, and this is none, is one, or is loosely called so.
    "contrary": -4.28,
    "agreeing": 2.64,
    "kindred": 0.0,
}

CERTAIN = 0.91
"""From this probability on a near match resolves for reading."""
CERTAIN_OF_A_PART = 0.8
"""The same for what is, letter for letter, a part of one name and of no other."""
CONTENDER = 0.06
"""Share of the likeliest candidate's probability from which on another stands beside it."""
UNLIKELY = 0.35
"""Below this, all candidates together, nothing is said to be found."""


def log_odds(signs: Signs) -> float:
    """How much likelier than something unregistered."""
    return BIAS + sum(map(_weighed, signs.items()))


def _weighed(sign: tuple[str, float]) -> float:
    name, value = sign
    return WEIGHTS[name] * value


def probabilities(odds: Sequence[float]) -> list[float]:
    """Of each candidate, given that one or none of them is meant."""
    highest = max([0.0, *odds])
    shares = [math.exp(each - highest) for each in odds]
    total = sum(shares) + math.exp(-highest)
    return [share / total for share in shares]
