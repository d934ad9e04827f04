"""Words that say what kind of thing is meant, and words that say nothing, in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nexus.domain.endings import decline


@dataclass(frozen=True, slots=True)
class Concept:
    """A kind of thing and the words for it; with types, naming it hints at them."""

    name: str
    english: tuple[str, ...]
    russian: tuple[str, ...]
    types: tuple[str, ...] = ()
    kindred: tuple[str, ...] = ()
    """Types of things that people call so loosely."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words in both languages, not bent."""
        return (*self.english, *self.russian)

    def agrees_with(self, entity_type: str) -> bool:
        """Whether an entity of this type is such a thing."""
        return is_of_type(entity_type, self.types)

    def nearly_agrees_with(self, entity_type: str) -> bool:
        """Whether people may loosely call an entity of this type so."""
        return is_of_type(entity_type, self.kindred)


CONCEPTS = (
    Concept(
        "service",
        ("service", "daemon"),
        ("сервис", "служба", "демон"),
        ("service",),
        ("application", "project.software"),
    ),
    Concept(
        "repository",
        ("repository", "repo"),
        ("репозиторий", "репа"),
        ("repository",),
        ("project.software",),
    ),
    Concept("project", ("project",), ("проект",), ("project",), ("repository",)),
    Concept(
        "application",
        ("application", "app"),
        ("приложение", "программа"),
        ("application",),
        ("service", "project.software"),
    ),
    Concept(
        "host",
        ("host", "machine", "computer"),
        ("хост", "машина", "компьютер"),
        ("device.host",),
    ),
    Concept("server", ("server",), ("сервер",), ("device.host", "service")),
    Concept("device", ("device",), ("устройство",), ("device", "household.object")),
    Concept("agent", ("agent",), ("агент",), ("agent",)),
    Concept("session", ("session",), ("сессия", "сеанс"), ("agent.session",)),
    Concept("person", ("person",), ("человек",), ("person",)),
    Concept("pet", ("pet",), ("питомец",), ("pet",)),
    Concept("room", ("room",), ("комната",), ("location",)),
    Concept("place", ("place", "location"), ("место", "локация"), ("location",)),
    Concept(
        "thing",
        ("thing", "object", "item"),
        ("вещь", "предмет", "штука"),
        ("household.object", "device"),
    ),
    Concept("task", ("task",), ("задача",), ("project.task",)),
    Concept("indexer", ("indexer",), ("индексатор",)),
    Concept("gateway", ("gateway",), ("шлюз",)),
    Concept("scheduler", ("scheduler",), ("планировщик",)),
)
_BY_WORD = {
    form: concept
    for concept in CONCEPTS
    for word in concept.words
    for form in (word, *(decline(word) if word in concept.russian else ()))
}
_EMPTY_TEXT = """
a an the my our this that of for on in at to and or
в во на с со из у к ко по для от о об и или этот эта это эту этого этой этому этим этом
тот та то ту того той мой моя мое мою моего моей наш наша наше нашу нашего нашей
"""
EMPTY = frozenset(_EMPTY_TEXT.split())
"""Words that name nothing by themselves."""


def concept_of(word: str) -> Concept | None:
    """The kind of thing a folded word names, in any case form."""
    return _BY_WORD.get(word)


def is_of_type(entity_type: str, prefixes: Sequence[str]) -> bool:
    """Whether a dotted type is one of these or below one of them."""
    return any(entity_type == each or entity_type.startswith(f"{each}.") for each in prefixes)
