"""The command `nexus` answers people and scripts; its exit status says how a name resolved."""

from __future__ import annotations

import msgspec
import pytest

from tests.nexus.conftest import Run
from tests.requirements import requirement


async def know(shell: Run, *names: str) -> list[str]:
    """Create projects of these names; their ids."""
    made = [
        await shell("create-entity", "--type", "project", "--names", f"en={name}", "--json")
        for name in names
    ]
    return [msgspec.json.decode(done.output)["entity_id"] for done in made]


@requirement("nexus.surface.cli")
@pytest.mark.parametrize(
    ("words", "status", "shown"),
    [
        (["resolve", "коррекс"], 0, "Correx  (project)"),
        (["resolve", "indexer"], 3, "1. M"),
        (["resolve", "никто"], 4, "nexus create-entity"),
        (["resolve", "muzick", "--purpose", "mutate"], 4, "nexus add-alias ENTITY_ID NAME"),
        (["show", "ent_00000000000000000000000000"], 4, "not_found (entity_id)"),
        (["resolve", ""], 2, "invalid_argument (text)"),
    ],
    ids=["resolved", "ambiguous", "not_found", "suggested", "no such entity", "no text"],
)
async def test_the_exit_status_says_how_it_went(
    shell: Run, words: list[str], status: int, shown: str
) -> None:
    await know(shell, "Correx", "Muzick indexer", "Manga indexer")

    plain = await shell(*words)
    as_json = await shell(*words, "--json")

    assert plain.status == as_json.status == status, (plain, as_json)
    assert shown in plain.output + plain.complaint
    if words[0] == "resolve" and words[1]:
        reply = msgspec.json.decode(as_json.output)
        assert reply["status"] in {"resolved", "ambiguous", "not_found"}


async def test_a_resolved_name_shows_what_it_is_and_how_it_matched(shell: Run) -> None:
    (entity_id,) = await know(shell, "Correx")

    done = await shell("resolve", "коррекса")

    first, second, third = done.output.splitlines()
    assert (first, second.strip()) == ("Correx  (project)", entity_id)
    assert "“Correx”" in third


async def test_candidates_are_numbered_and_told_apart(shell: Run) -> None:
    ids = await know(shell, "Muzick indexer", "Manga indexer")

    done = await shell("resolve", "indexer")

    assert {f"{number}." for number in (1, 2)} <= set(done.output.split())
    assert all(entity_id in done.output for entity_id in ids)
    assert "Ask with more of the name" in done.output


async def test_a_name_that_drives_a_terminal_is_written_out(shell: Run) -> None:
    done = await shell("resolve-batch", "\x1b[2Jникто")

    assert "\x1b" not in done.output
    assert "\\u001b[2Jникто: not found" in done.output


async def test_many_texts_are_resolved_from_arguments_or_from_lines(shell: Run) -> None:
    await know(shell, "Correx", "Muzick indexer", "Manga indexer")

    given = await shell("resolve-batch", "коррекс", "indexer")
    piped = await shell("resolve-batch", typed="коррекс\n\ncorrex\n")
    none = await shell("resolve-batch", "correx", "никто", "indexer", "--json")

    assert (given.status, piped.status, none.status) == (3, 0, 4)
    assert [line.split(": ")[0] for line in given.output.splitlines()] == ["коррекс", "indexer"]
    assert "ambiguous: M" in given.output
    assert piped.output.count("Correx  (project)") == 2
    assert [each["status"] for each in msgspec.json.decode(none.output)["answers"]] == [
        "resolved",
        "not_found",
        "ambiguous",
    ]


async def test_more_texts_than_one_call_takes_are_asked_in_several(shell: Run) -> None:
    done = await shell("resolve-batch", typed="никто\n" * 501)

    assert (done.status, done.output.count("not found")) == (4, 501)


async def test_no_texts_at_all_are_refused_with_the_way_out(shell: Run) -> None:
    done = await shell("resolve-batch", typed="\n")

    assert (done.status, done.output) == (2, "")
    assert "lines of the standard input" in done.complaint


@requirement("nexus.surface.cli")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("nexus show correx", True),
        ("nexus list-relations correx", True),
        ("nexus relate ent_a part_of correx", True),
        ("nexus show zzz", False),
        ("nexus show ''", False),
    ],
)
async def test_the_shell_completes_ids_by_name(shell: Run, typed: str, completed: bool) -> None:
    (entity_id,) = await know(shell, "Correx")

    done = await complete(shell, typed)

    assert done == ([f"plain,{entity_id}"] if completed else [])


async def test_the_shell_completes_names_as_one_word(shell: Run) -> None:
    await know(shell, "Correx & co")
    offered = ["plain,Correx\\ \\&\\ co"]

    assert await complete(shell, "nexus resolve correx") == offered
    assert await complete(shell, "nexus resolve-batch correx") == offered


async def test_completion_is_silent_where_nexus_is_down(run: Run) -> None:
    words = {"COMP_WORDS": "nexus show correx", "COMP_CWORD": "2"}

    done = await run(**words, _NEXUS_COMPLETE="bash_complete")

    assert (done.output.strip(), done.complaint) == ("", "")


async def complete(shell: Run, typed: str) -> list[str]:
    """What bash is offered for the last word."""
    at = str(len(typed.split()) - 1)
    done = await shell(COMP_WORDS=typed, COMP_CWORD=at, _NEXUS_COMPLETE="bash_complete")
    assert done.complaint == ""
    return [line for line in done.output.splitlines() if line]
