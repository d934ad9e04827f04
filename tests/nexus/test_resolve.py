"""Names in two languages lead to one entity, to a question, or to nothing; never to a wrong one."""

from __future__ import annotations

import pytest
import pytest_asyncio

from nexus.client import NexusClient
from nexus.contract import (
    AddAlias,
    Ambiguous,
    ApplyCatalog,
    ArchiveEntity,
    CatalogEntry,
    CreateEntity,
    ListHistory,
    NotFound,
    Purpose,
    Resolution,
    Resolve,
    Resolved,
)
from tests.requirements import requirement

ENTRIES = [
    CatalogEntry(key="host", type="device.host", names={"en": "Shelf", "ru": "Полка"}),
    CatalogEntry(
        key="vecna",
        type="service.supervised",
        names={"en": "Vecna", "ru": "Векна"},
        external={"supervisor": "vecna"},
        relations={"runs_on": "host"},
    ),
    CatalogEntry(
        key="praxis",
        type="service.supervised",
        names={"en": "Praxis"},
        relations={"runs_on": "host"},
    ),
    CatalogEntry(key="correx", type="repository.git", names={"en": "Correx"}),
    CatalogEntry(key="muzick", type="service.supervised", names={"en": "Muzick indexer"}),
    CatalogEntry(key="manga", type="service.supervised", names={"en": "Manga indexer"}),
    CatalogEntry(key="lamp", type="household.object", names={"ru": "Кухонная лампа"}),
    CatalogEntry(key="cloud", type="application", names={"en": "NextCloud"}),
]


@pytest_asyncio.fixture
async def ids(nexus: NexusClient) -> dict[str, str]:
    """The entities of the catalog, by key."""
    applied = await nexus.apply_catalog(ApplyCatalog(catalog="home", entries=ENTRIES))
    return applied.entity_ids


async def resolve(nexus: NexusClient, text: str, purpose: Purpose = "mutate") -> Resolution:
    return await nexus.resolve(Resolve(text=text, purpose=purpose))


@requirement("nexus.resolution.inflection", "arch.1")
@pytest.mark.parametrize(
    ("text", "key", "grade"),
    [
        ("Vecna", "vecna", "exact"),
        ("vecna", "vecna", "exact"),
        ("  VECNA!", "vecna", "exact"),
        ("ВЕКНА", "vecna", "exact"),
        ("векну", "vecna", "inflected"),
        ("векне", "vecna", "inflected"),
        ("векной", "vecna", "inflected"),
        ("the vecna service", "vecna", "exact"),
        ("сервис векна", "vecna", "exact"),
        ("службу Векну", "vecna", "inflected"),
        ("Vecna's", "vecna", "exact"),
        ("supervisor:vecna", "vecna", "external"),
        ("праксис", "praxis", "transliterated"),
        ("праксиса", "praxis", "transliterated"),
        ("Praxis'ом", "praxis", "inflected"),
        ("коррекс", "correx", "transliterated"),
        ("логи коррекса".removeprefix("логи "), "correx", "transliterated"),
        ("репозиторий коррекс", "correx", "transliterated"),
        ("the correx repository", "correx", "exact"),
        ("muzick-indexer", "muzick", "exact"),
        ("MuzickIndexer", "muzick", "exact"),
        ("indexer muzick", "muzick", "reordered"),
        ("индексатор музика", "muzick", "reordered"),
        ("индексатора манга", "manga", "reordered"),
        ("кухонной лампе", "lamp", "inflected"),
        ("кухонную лампу", "lamp", "inflected"),
        ("kukhonnaya lampa", "lamp", "transliterated"),
        ("лампу кухонную", "lamp", "reordered"),
        ("nextcloud", "cloud", "exact"),
        ("next cloud", "cloud", "exact"),
        ("шелф", "host", "transliterated"),
    ],
)
async def test_a_verified_name_resolves_even_for_a_mutation(
    nexus: NexusClient, ids: dict[str, str], text: str, key: str, grade: str
) -> None:
    found = await resolve(nexus, text)

    assert isinstance(found, Resolved), found
    assert (found.entity_id, found.grade) == (ids[key], grade)


async def test_an_id_resolves_to_itself(nexus: NexusClient, ids: dict[str, str]) -> None:
    found = await resolve(nexus, ids["vecna"])

    assert isinstance(found, Resolved)
    assert (found.entity_id, found.grade) == (ids["vecna"], "id")


@requirement("arch.2")
@pytest.mark.parametrize("purpose", ["read", "mutate"])
@pytest.mark.parametrize(
    "text", ["indexer", "the indexer", "индексатор", "индексатора", "INDEXER", "сервис индексатор"]
)
async def test_a_shared_word_is_ambiguous_and_says_what_tells_the_candidates_apart(
    nexus: NexusClient, ids: dict[str, str], text: str, purpose: Purpose
) -> None:
    found = await resolve(nexus, text, purpose)

    assert isinstance(found, Ambiguous), found
    marks = {each.entity_id: each.distinguished_by for each in found.candidates}
    assert marks == {ids["muzick"]: "Muzick", ids["manga"]: "Manga"}


