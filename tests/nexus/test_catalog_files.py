"""Catalogs in files and folders are read whole, or refused with the place and the way out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kit.errors import InvalidArgument, ResourceExhausted, ServiceError
from nexus.catalogs import files
from nexus.catalogs.reading import read_catalog
from nexus.contract import MOST_ENTRIES

EXAMPLE = Path(__file__).parents[2] / "config" / "entities.example.toml"
TOML = (
    'catalog = "home"\n\n[[entries]]\nkey = "nas"\ntype = "device.host"\nnames = { ru = "Нас" }\n'
)
YAML = """\
catalog: home
entries:
  - key: nas
    type: device.host
    names: {ru: Нас, en: no}
    aliases: [хранилище, storage]
    attributes: {address: 10.0.0.2, disks: 4, since: 2026-11-30}
    external: {hostname: nas.local}
    relations:
      located_in: [hall, cellar]
  - key: hall
    type: Location Room
    names: {en: Hall}
  - {key: cellar, type: location-room, names: {en: Cellar}}
"""


def put(folder: Path, name: str, text: str | bytes) -> Path:
    """Write a file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(path: Path, **how: str) -> ServiceError:
    """Why the file is not read."""
    with pytest.raises(ServiceError) as refused:
        read_catalog([path], **how)  # pyright: ignore[reportArgumentType] - a form or a name
    return refused.value


def test_toml_is_read_as_the_catalog_it_declares(tmp_path: Path) -> None:
    read = read_catalog([put(tmp_path, "home.toml", TOML)])

    assert read.catalog.catalog == "home"
    assert [entry.names for entry in read.catalog.entries] == [{"ru": "Нас"}]
    assert str(read.places[0]) == f"{tmp_path}/home.toml:3"


def test_yaml_says_the_same_and_no_word_of_it_is_taken_for_something_else(tmp_path: Path) -> None:
    read = read_catalog([put(tmp_path, "home.yml", YAML)])

    nas, hall, cellar = read.catalog.entries
    assert nas.names == {"ru": "Нас", "en": "no"}
    assert nas.attributes == {"address": "10.0.0.2", "disks": 4, "since": "2026-11-30"}
    assert nas.relations == {"located_in": ["hall", "cellar"]}
    assert hall.type == cellar.type == "location.room"
    assert [place.line for place in read.places] == [3, 11, 14]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("agent_session", "agent.session"),
        ("household_object", "household.object"),
        ("external_task_project", "project.task"),
        ("Household Object", "household.object"),
        ("External-Task-Project", "project.task"),
        ("Device.Host", "device.host"),
        ("pet", "pet"),
        ("my_own.type", "my_own.type"),
    ],
)
def test_the_common_spellings_of_a_type_are_understood(
    tmp_path: Path, written: str, meant: str
) -> None:
    path = put(tmp_path, "home.toml", TOML.replace("device.host", written))

    assert read_catalog([path]).catalog.entries[0].type == meant


def test_a_folder_is_one_catalog_in_the_order_of_its_paths(tmp_path: Path) -> None:
    put(tmp_path, "b.toml", TOML)
    put(tmp_path, "a/rooms.yaml", YAML.replace("catalog: home\n", "").replace("key: nas", "key: x"))
    put(tmp_path, "notes.txt", "not a catalog")
    put(tmp_path, ".hidden/c.toml", "broken")

    read = read_catalog([tmp_path])

    assert [entry.key for entry in read.catalog.entries] == ["x", "hall", "cellar", "nas"]


def test_a_key_that_two_files_use_is_told_with_both(tmp_path: Path) -> None:
    first, second = put(tmp_path, "a.toml", TOML), put(tmp_path, "b.toml", TOML)

    refused = refusal(tmp_path)

    assert f"{second}:3: the key 'nas' is taken by {first}:3" in refused.message


def test_files_of_different_catalogs_are_not_mixed(tmp_path: Path) -> None:
    put(tmp_path, "a.toml", TOML)
    put(tmp_path, "b.toml", 'catalog = "work"\nentries = []')

    assert "'work'" in refusal(tmp_path).message
    assert refusal(tmp_path / "a.toml", name="work").field == "catalog"


