"""A table from a spreadsheet is a catalog; what is wrong is told with line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import InvalidArgument
from nexus.catalogs.reading import read_catalog
from tests.requirements import requirement

TABLE = """\
key,type,name_en,name_ru,aliases,description_en,description_ru,ext:hostname,rel:located_in
nas,device host,Storage,Хранилище,nas;нас,"Backups,
of all",Копии,nas.local,hall;cellar

hall,location.room,Hall,,,,,,
cellar,location.room,,Подвал
"""


def put(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    """Write a table."""
    path = folder / "things.csv"
    path.write_bytes(text.encode(encoding))
    return path


@requirement("nexus.surface.import")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_is_read_whatever_separates_its_cells(
    tmp_path: Path, delimiter: str, encoding: str
) -> None:
    text = TABLE.replace("nas;нас", '"nas;нас"').replace("hall;cellar", '"hall;cellar"')
    text = text.replace(",", delimiter).replace("\n", "\r\n")

    read = read_catalog([put(tmp_path, text, encoding)], name="home")

    nas, hall, cellar = read.catalog.entries
    assert (nas.type, nas.names) == ("device.host", {"en": "Storage", "ru": "Хранилище"})
    assert (nas.aliases, nas.external) == (["nas", "нас"], {"hostname": "nas.local"})
    assert nas.relations == {"located_in": ["hall", "cellar"]}
    assert (hall.names, cellar.names) == ({"en": "Hall"}, {"ru": "Подвал"})
    assert [place.line for place in read.places] == [2, 5, 6]


@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        ("", "header", "things.csv:1"),
        ("key,type,colour\n", "colour", "things.csv:1: there is no column 'colour'"),
        ("key,type,key,name_en\n", "key", "appears twice"),
        ("type,name_en\n", "key", "the column 'key' is missing"),
        ("key,type\n", "name_en", "name_en or name_ru is missing"),
        ("key,type,name_en,rel:likes\n", "rel:likes", "'likes' is not allowed"),
        ("key,type,name_en,ext:A B\n", "ext:A B", "'A B' is not allowed"),
        ("key,type,name_en\na,pet,Cat\nB,pet,Dog\n", "key", "things.csv:3 ('B')"),
        ("key,type,name_en\na,!,Cat\n", "type", "things.csv:2"),
        ("key,type,name_en\na,pet,\n", "name_en", "names nothing"),
        (f"key,type,name_en\na,pet,{'x' * 201}\n", "name_en", "1 to 200 characters"),
        ("key,type,name_en\na,pet,Cat,Tom\n", "row", "4 cells"),
        ('key,type,name_en\na,pet,"Cat\n', "file", "things.csv:2: this is not valid CSV"),
        (f"key,type,name_en\na,pet,{'x' * 200_000}\n", "file", "not valid CSV"),
        ("key,type,name_en\na,pet,Cat\na,pet,Dog\n", "key", "is taken by"),
    ],
)
def test_what_is_wrong_is_told_with_line_and_column(
    tmp_path: Path, text: str, field: str, said: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_catalog([put(tmp_path, text)], name="home")

    assert said in refused.value.message
    assert refused.value.field == field


def test_a_table_of_another_encoding_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = put(tmp_path, "key,type,name_ru\na,pet,Кот\n", "cp1251")

    with pytest.raises(InvalidArgument, match=r"things\.csv:2: this is not UTF-8; save"):
        read_catalog([path], name="home")


def test_a_table_has_to_be_given_a_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="--catalog NAME"):
        read_catalog([put(tmp_path, TABLE)])
