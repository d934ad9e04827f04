"""Many questions at once, search, type-ahead, what the talk is about, and what people confirmed."""

from __future__ import annotations

import pytest
import pytest_asyncio

from kit.errors import InvalidArgument
from nexus.client import NexusClient
from nexus.contract import (
    Ambiguous,
    ApplyCatalog,
    CatalogEntry,
    GiveFeedback,
    NotFound,
    Resolve,
    ResolveBatch,
    Resolved,
    Search,
    Suggest,
)
from tests.requirements import requirement

ENTRIES = [
    CatalogEntry(key="hall", type="location.room", names={"en": "Hallway", "ru": "Прихожая"}),
    CatalogEntry(
        key="lamp",
        type="household.object",
        names={"en": "Hallway lamp", "ru": "Лампа в прихожей"},
        relations={"located_in": "hall"},
    ),
    CatalogEntry(key="attic", type="household.object", names={"en": "Attic lamp"}),
    CatalogEntry(key="wolf", type="service", names={"en": "Timber Wolf"}),
    CatalogEntry(key="grey", type="project.software", names={"en": "Timber Wolf"}),
    CatalogEntry(key="bird", type="application", names={"en": "Songbird"}),
    CatalogEntry(key="assistant", type="application", names={"en": "Home Keeper"}),
]


@pytest_asyncio.fixture
async def ids(nexus: NexusClient) -> dict[str, str]:
    """The entities of the catalog, by key."""
    applied = await nexus.apply_catalog(ApplyCatalog(catalog="home", entries=ENTRIES))
    return applied.entity_ids


@requirement("nexus.resolution.three-ways", "nexus.surface.batch")
async def test_a_batch_answers_each_question_as_if_asked_alone(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    questions = [
        Resolve(text="лампе в прихожей", purpose="mutate"),
        Resolve(text="lamp"),
        Resolve(text="no such thing at all"),
        Resolve(text="Timber Wolf", types=["service"]),
    ]

    batch = await nexus.resolve_batch(ResolveBatch(questions))

    assert [type(each) for each in batch.answers] == [Resolved, Ambiguous, NotFound, Resolved]
    assert batch.answers == [await nexus.resolve(question) for question in questions]


async def test_a_batch_with_one_question_that_cannot_be_is_refused_and_names_it(
    nexus: NexusClient,
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await nexus.resolve_batch(ResolveBatch([Resolve(text="lamp"), Resolve(text="")]))

    assert caught.value.field == "questions[1].text"


@requirement("nexus.surface.search")
@pytest.mark.parametrize(
    ("prefix", "keys"),
    [
        ("hall", ["hall", "lamp"]),
        ("Hallway la", ["lamp"]),
        ("приход", []),
        ("прих", ["hall", "lamp"]),
        ("лам", ["lamp", "attic"]),
        ("son", ["bird"]),
        ("сонг", ["bird"]),
        ("ыщтп", ["bird"]),
        ("zzz", []),
        ("!!!", []),
    ],
)
async def test_a_beginning_is_completed_in_either_alphabet_and_layout(
    nexus: NexusClient, ids: dict[str, str], prefix: str, keys: list[str]
) -> None:
    suggested = await nexus.suggest(Suggest(prefix))

    assert [each.entity_id for each in suggested.candidates] == [ids[key] for key in keys]


@requirement("nexus.surface.search")
async def test_search_lists_what_a_text_may_be_about_and_decides_nothing(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    lamps = await nexus.search(Search("lamp"))
    slipped = await nexus.search(Search("sonbird"))
    narrow = await nexus.search(Search("timber wolf", types=["project"]))

    assert {each.entity_id for each in lamps.candidates} == {ids["lamp"], ids["attic"]}
    assert slipped.candidates[0].entity_id == ids["bird"]
    assert [each.entity_id for each in narrow.candidates] == [ids["grey"]]


@requirement("nexus.resolution.focus")
@pytest.mark.parametrize("text", ["it", "that service", "он", "этот сервис", "его"])
async def test_what_only_points_means_the_one_thing_in_focus_that_fits(
    nexus: NexusClient, ids: dict[str, str], text: str
) -> None:
    alone = await nexus.resolve(Resolve(text=text, focus=[ids["wolf"]]))
    mutate = await nexus.resolve(Resolve(text=text, focus=[ids["wolf"]], purpose="mutate"))
    nothing = await nexus.resolve(Resolve(text=text))

    assert isinstance(alone, Resolved)
    assert (alone.entity_id, alone.grade) == (ids["wolf"], "focus")
    assert isinstance(mutate, NotFound)
    assert [each.entity_id for each in mutate.suggestions] == [ids["wolf"]]
    assert isinstance(nothing, NotFound)


async def test_between_two_things_in_focus_nothing_decides_but_the_kind(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    focus = [ids["wolf"], ids["lamp"]]

    either = await nexus.resolve(Resolve(text="it", focus=focus))
    service = await nexus.resolve(Resolve(text="этот сервис", focus=focus))

    assert isinstance(either, Ambiguous)
    assert [each.entity_id for each in either.candidates] == focus
    assert isinstance(service, Resolved)
    assert service.entity_id == ids["wolf"]


@requirement("nexus.resolution.feedback")
async def test_a_persons_answer_settles_between_namesakes_until_it_is_taken_back(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    before = await nexus.resolve(Resolve(text="timber wolf", purpose="mutate"))
    await nexus.give_feedback(GiveFeedback("timber wolf", ids["wolf"]))
    settled = await nexus.resolve(Resolve(text="Timber Wolf", purpose="mutate"))
    await nexus.give_feedback(GiveFeedback("timber wolf", ids["wolf"], "retract"))
    after = await nexus.resolve(Resolve(text="timber wolf", purpose="mutate"))

    assert isinstance(before, Ambiguous)
    assert isinstance(settled, Resolved)
    assert (settled.entity_id, settled.grade) == (ids["wolf"], "confirmed")
    assert isinstance(after, Ambiguous)


@requirement("nexus.resolution.partial")
async def test_initials_are_only_suggested(nexus: NexusClient, ids: dict[str, str]) -> None:
    found = await nexus.resolve(Resolve(text="HK"))

    assert isinstance(found, NotFound)
    assert [(each.entity_id, each.grade) for each in found.suggestions] == [
        (ids["assistant"], "acronym")
    ]
