"""Aids for typing: a history that stays private and small, suggestions, completion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

from maven.contract import Language
from maven.terminal.words import SUGGESTIONS, is_consent, language_of

_LARGEST = 256 << 10
"""Bytes of history beyond which its older half is forgotten."""


class PrivateHistory(FileHistory):
    """Utterances of before, 0600; a yes, a no and what begins with a space are not kept."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        path.chmod(0o600)
        kept = path.read_bytes()
        if len(kept) > _LARGEST:
            path.write_bytes(b"\n#" + kept[-_LARGEST // 2 :].partition(b"\n#")[2])
        super().__init__(str(path))

    def append_string(self, string: str) -> None:
        """Keep an utterance, unless it is one not to keep."""
        if not is_consent(string) and not string.startswith(" "):
            super().append_string(string)


class Suggest(AutoSuggest):
    """The rest of an utterance that began like this, newest first, in grey."""

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        """What might follow; nothing for a beginning too short to tell."""
        begun = document.text
        if len(begun.strip()) < 2:
            return None
        known = chain(reversed(buffer.history.get_strings()), SUGGESTIONS)
        rest = (text[len(begun) :] for text in known if _begins(text, begun))
        return next(map(Suggestion, rest), None)


class Complete(Completer):
    """Utterances that hold what was typed, those in the language of the conversation first."""

    def __init__(self, language: Callable[[], Language]) -> None:
        self._language = language

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """The utterances, to replace what was typed."""
        typed = document.text_before_cursor
        for text in self._ordered(language_of(typed) or self._language()):
            if typed.strip().casefold() in text:
                yield Completion(text, start_position=-len(typed))

    def _ordered(self, language: Language) -> Iterator[str]:
        yield from (text for text in SUGGESTIONS if language_of(text) == language)
        yield from (text for text in SUGGESTIONS if language_of(text) != language)


def _begins(text: str, begun: str) -> bool:
    return len(text) > len(begun) and text.casefold().startswith(begun.casefold())
