"""Put an outcome into words: templates in both languages, facts and nothing else."""

from __future__ import annotations

from maven.domain.outcome import Dropped, Outcome
from maven.domain.phrase import en_talk, en_words, en_world, ru_talk, ru_words, ru_world
from maven.domain.utterance import Language
from maven.domain.watch import News
from maven.domain.words import Moment

__all__ = ["en_talk", "en_world", "phrase", "phrase_news", "ru_talk", "ru_world", "unkept"]


def phrase(outcome: Outcome, dropped: Dropped | None, moment: Moment) -> str:
    """What Maven answers."""
    speech = ru_words if moment.language == "ru" else en_words
    text = speech.say(outcome, moment)
    return text if dropped is None else f"{speech.say_dropped(dropped)} {text}"


def unkept(language: Language) -> str:
    """That a turn was answered and could not be stored."""
    return (ru_words if language == "ru" else en_words).UNKEPT


def phrase_news(news: News, moment: Moment) -> str:
    """What Maven says unasked."""
    return (ru_talk if moment.language == "ru" else en_talk).say_news(news, moment)
