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

    @property
    def words(self) -> tuple[str, ...]:
        """The words in both languages, not bent."""
        return (*self.english, *self.russian)

    def agrees_with(self, entity_type: str) -> bool:
        """Whether an entity of this type is such a thing."""
        return is_of_type(entity_type, self.types)


CONCEPTS = (
    Concept("service", ("service", "daemon"), ("сервис", "служба", "демон"), ("service",)),
    Concept("repository", ("repository", "repo"), ("репозиторий", "репа"), ("repository",)),
    Concept("project", ("project",), ("проект",), ("project",)),
    Concept("application", ("application", "app"), ("приложение", "программа"), ("application",)),
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
a an the my our this that of for on in at to and
в во на с со из у к ко по для от о об и этот эта это эту этого этой этому этим этом
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