@requirement("nexus.resolution.partial")
@pytest.mark.parametrize("text", ["muzick", "the muzick service", "MUZICK"])
async def test_a_unique_part_of_a_name_resolves_for_reading_only(
    nexus: NexusClient, ids: dict[str, str], text: str
) -> None:
    read = await resolve(nexus, text, "read")
    mutate = await resolve(nexus, text, "mutate")

    assert isinstance(read, Resolved)
    assert (read.entity_id, read.grade) == (ids["muzick"], "partial")
    assert isinstance(mutate, NotFound)
    assert [each.entity_id for each in mutate.suggestions] == [ids["muzick"]]


@pytest.mark.parametrize("purpose", ["read", "mutate"])
@pytest.mark.parametrize("text", ["музик", "музика"])
async def test_a_part_of_a_name_in_the_other_alphabet_is_suggested(
    nexus: NexusClient, ids: dict[str, str], text: str, purpose: Purpose
) -> None:
    """Something that nobody registered in these letters may well be called so."""
    found = await resolve(nexus, text, purpose)

    assert isinstance(found, NotFound)
    assert found.suggestions[0].entity_id == ids["muzick"]


@requirement("nexus.resolution.mutate")
@pytest.mark.parametrize("text", ["vacna", "vecnaa", "vcna", "evcna", "векма", "коррецс"])
async def test_a_slip_of_the_finger_is_only_suggested_for_a_mutation(
    nexus: NexusClient, ids: dict[str, str], text: str
) -> None:
    found = await resolve(nexus, text, "mutate")

    assert isinstance(found, NotFound), found
    assert found.suggestions[0].grade in {"typo", "sound"}
    assert found.suggestions[0].entity_id in {ids["vecna"], ids["correx"]}


@requirement("nexus.resolution.slips")
@pytest.mark.parametrize(
    ("text", "key", "grade"),
    [
        ("muzick indxer", "muzick", "typo"),
        ("манга indexre", "manga", "typo"),
        ("кухонную лапму", "lamp", "typo"),
        ("nextclaud", "cloud", "sound"),
        ("vfyuf byltrcfnjh", "manga", "layout"),
        ("дфтв нет никакой", None, None),
    ],
)
async def test_a_likely_slip_resolves_for_reading(
    nexus: NexusClient, ids: dict[str, str], text: str, key: str | None, grade: str | None
) -> None:
    found = await resolve(nexus, text, "read")

    if key is None:
        assert isinstance(found, NotFound)
    else:
        assert isinstance(found, Resolved), found
        assert (found.entity_id, found.grade) == (ids[key], grade)


@pytest.mark.parametrize(
    "text",
    ["nothing like it", "ничего похожего", "zzzz", "service", "the", "!!!", "\u202e", "\x00"],
)
async def test_what_nobody_registered_is_not_found(
    nexus: NexusClient, ids: dict[str, str], text: str
) -> None:
    found = await resolve(nexus, text, "read")

    assert found == NotFound()


