"""Orders with a condition, a time, an exception or a jest in them: Maven can keep to none."""

from __future__ import annotations

import re

from maven.domain.utterance import Utterance, fold

_ORDER = re.compile(
    r"\b(?:restart|reboot|bounce|relaunch"
    r"|(?:перезапусти|перезагрузи)(?:те|ть|м)?|(?:перезапускай|перезагружай)(?:те)?"
    r"|рестартни|рестартани|рестартнуть|рестартануть|рестартуй|ребутни|ребутнуть|перестартуй)\b"
)
_ASKING = re.compile(
    r"^(?:what|who|how|why|where|which|did|does|was|were|is|has|have|что|кто|как|почему|чем|где)\b"
)
_UNIT = r"(?:second|sec|minute|min|hour|day|week|month|moment|bit|while)"
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|понедельник|вторник|среду|четверг|пятницу|субботу"
    r"|воскресенье"
)
_QUALIFIERS = re.compile(
    r"\b(?:"
    # under a condition
    r"if|unless|when|whenever|once(?! more)|while|until|till|before|after|otherwise|in case"
    r"|provided|assuming|whether"
    r"|если|когда|как только|пока|после|перед|иначе|вдруг|разве|при условии|в случае"
    # at a time
    r"|tomorrow|tonight|later|soon|daily|weekly|hourly|every|next|midnight|noon|o'clock|from now"
    rf"|in (?:\d+|an?|one|two|three|five|ten|half|some|the) ?\w* ?{_UNIT}s?|at \d+"
    r"|(?:this|in the) (?:morning|afternoon|evening)|at night"
    r"|завтра|послезавтра|вечером|утром|ночью|днем|позже|попозже|позднее|скоро|через|ежедневно"
    r"|каждый|каждую|каждые|каждое|каждого|полночь|полдень|на выходных|в \d+|на ночь|к утру"
    rf"|{_DAY}"
    # with an exception or a choice left open
    r"|not|don't|dont|never|except|excluding|but|without|neither|nor|either|or|instead"
    r"|не|ни|кроме|исключая|без|или|либо|вместо"
    # not meant
    r"|maybe|perhaps|probably|kidding|joking|joke|jk|lol|pretend"
    r"|шучу|шутка|шутю|прикол|наверное|возможно|может|понарошку|якобы"
    r")\b"
)


def is_qualified(name: str) -> bool:
    """Whether what stands for a name says when, whether or to what not."""
    return bool(_QUALIFIERS.search(fold(name)))


def is_qualified_order(utterance: Utterance) -> bool:
    """Whether a text that is no sentence by itself orders something with such a restriction."""
    said = fold(utterance.text).strip()
    if utterance.is_question or _ASKING.search(said):
        return False
    return bool(_ORDER.search(said)) and is_qualified(said)
