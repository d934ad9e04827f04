"""`nexus apply` shows what a catalog changes and makes it so; `nexus export` gives it back."""

from __future__ import annotations

import asyncio
import os
import pty
from pathlib import Path

import msgspec
import pytest

from tests.nexus.conftest import COMMAND, Run

EXAMPLE = Path(__file__).parents[2] / "config" / "entities.example.toml"
TOML = 'catalog = "home"\n'
ENTRY = '\n[[entries]]\nkey = "{0}"\ntype = "pet"\nnames = {{ ru = "{1}" }}\n'


async def test_it_speaks_russian_where_the_person_does(
    shell: Run, prepared: dict[str, str], tmp_path: Path
) -> None:
    prepared["LANG"] = "ru_RU.UTF-8"
    path = put(tmp_path, ("tom", "Том"))

    ended, printed = await on_terminal(prepared, "apply", path, typed="да\n")
    found = await shell("resolve", "тома")
    lost = await shell("resolve", "никто")

    assert (ended, "Применить это? [д/Н]" in printed) == (0, True)
    assert "создано: 1, изменено: 0, отправлено в архив: 0, без изменений: 0" in printed
    assert "по имени в другой форме “Том”" in found.output
    assert "Ничто так не называется." in lost.output


def put(folder: Path, *pets: tuple[str, str]) -> str:
    """A catalog of pets."""
    path = folder / "pets.toml"
    path.write_text(TOML + "".join(ENTRY.format(*pet) for pet in pets), "utf-8")
    return str(path)


async def test_the_example_is_applied_once_and_then_changes_nothing(shell: Run) -> None:
    first = await shell("apply", str(EXAMPLE))
    second = await shell("apply", str(EXAMPLE))
    found = await shell("resolve", "индексатором музыки")

    assert (first.status, second.status, found.status) == (0, 0, 0), (first, second, found)
    assert "+ nas  Storage / Хранилище  (device.host)" in first.output
    assert "created: 6, updated: 0, archived: 0, unchanged: 0" in first.output
    assert second.output == "created: 0, updated: 0, archived: 0, unchanged: 6\n"


async def test_a_plan_shows_what_would_change_and_changes_nothing(
    shell: Run, tmp_path: Path
) -> None:
    await shell("apply", put(tmp_path, ("tom", "Том"), ("rex", "Рекс")))

    changed = put(tmp_path, ("tom", "Томас"), ("fly", "Муха"))
    planned = await shell("apply", changed, "--plan", "--prune")
    again = await shell("apply", changed, "--plan", "--prune", "--json")
    applied = await shell("apply", changed, "--prune")
    done = await shell("apply", changed, "--plan", "--prune")

    assert (planned.status, again.status, applied.status, done.status) == (3, 3, 0, 0)
    assert msgspec.json.decode(again.output)["applied"] is False
    lines = planned.output.splitlines()
    assert lines[0] == "+ fly  Муха  (pet)"
    assert lines[1] == "~ tom  Томас  (pet)"
    assert "Том" in lines[2]
    assert "→" in lines[2]
    assert [line[:5] for line in lines if line[0] == "-"] == ["- rex"]
    assert "a plan; nothing is changed yet" in lines[-1]
    assert "created: 1, updated: 1, archived: 1, unchanged: 0" in applied.output


async def test_a_large_catalog_is_shown_in_part_and_counted_whole(
    shell: Run, tmp_path: Path
) -> None:
    path = put(tmp_path, *((f"k{at}", f"Кот {at}") for at in range(2000)))

    done = await shell("apply", path)

    assert len(done.output.splitlines()) == 52
    assert "+ … and 1950 more" in done.output
    assert "created: 2000" in done.output


async def on_terminal(environment: dict[str, str], *words: str, typed: str) -> tuple[int, str]:
    """Run the command on a terminal where this is typed."""
    outer, inner = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        COMMAND, *words, env=environment, stdin=inner, stdout=inner, stderr=inner
    )
    os.close(inner)
    os.write(outer, typed.encode())

    def read() -> bytes:
        printed = b""
        try:
            while piece := os.read(outer, 65536):
                printed += piece
        except OSError:
            pass
        return printed

    printed = await asyncio.to_thread(read)
    os.close(outer)
    return await process.wait(), printed.decode()


@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
async def test_on_a_terminal_it_asks_before_it_changes_anything(
    shell: Run, prepared: dict[str, str], tmp_path: Path, typed: str, status: int
) -> None:
    words = ["apply", put(tmp_path, ("tom", "Том"))]

    ended, printed = await on_terminal({**prepared, "TERM": "dumb"}, *words, typed=typed)

    known = await shell("resolve", "Том")
    assert (ended, known.status) == (status, 4 if status else 0), printed
    assert "+ tom  Том  (pet)" in printed
    assert "Apply this? [y/N]" in printed


async def test_yes_is_said_beforehand(shell: Run, prepared: dict[str, str], tmp_path: Path) -> None:
    path = put(tmp_path, ("tom", "Том"))

    ended, printed = await on_terminal(prepared, "apply", path, "--yes", typed="")

    assert (ended, "Apply this?" in printed) == (0, False)
    assert (await shell("resolve", "Том")).status == 0


async def test_a_refusal_of_nexus_names_the_place_in_the_file(shell: Run, tmp_path: Path) -> None:
    path = put(tmp_path, ("tom", "Том"), ("rex", "!!!"))

    done = await shell("apply", path)

    assert done.status == 2
    assert f"{path}:8 ('rex'): " in done.complaint
    assert (await shell("resolve", "Том")).status == 4


async def test_a_file_that_is_no_catalog_changes_nothing(shell: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: &a 1", "utf-8")

    done = await shell("apply", str(path))

    assert (done.status, done.output) == (2, "")
    assert done.complaint.startswith(f"invalid_argument (file): {path}:1: anchors")


async def test_backstage_and_tables_are_applied(shell: Run, tmp_path: Path) -> None:
    info, table = tmp_path / "catalog-info.yaml", tmp_path / "pets.csv"
    info.write_text("kind: System\nmetadata: {name: lib}\n---\nkind: T\nmetadata: {name: x}\n")
    table.write_text("key;type;name_ru\ntom;pet;Том\n", "utf-8")

    described = await shell("apply", str(info))
    listed = await shell("apply", str(table), "--catalog", "pets")
    nameless = await shell("apply", str(table))

    assert (described.status, listed.status, nameless.status) == (0, 0, 2)
    assert "passed over" in described.complaint
    assert "--catalog NAME" in nameless.complaint
    assert (await shell("resolve", "lib")).status == (await shell("resolve", "тома")).status == 0


@pytest.mark.parametrize("form", ["toml", "yaml"])
async def test_what_is_exported_is_taken_back_as_it_is(
    shell: Run, tmp_path: Path, form: str
) -> None:
    await shell("apply", str(EXAMPLE))
    path = tmp_path / f"all.{form}"

    exported = await shell("export", "--format", form, "--catalog", "home")
    path.write_text(exported.output, "utf-8")
    taken = await shell("apply", str(path), "--prune")
    part = await shell("export", "--type", "service", "--format", form)

    assert (exported.status, exported.complaint, taken.status) == (0, "", 0)
    assert taken.output == "created: 0, updated: 0, archived: 0, unchanged: 6\n"
    assert part.output.count("key") == 3