async def test_a_wrong_kind_in_words_keeps_a_mutation_from_resolving(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    found = await resolve(nexus, "репозиторий векна")

    assert isinstance(found, NotFound)
    assert [each.entity_id for each in found.suggestions] == [ids["vecna"]]


@requirement("nexus.resolution.kinds")
async def test_a_kind_in_words_chooses_between_namesakes(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    await nexus.create_entity(CreateEntity(type="project.software", names={"en": "Vecna"}))

    bare = await resolve(nexus, "vecna")
    service = await resolve(nexus, "сервис векна")
    project = await resolve(nexus, "the vecna project")

    assert isinstance(bare, Ambiguous)
    assert {each.distinguished_by for each in bare.candidates} == {
        "project.software",
        "service.supervised",
    }
    assert isinstance(service, Resolved)
    assert service.type == "service.supervised"
    assert isinstance(project, Resolved)
    assert project.type == "project.software"


async def test_a_namesake_in_the_other_alphabet_is_a_namesake(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    await nexus.create_entity(CreateEntity(type="project.software", names={"ru": "Коррекс"}))
    await nexus.create_entity(CreateEntity(type="project.software", names={"en": "Praxis"}))

    for text in ("correx", "коррекс", "коррексом", "praxis", "праксис"):
        found = await resolve(nexus, text)

        assert isinstance(found, Ambiguous), (text, found)
        assert len(found.candidates) == 2


async def test_who_shares_a_display_name_shares_every_other_name_too(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    """«мейвен» is declared of one Maven alone, yet a person may call the other so."""
    await nexus.create_entity(CreateEntity(type="service", names={"en": "Maven"}))
    project = await nexus.create_entity(
        CreateEntity(type="project", names={"en": "Maven", "ru": "Мейвен"})
    )

    bare = await resolve(nexus, "мейвен")
    told = await resolve(nexus, "проект мейвен")

    assert isinstance(bare, Ambiguous)
    assert isinstance(told, Resolved)
    assert told.entity_id == project.entity_id


async def test_an_expected_type_is_a_hard_filter(nexus: NexusClient, ids: dict[str, str]) -> None:
    inside = await nexus.resolve(Resolve(text="vecna", types=["service"]))
    outside = await nexus.resolve(Resolve(text="vecna", types=["servic", "device"]))
    by_id = await nexus.resolve(Resolve(text=ids["vecna"], types=["device"]))

    assert isinstance(inside, Resolved)
    assert outside == by_id == NotFound()


@requirement("nexus.resolution.focus")
async def test_focus_orders_candidates_and_never_decides(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    for key in ("muzick", "manga"):
        found = await nexus.resolve(Resolve(text="indexer", focus=[ids[key]]))

        assert isinstance(found, Ambiguous)
        assert len(found.candidates) == 2
        assert found.candidates[0].entity_id == ids[key]


@pytest.mark.parametrize("purpose", ["read", "mutate"])
async def test_a_suggested_alias_never_resolves(
    nexus: NexusClient, ids: dict[str, str], purpose: Purpose
) -> None:
    await nexus.add_alias(AddAlias(entity_id=ids["vecna"], text="железяка", origin="suggested"))

    found = await resolve(nexus, "железяка", purpose)

    assert isinstance(found, NotFound)
    assert [each.entity_id for each in found.suggestions] == [ids["vecna"]]


async def test_a_confirmed_alias_resolves_at_once_in_every_form(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    await nexus.add_alias(
        AddAlias(entity_id=ids["vecna"], text="железяка", language="ru", origin="confirmed")
    )

    for text in ("железяка", "ЖЕЛЕЗЯКУ", "железякой", "zhelezyaka"):
        found = await resolve(nexus, text)

        assert isinstance(found, Resolved)
        assert (found.entity_id, found.evidence) == (ids["vecna"], "железяка")


async def test_two_owners_of_one_name_are_ambiguous(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    for key in ("vecna", "praxis"):
        await nexus.add_alias(AddAlias(entity_id=ids[key], text="железяка", origin="confirmed"))

    found = await resolve(nexus, "железяку")

    assert isinstance(found, Ambiguous)
    assert {each.entity_id for each in found.candidates} == {ids["vecna"], ids["praxis"]}


async def test_an_external_id_that_is_anothers_name_is_ambiguous(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    other = await nexus.create_entity(
        CreateEntity(type="project.task", names={"en": "Errands"}, external={"tasks": "vecna"})
    )

    bare = await resolve(nexus, "vecna")
    full = await resolve(nexus, "tasks:vecna")

    assert isinstance(bare, Ambiguous)
    assert isinstance(full, Resolved)
    assert full.entity_id == other.entity_id


async def test_what_is_archived_answers_by_its_ids_alone_and_for_reading_alone(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    await nexus.archive_entity(ArchiveEntity(entity_id=ids["vecna"]))

    by_name = await resolve(nexus, "vecna service", "read")
    for text in (ids["vecna"], "supervisor:vecna"):
        read = await resolve(nexus, text, "read")
        mutate = await resolve(nexus, text, "mutate")

        assert isinstance(read, Resolved)
        assert isinstance(mutate, NotFound)
    assert by_name == NotFound()


async def test_labels_follow_the_language_of_the_question(
    nexus: NexusClient, ids: dict[str, str]
) -> None:
    english = await resolve(nexus, "vecna")
    russian = await resolve(nexus, "векну")
    asked = await nexus.resolve(Resolve(text="vecna", language="ru"))

    assert isinstance(english, Resolved)
    assert isinstance(russian, Resolved)
    assert isinstance(asked, Resolved)
    assert (english.label, russian.label, asked.label) == ("Vecna", "Векна", "Векна")


async def test_namesakes_of_one_type_are_told_apart_by_where_they_run(nexus: NexusClient) -> None:
    entries = [
        CatalogEntry(key="h1", type="device.host", names={"en": "Attic", "ru": "Чердак"}),
        CatalogEntry(key="h2", type="device.host", names={"en": "Cellar", "ru": "Подвал"}),
        *(
            CatalogEntry(
                key=f"backup.{host}",
                type="service",
                names={"en": "Backup"},
                relations={"runs_on": host},
            )
            for host in ("h1", "h2")
        ),
    ]
    await nexus.apply_catalog(ApplyCatalog(catalog="hosts", entries=entries))

    found = await resolve(nexus, "backup")
    russian = await resolve(nexus, "бэкап")

    assert isinstance(found, Ambiguous)
    assert {each.distinguished_by for each in found.candidates} == {"Attic", "Cellar"}
    assert isinstance(russian, Ambiguous | NotFound)


@requirement("nexus.resolution.read-only")
async def test_resolving_writes_nothing(nexus: NexusClient, ids: dict[str, str]) -> None:
    before = await nexus.list_history(ListHistory(limit=500))

    for text in ("vecna", "vacna", "indexer", "nobody", "железяка"):
        await resolve(nexus, text)
    after = await nexus.list_history(ListHistory(limit=500))

    assert after == before
