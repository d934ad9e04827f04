"""The command `praxis` reports from any shell, and says what needs attention in both languages."""

import sys
from pathlib import Path

import msgspec
import pytest

from praxis.contract import AttentionList, Item, RejectedList, RoutineList
from tests.praxis.conftest import Run
from tests.requirements import requirement

RUSSIAN = {"LANG": "ru_RU.UTF-8"}


async def attention(shell: Run) -> AttentionList:
    done = await shell("attention", "--json")
    return msgspec.json.decode(done.output, type=AttentionList)


async def only(shell: Run) -> Item:
    (ranked,) = (await attention(shell)).items
    return ranked.item


async def test_an_empty_list_says_why_it_may_be_believed_or_not(shell: Run) -> None:
    english, russian = await shell("attention"), await shell("attention", **RUSSIAN)

    assert english.output.splitlines()[0] == "Nothing needs attention."
    assert "No source is registered, so nothing can be known." in english.output
    assert russian.output.splitlines()[0] == "Ничто не требует внимания."
    assert "знать неоткуда" in russian.output


@requirement("praxis.surface.cli")
async def test_a_failed_ping_is_an_item_until_the_next_success(shell: Run) -> None:
    await shell("ping", "nightly-backup", "start")
    failed = await shell("ping", "nightly-backup", "2", "-m", "disk full")
    item = await only(shell)
    shown = await shell("attention", **RUSSIAN)
    await shell("ping", "nightly-backup")

    assert (failed.status, failed.output, failed.complaint) == (0, "", "")
    assert (item.key, item.title) == ("nightly-backup", "nightly-backup: failed: disk full")
    assert item.evidence[-1].details == {"exit_status": "2"}
    assert "ошибка    nightly-backup: failed: disk full" in shown.output
    assert (await attention(shell)).items == []


async def test_a_job_passes_on_its_words_and_its_status_and_says_how_it_went(shell: Run) -> None:
    words = "import sys; print('to stdout'); print('no space left', file=sys.stderr); sys.exit(3)"

    done = await shell("job", "backup", "--", sys.executable, "-c", words)
    item = await only(shell)

    assert (done.status, done.output, done.complaint) == (3, "to stdout\n", "no space left\n")
    assert item.title.startswith("backup: exit status 3 after")
    assert item.evidence[-1].details["last_words"] == "no space left"

    assert (await shell("job", "backup", "--", "true")).status == 0
    assert (await attention(shell)).items == []


async def test_a_job_that_cannot_be_started_or_is_killed_is_an_item(shell: Run) -> None:
    missing = await shell("job", "one", "--", "/nonexistent/program")
    killed = await shell("job", "two", "--", "sh", "-c", "kill -9 $$")

    assert (missing.status, killed.status) == (127, 137)
    titles = sorted(each.item.title for each in (await attention(shell)).items)
    assert titles[0].startswith("one: could not be started: No such file")
    assert titles[1].startswith("two: ended by signal 9")


async def test_a_job_runs_though_praxis_is_away(run: Run) -> None:
    done = await run("job", "backup", "--", "echo", "done")

    assert (done.status, done.output) == (0, "done\n")
    assert "Praxis could not be told: unavailable" in done.complaint


async def test_a_job_whose_program_is_named_badly_is_refused(shell: Run) -> None:
    assert (await shell("ping", "backup", "nonsense")).status == 2
    assert (await shell("job", "backup")).status == 2


@requirement("praxis.surface.cli")
async def test_a_hook_never_steers_who_calls_it(shell: Run) -> None:
    for body in (b"", b"no json", b"\xff\x00", b'{"heartbeat": 5}'):
        done = await shell("hook", "uptime_kuma", typed=body)
        assert (done.status, done.output) == (0, ""), body

    kept = await shell("list-rejected", "--json")
    assert msgspec.json.decode(kept.output, type=RejectedList).total == 4


@requirement("praxis.sources.rejected")
async def test_a_rejected_delivery_is_an_item_until_one_fits_and_can_be_replayed(
    shell: Run,
) -> None:
    await shell("hook", "plain", typed=b'{"summary": 5}')
    item = await only(shell)
    (kept,) = msgspec.json.decode(
        (await shell("list-rejected", "--json")).output, type=RejectedList
    ).rejected
    again = await shell("replay-rejected", kept.rejected_id)
    await shell("hook", "plain", typed=b'{"summary": "fits", "state": "info"}')

    assert (item.kind, item.source) == ("delivery", "praxis")
    assert (kept.dialect, kept.field, kept.excerpt) == ("plain", "summary", '{"summary": 5}')
    assert again.complaint.startswith("failed_precondition (rejected_id)")
    assert (await attention(shell)).items == []


async def test_an_unknown_dialect_is_named_with_those_there_are(shell: Run) -> None:
    done = await shell("deliver", "--source", "x", "--dialect", "klingon")

    assert done.status == 2
    assert "(dialect)" in done.complaint
    assert "alertmanager" in done.complaint


async def test_a_file_of_sources_and_routines_is_registered_whole_or_not_at_all(
    shell: Run, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(
        """
        [[source]]
        source = "host:nas"
        kind = "host"
        expected_every_s = 600
        look = { look = "host", mounts = ["/"], every_s = 300 }

        [[source]]
        source = "ci"
        kind = "ci"
        door = { dialect = "github", secret = "development-secret" }

        [[routine]]
        routine = "nightly-backup"
        cron = "30 3 * * *"
        zone = "Europe/Berlin"
        """,
        "utf-8",
    )
    bad.write_text(good.read_text("utf-8") + '[[source]]\nsource = "x"\nkind = 7\n', "utf-8")

    refused = await shell("apply", str(bad))
    before = await shell("list-sources", "--json")
    applied = await shell("apply", str(good))
    again = await shell("apply", str(good))

    assert refused.status == 2
    assert "kind" in refused.complaint
    assert msgspec.json.decode(before.output)["sources"] == []
    assert applied.status == 0
    assert [line.split()[0] for line in applied.output.splitlines()] == [
        "host:nas",
        "ci",
        "nightly-backup",
    ]
    assert "/in/" in applied.output
    assert again.output.split()[-3:] == applied.output.split()[-3:]
    routines = await shell("list-routines", "--json")
    (routine,) = msgspec.json.decode(routines.output, type=RoutineList).routines
    assert (routine.standing, routine.zone) == ("new", "Europe/Berlin")


@pytest.mark.parametrize(
    ("url", "field"),
    [("ftp://nas/", "look.address"), ("nas", "look.address"), ("http://", "look.address")],
)
async def test_an_address_that_cannot_be_looked_at_is_refused(
    shell: Run, url: str, field: str
) -> None:
    done = await shell("check", url, "--name", "nas")

    assert done.status == 2
    assert field in done.complaint


async def test_the_door_of_a_source_is_told_to_its_opener_alone(shell: Run) -> None:
    door = '{"dialect": "alertmanager"}'
    opened = await shell("put-source", "--source", "am", "--kind", "am", "--door", door, "--json")
    listed = await shell("list-sources", "--json")

    path = msgspec.json.decode(opened.output)["door"]
    assert path.startswith("/in/")
    assert path not in listed.output
    assert msgspec.json.decode(listed.output)["sources"][0]["dialect"] == "alertmanager"
