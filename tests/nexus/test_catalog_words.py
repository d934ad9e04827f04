"""What applying and exporting a catalog say where something is not as a person may think."""

from pathlib import Path

import pytest

from kit.errors import InvalidArgument
from nexus.client import NexusClient
from nexus.contract import CreateEntity, MapExternal, NotFound, Resolve, Resolved
from tests.nexus.conftest import Run
from tests.requirements import requirement

HOME = """
catalog: home
entries:
- {key: office, type: location.room, names: {en: Office}}
- {key: lamp, type: household.lamp, names: {en: Lamp}, relations: {located_in: office}}
"""


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, "utf-8")
    return str(folder / name)


@requirement("nexus.surface.catalog")
async def test_what_a_person_archived_stays_so_and_applying_says_how_to_have_it_back(
    shell: Run, tmp_path: Path
) -> None:
    file = written(tmp_path, "home.yaml", HOME)
    await shell("apply", file)
    office = (await shell("resolve", "Office")).output.split()[2]
    await shell("archive-entity", office)

    applied = await shell("apply", file)
    await shell("update-entity", office, "--status", "active")
    again = await shell("apply", file)

    assert "office stays archived, as a person archived it; to have it back: nexus" in (
        applied.output
    )
    assert "stays archived" not in again.output


@requirement("nexus.surface.catalog")
async def test_an_export_of_one_catalog_is_taken_back_beside_others(
    shell: Run, tmp_path: Path
) -> None:
    other = HOME.replace("catalog: home", "catalog: other").replace("office", "room")
    await shell("apply", written(tmp_path, "home.yaml", HOME))
    await shell("apply", written(tmp_path, "other.yaml", other))
    await shell("create-entity", "--type", "project", "--names", "en=Of no catalog")

    exported = await shell("export", "--catalog", "home")
    taken = await shell("apply", written(tmp_path, "all.toml", exported.output))
    unknown = await shell("export", "--catalog", "nosuch")

    assert taken.output.splitlines()[-1].endswith("unchanged: 2"), taken
    assert exported.output.count("[[entries]]") == 2
    assert unknown.status == 4
    assert "(catalog)" in unknown.complaint


@pytest.mark.parametrize(
    "relations", ["{part_of: a}", "{part_of: b}"], ids=["itself", "each other"]
)
async def test_a_ring_is_named_by_its_keys(shell: Run, tmp_path: Path, relations: str) -> None:
    text = f"""
catalog: home
entries:
- {{key: a, type: project, names: {{en: A}}, relations: {relations}}}
- {{key: b, type: project, names: {{en: B}}, relations: {{part_of: a}}}}
"""
    done = await shell("apply", "--plan", written(tmp_path, "ring.yaml", text))

    assert done.status not in {0, 3}
    assert "` would be part_of itself; leave one" in done.complaint
    assert "ent_" not in done.complaint


async def test_a_location_that_leads_nowhere_is_told(shell: Run, tmp_path: Path) -> None:
    text = (
        "apiVersion: backstage.io/v1alpha1\nkind: Location\nmetadata: {name: all}\n"
        "spec: {target: ./nowhere.yaml}\n"
    )

    done = await shell("apply", "--plan", written(tmp_path, "catalog-info.yaml", text))

    assert "nowhere.yaml" in done.complaint


async def test_what_is_no_file_is_not_waited_for(shell: Run) -> None:
    done = await shell("apply", "--plan", "--format", "csv", "/dev/tty")

    assert done.status == 2
    assert "no file" in done.complaint


@pytest.mark.parametrize("name", ["\u3164", "\u115f", "a\u034fb"])
async def test_a_name_nobody_sees_is_refused(nexus: NexusClient, name: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await nexus.create_entity(CreateEntity(type="project", names={"en": name}))

    assert refused.value.field == "names.en"


async def test_an_external_id_that_misleads_is_refused(nexus: NexusClient) -> None:
    made = await nexus.create_entity(CreateEntity(type="project", names={"en": "Correx"}))

    with pytest.raises(InvalidArgument):
        await nexus.map_external(MapExternal(made.entity_id, "git", "a\u202eb"))


@requirement("nexus.resolution.mutate")
async def test_latin_letters_are_no_case_form_of_a_person_for_a_change(nexus: NexusClient) -> None:
    await nexus.create_entity(CreateEntity(type="person", names={"ru": "Марина"}))

    reading = await nexus.resolve(Resolve("Marine"))
    changing = await nexus.resolve(Resolve("Marine", purpose="mutate"))
    named = await nexus.resolve(Resolve("Marina", purpose="mutate"))

    assert isinstance(reading, Resolved)
    assert isinstance(changing, NotFound)
    assert isinstance(named, Resolved)
