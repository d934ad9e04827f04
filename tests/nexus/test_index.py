"""The index follows every change and keeps nothing of what is gone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nexus.contract import Alias, Entity, ExternalReference
from nexus.domain.match import Tier
from nexus.index import NameIndex
from nexus.morphology import case_forms

NAMES = [
    "Vecna",
    "Векна",
    "Muzick indexer",
    "MuzickIndexer",
    "Кухонная лампа",
    "лампа лампа",
    "C++",
]
ASKED = [*NAMES, "векну", "лампу", "лампе", "muzick", "индексатор музика", "vacna", "ent_1"]


@st.composite
def entities(draw: st.DrawFn) -> Entity:
    number = draw(st.integers(0, 3))
    text = st.sampled_from(NAMES)
    return Entity(
        entity_id=f"ent_{number}",
        type="service",
        names={"en": draw(text)},
        status=draw(st.sampled_from(["active", "archived"])),
        aliases=[
            Alias(text=alias, language="und", origin="declared")
            for alias in draw(st.lists(text, max_size=2))
        ],
        external=[ExternalReference(system="s", external_id=draw(text))],
    )


def put(index: NameIndex, entity: Entity) -> None:
    index.put(entity, case_forms(index.unbent([entity])))


@given(st.lists(entities(), max_size=8))
def test_an_index_that_saw_changes_answers_as_one_made_of_the_outcome(
    changes: list[Entity],
) -> None:
    lived, fresh = NameIndex(), NameIndex()
    for entity in changes:
        put(lived, entity)
    for entity in {entity.entity_id: entity for entity in changes}.values():
        put(fresh, entity)

    for text in ASKED:
        assert set(map(repr, lived.find(text))) == set(map(repr, fresh.find(text)))


def test_a_dictionary_form_outlives_a_change_of_the_entity() -> None:
    index = NameIndex()
    entity = Entity(entity_id="ent_1", type="t", names={"ru": "Отец"}, status="active")

    for _ in range(2):
        put(index, entity)

    assert [match.grade for match in index.find("отцом")] == ["inflected"]


def test_many_namesakes_are_ambiguous_and_a_word_of_many_names_is_not_resolved() -> None:
    index = NameIndex()
    for number in range(3000):
        names = {"en": "Twin"} if number < 300 else {"en": f"Unit{number} worker"}
        put(
            index,
            Entity(entity_id=f"ent_{number}", type="service", names=names, status="active"),
        )

    twins = index.find("twin")
    workers = index.find("worker")
    one = index.find("worker unit2999")

    assert len(twins) > 1
    assert {match.tier for match in twins} == {Tier.NAME}
    assert len(workers) > 1
    assert not any(match.is_firm() for match in workers)
    assert [match.entity.entity_id for match in one] == ["ent_2999"]
