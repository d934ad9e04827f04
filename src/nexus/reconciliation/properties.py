"""What can be asked of an entity by a property id: names, type, ids in other systems, relations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from nexus.contract import Entity, Language, Predicate, RelatedEntity
from nexus.store.vocabulary import InUse

Value = str | RelatedEntity

_FIXED: dict[str, tuple[str, str]] = {
    "name_en": ("English name", "английское название"),
    "name_ru": ("Russian name", "русское название"),
    "alias": ("other name", "другое название"),
    "description": ("description", "описание"),
    "type": ("type", "тип"),
    "status": ("status", "состояние"),
}
NAMES = frozenset({"name_en", "name_ru", "alias"})
"""Properties whose values are names."""
_PREDICATES: dict[str, tuple[str, str]] = {
    "part_of": ("part of", "часть чего"),
    "runs_on": ("runs on", "работает на"),
    "depends_on": ("depends on", "зависит от"),
    "source_of": ("source of", "исходный код чего"),
    "owned_by": ("owned by", "чьё"),
    "located_in": ("located in", "где находится"),
    "works_on": ("works on", "работает над"),
    "tracks": ("tracks", "следит за"),
    "uses": ("uses", "использует"),
    "provides": ("provides", "предоставляет"),
    "consumes": ("consumes", "потребляет"),
    "member_of": ("member of", "состоит в"),
    "controls": ("controls", "управляет"),
    "monitors": ("monitors", "наблюдает за"),
}
_EXTERNAL = "external."
"""Before the name of a system that is called like something else here."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property id and what people call it."""

    id: str
    english: str
    russian: str

    def name(self, language: Language | None) -> str:
        """What it is called in a language."""
        return self.russian if language == "ru" else self.english


def property_of(property_id: str) -> Property:
    """A property by its id; an id that nothing has is called by itself."""
    if property_id in _FIXED:
        return Property(property_id, *_FIXED[property_id])
    if is_relation(property_id):
        plain = property_id.removeprefix("x_").replace("_", " ")
        return Property(property_id, *_PREDICATES.get(property_id, (plain, plain)))
    system = property_id.removeprefix(_EXTERNAL)
    return Property(property_id, f"id in {system}", f"идентификатор в {system}")


def properties_of(in_use: InUse) -> list[Property]:
    """Every property that an entity can have a value of."""
    systems = (
        f"{_EXTERNAL}{system}" if system in _FIXED or is_relation(system) else system
        for system in in_use.systems
    )
    return [property_of(each) for each in (*_FIXED, *in_use.predicates, *systems)]


def is_relation(property_id: str) -> bool:
    """Whether the property leads to other entities."""
    try:
        msgspec.convert(property_id, Predicate)
    except msgspec.ValidationError:
        return False
    return True


def is_external(property_id: str) -> bool:
    """Whether the property is an id in another system."""
    return property_id not in _FIXED and not is_relation(property_id)


def external_texts(property_id: str, external_id: str) -> tuple[str, ...]:
    """How Nexus is asked for an entity by its id in another system."""
    systems = dict.fromkeys((property_id, property_id.removeprefix(_EXTERNAL)))
    return tuple(f"{system}:{external_id}" for system in systems)


def values_of(entity: Entity, property_id: str) -> list[Value]:
    """What an entity has of a property."""
    match property_id:
        case "name_en" | "name_ru":
            return _present(entity.names.get(property_id.removeprefix("name_")))
        case "alias":
            return [alias.text for alias in entity.aliases]
        case "description":
            return _present(" · ".join(entity.description.values()))
        case "type":
            return [entity.type]
        case "status":
            return [entity.status]
        case _ if is_relation(property_id):
            return [each for each in entity.relations if each.predicate == property_id]
        case _:
            return list(_external_ids(entity, property_id))


def comparable_of(entity: Entity, property_id: str) -> list[Value]:
    """What a value that is asked for may equal: an entity is also of the types above its own."""
    if property_id != "type":
        return values_of(entity, property_id)
    words = entity.type.split(".")
    return [".".join(words[:length]) for length in range(len(words), 0, -1)]


def _external_ids(entity: Entity, property_id: str) -> Iterator[str]:
    systems = {property_id, property_id.removeprefix(_EXTERNAL)}
    for reference in entity.external:
        if reference.system in systems:
            yield reference.external_id


def _present(text: str | None) -> list[Value]:
    return [text] if text else []