@pytest.mark.parametrize(
    ("name", "text", "field", "said"),
    [
        ("a.toml", "catalog = ", "file", "is not valid TOML"),
        ("a.toml", 'catalog = "home"', "entries", "a list `entries`"),
        ("a.toml", TOML.replace("device.host", "Ы"), "entries[0].type", "lower-case words"),
        ("a.toml", TOML.replace('"nas"', '"NAS"'), "entries[0].key", "A key is"),
        ("a.toml", TOML.replace("ru =", "de ="), "entries[0].names.de", "`en`, `ru` or both"),
        ("a.toml", TOML.replace("key =", "kee ="), "entries[0].kee", "An entry has `key`"),
        ("a.toml", TOML + 'relations = { likes = "nas" }', "entries[0].relations.likes", "x_"),
        ("a.toml", TOML + 'external = { "A" = "b" }', "entries[0].external.A", "external id"),
        ("a.toml", TOML + 'relations = { runs_on = "b" }', "relations.runs_on", "no entry 'b'"),
        ("a.toml", "prune = true\n" + TOML, "prune", "has no 'prune'"),
        ("a.toml", TOML.replace("home", "My Home"), "catalog", "cannot name a catalog"),
        ("a.toml", "entries = []", "catalog", "--catalog NAME"),
        ("a.toml", "a = " + "[" * 5000, "file", "nested too deep"),
        ("a.yaml", YAML.replace("en: no", "en: 7"), "entries[0].names.en", "needs quotes"),
        ("a.yaml", YAML.replace("{en: Hall}", "Hall"), "entries[1].names", "a.yaml:11 ('hall')"),
        ("a.yaml", "a:\n\t- b", "file", "a.yaml:2: this is not valid YAML"),
        ("a.yaml", "catalog: a\ncatalog: b\n", "file", "a.yaml:2: the key 'catalog' appears twice"),
        ("a.yaml", "a: &x 1\nb: *x\n", "file", "anchors"),
        ("a.yaml", "a: {<<: {b: 1}}", "file", "merging"),
        ("a.yaml", "a: !!python/object/apply:os.abort []", "file", "the tag"),
        ("a.yaml", "? [a]\n: b\n", "file", "a key is a text"),
        ("a.yaml", "a: " + "[" * 100_000, "file", "a.yaml:1"),
        ("a.yaml", "- " * 200 + "a", "file", "nested deeper"),
        ("a.yaml", f"{YAML}---\n{YAML}", "file", "is one document"),
        ("a.yaml", "", "file", "is one document"),
        ("a.yaml", "just text", "file", "a catalog says"),
        ("a.yaml", b"catalog: home\nentries: \xff\xfe", "file", "a.yaml:2: this is not UTF-8"),
        ("a.toml", "catalog".encode("utf-16"), "file", "this is not UTF-8"),
        ("a.yaml", "a: \x00", "file", "is not valid YAML"),
        ("a.json", "{}", "file", "--format"),
    ],
)
def test_a_file_that_is_no_catalog_is_refused_with_its_place(
    tmp_path: Path, name: str, text: str | bytes, field: str, said: str
) -> None:
    refused = refusal(put(tmp_path, name, text))

    assert (refused.code, refused.field) == ("invalid_argument", field), refused
    assert said in refused.message
    assert str(tmp_path / name) in refused.message


def test_a_bomb_of_aliases_is_refused_before_it_unfolds(tmp_path: Path) -> None:
    levels = "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n"
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )

    refused = refusal(put(tmp_path, "bomb.yaml", f"a: &a [x]\n{levels}"))

    assert "anchors" in refused.message


def test_files_too_large_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGEST", 1000)
    put(tmp_path, "a.toml", TOML)
    put(tmp_path, "b.toml", "#" * 990)

    refused = refusal(tmp_path)

    assert (type(refused), refused.field) == (ResourceExhausted, "file")


def test_more_entries_than_a_catalog_may_have_are_refused(tmp_path: Path) -> None:
    rows = "".join(f"k{at},pet,Cat {at}\n" for at in range(MOST_ENTRIES + 1))
    path = put(tmp_path, "a.csv", f"key,type,name_en\n{rows}")

    refused = refusal(path, name="zoo")

    assert (type(refused), refused.field) == (ResourceExhausted, "entries")


def test_links_are_not_followed_out_of_the_folder_nor_in_circles(tmp_path: Path) -> None:
    outside = put(tmp_path, "outside/secret.toml", TOML.replace('"nas"', '"secret"'))
    folder = put(tmp_path, "catalog/a.toml", TOML).parent
    (folder / "loop").symlink_to(folder)
    (folder / "away").symlink_to(outside.parent)
    (folder / "again.toml").symlink_to(folder / "a.toml")
    (folder / "self.toml").symlink_to(folder / "self.toml")
    (folder / "out.toml").symlink_to(outside)
    os.mkfifo(folder / "pipe.toml")

    read = read_catalog([folder])

    assert [entry.key for entry in read.catalog.entries] == ["nas"]
    assert [remark for remark in read.remarks if "out.toml" in remark]


def test_a_file_that_is_not_there_and_a_folder_without_catalogs_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"gone\.toml cannot be read"):
        read_catalog([tmp_path / "gone.toml"])
    with pytest.raises(InvalidArgument, match=r"holds no file that ends in \.toml"):
        read_catalog([tmp_path])


def test_the_example_is_a_catalog() -> None:
    read = read_catalog([EXAMPLE])

    assert read.catalog.catalog == "home"
    assert read.remarks == []
