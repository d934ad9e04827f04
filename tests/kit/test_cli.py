"""The generated commands, made from a made-up contract and typed as a person would."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from click.testing import CliRunner, Result
from msgspec import Meta

from kit.cli import EXIT, command_line
from kit.client import Client, remote
from kit.contract import (
    Contract,
    Nothing,
    Operation,
    PageLimit,
    Reply,
    Request,
    Time,
    WaitSeconds,
)
from kit.daemon import Running
from kit.errors import CANONICAL, PermissionDenied
from kit.server import Hosted
from kit.testing import Program, grants, hosting
from kit.trace import Call


class Piece(Request):
    """Something inside a request."""

    name: str
    size: Annotated[int, Meta(ge=0)] = 1


class Describe(Request):
    """Everything a request may hold."""

    name: Annotated[str, Meta(min_length=1)]
    """What it is called."""
    count: Annotated[int, Meta(ge=1, le=9)] = 3
    """How many there are."""
    limit: PageLimit = 50
    ratio: float = 0.5
    loud: bool = False
    kind: Literal["big", "small"] | None = None
    level: Literal[1, 2] = 1
    tags: list[str] = []
    numbers: list[int] = []
    labels: dict[str, str] = {}
    arguments: dict[str, Any] = {}
    pieces: list[Piece] = []
    main: Piece | None = None
    at: Time | None = None
    day: date | None = None
    note: str | None = None


class Join(Request):
    """A list by position."""

    words: list[str]


class Wait(Request):
    """Wait for news."""

    wait_s: WaitSeconds = 0.0


class Fail(Request):
    """Fail with a code."""

    code: str


class Said(Reply):
    """One line."""

    text: str


class Row(Reply):
    """One row."""

    row_id: str
    at: Time
    done: bool


class Rows(Reply):
    """Rows."""

    rows: list[Row]
    next_after: int | None = None


DESCRIBE: Operation[Describe, Said] = Operation(
    name="describe_thing",
    request=Describe,
    reply=Said,
    scope="made.read",
    summary="Describe a thing.",
    positional=("name",),
    alias="show",
)
JOIN: Operation[Join, Said] = Operation(
    name="join", request=Join, reply=Said, scope="made.read", summary="Join.", positional=("words",)
)
LIST: Operation[Nothing, Rows] = Operation(
    name="list_rows", request=Nothing, reply=Rows, scope="made.read", summary="List rows."
)
WAIT: Operation[Wait, Said] = Operation(
    name="wait_for_news",
    request=Wait,
    reply=Said,
    scope="made.read",
    summary="Wait for news.",
    waits=True,
    timeout_s=65.0,
)
FAIL: Operation[Fail, Said] = Operation(
    name="fail",
    request=Fail,
    reply=Said,
    scope="made.read",
    effect="write",
    summary="Fail.",
    positional=("code",),
)
CONTRACT = Contract("made", "1.0", DESCRIBE, JOIN, LIST, WAIT, FAIL)


class MadeClient(Client):
    """Typed access to the made-up part."""

    contract = CONTRACT
    describe_thing = remote(DESCRIBE)


class Made:
    """Keeps what it was asked."""

    def __init__(self) -> None:
        self.described: list[Describe] = []
        self.call: Call | None = None

    async def describe_thing(self, request: Describe, call: Call) -> Said:
        self.described.append(request)
        self.call = call
        return Said("Noted.\nTwice\x1b[2J.")

    async def join(self, request: Join, call: Call) -> Said:
        return Said("+".join(request.words))

    async def list_rows(self, request: Nothing, call: Call) -> Rows:
        return Rows([Row("row_1", datetime(2026, 11, 30, tzinfo=UTC), done=True)], next_after=7)

    async def wait_for_news(self, request: Wait, call: Call) -> Said:
        await asyncio.sleep(request.wait_s)
        return Said("news")

    async def fail(self, request: Fail, call: Call) -> Said:
        raise CANONICAL[request.code]("No\nway.", field="code")


Typed = Callable[..., Awaitable[Result]]
MAIN = command_line(MadeClient, help_text="A made-up part.")


@pytest.fixture
def made() -> Made:
    return Made()


@pytest.fixture
async def typed(made: Made) -> AsyncGenerator[Typed]:
    """Type a command of the made-up part, which is served meanwhile."""
    with tempfile.TemporaryDirectory(prefix="cli") as name:
        folder = Path(name)
        cli = Program("cli", ["made.read"], ["user:*"])
        cli.secret.save(folder / "credentials" / "cli")
        known = grants(folder / "made" / "grants.json", "made", cli)

        @asynccontextmanager
        async def opener() -> AsyncGenerator[Running]:
            yield Running(hosted=Hosted(contract=CONTRACT, service=made, grants=known))

        (folder / "run").mkdir(mode=0o700)
        environment = {"ECOSYSTEM_HOME": name, "ECOSYSTEM_REQUESTER": "user:anna"}
        runner = CliRunner(env=environment)

        async def run(*words: str, given: str | None = None) -> Result:
            return await asyncio.to_thread(
                runner.invoke, MAIN, words, given, prog_name="made", catch_exceptions=False
            )

        async with hosting(opener(), folder / "run" / "made.sock"):
            yield run


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        (["--count", "7"], "count", 7),
        (["--ratio", "0.25"], "ratio", 0.25),
        (["--loud"], "loud", True),
        (["--no-loud"], "loud", False),
        (["--kind", "small"], "kind", "small"),
        (["--level", "2"], "level", 2),
        (["--tags", "one", "--tags", "два"], "tags", ["one", "два"]),
        (["--tags", "[not json"], "tags", ["[not json"]),
        (["--numbers", "1", "--numbers", "2"], "numbers", [1, 2]),
        (["--labels", "en=Vecna", "--labels", "ru=1"], "labels", {"en": "Vecna", "ru": "1"}),
        (["--labels", '{"en": "a=b"}'], "labels", {"en": "a=b"}),
        (["--arguments", "lines=50", "--arguments", "mode=fast"], "arguments",
         {"lines": 50, "mode": "fast"}),
        (["--arguments", '{"deep": [1, {"x": null}]}'], "arguments", {"deep": [1, {"x": None}]}),
        (["--pieces", '{"name": "a"}', "--pieces", '{"name": "b", "size": 2}'], "pieces",
         [Piece("a"), Piece("b", 2)]),
        (["--pieces", '[{"name": "a"}]'], "pieces", [Piece("a")]),
        (["--main", '{"name": "a"}'], "main", Piece("a")),
        (["--at", "2026-11-30T14:00:00+03:00"], "at",
         datetime(2026, 11, 30, 14, tzinfo=timezone(timedelta(hours=3)))),
        (["--at", "2026-11-30T14:00"], "at", datetime(2026, 11, 30, 14).astimezone()),
        (["--day", "2026-11-30"], "day", date(2026, 11, 30)),
        (["--note", ""], "note", ""),
        (["--note", "true"], "note", "true"),
        ([], "limit", 50),
    ],
)  # fmt: skip
async def test_every_kind_of_field_can_be_typed(
    made: Made, typed: Typed, words: list[str], field: str, value: object
) -> None:
    ran = await typed("describe-thing", "thing", *words)

    assert ran.exit_code == 0, ran.output
    assert getattr(made.described[0], field) == value
    assert made.described[0].name == "thing"


async def test_json_may_come_from_a_file_or_from_the_input(
    made: Made, typed: Typed, tmp_path: Path
) -> None:
    file = tmp_path / "pieces.json"
    file.write_text('[{"name": "из файла"}]', "utf-8")

    await typed("show", "a", "--pieces", f"@{file}")
    await typed("show", "b", "--main", "@-", given='{"name": "piped"}')

    assert made.described[0].pieces == [Piece("из файла")]
    assert made.described[1].main == Piece("piped")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--count", "10"], "invalid_argument (count): Expected `int` <= 9."),
        (["--main", "{"], "invalid_argument (main): --main is JSON, or @FILE that holds it:"),
        (["--main", '{"nam": "x"}'], "invalid_argument (main"),
        (["--main", "@/none"], "invalid_argument (main): /none cannot be read:"),
        (["--labels", "en"], "invalid_argument (labels): --labels is KEY=VALUE or a JSON object."),
        (["--labels", "@-"], "invalid_argument (labels): --labels is a JSON object."),
        (["--at", "soon"], "invalid_argument (at): --at is a time such as 2026-11-30T14:00"),
        (["--day", "soon"], "invalid_argument (day): "),
        (["--note", "\udcff"], "invalid_argument (note): --note is not UTF-8."),
        (["--count", "many"], "Invalid value for '--count': 'many' is not a valid integer."),
        (["--kind", "odd"], "Invalid value for '--kind': 'odd' is not one of 'big', 'small'."),
    ],
)
async def test_what_does_not_fit_is_refused_in_a_line_that_names_the_field(
    made: Made, typed: Typed, words: list[str], complaint: str
) -> None:
    ran = await typed("describe-thing", "thing", *words, given="[]")

    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert ran.stderr.splitlines()[-1].removeprefix("Error: ").startswith(complaint)
    assert made.described == []


async def test_a_list_by_position_takes_the_rest(typed: Typed) -> None:
    ran = await typed("join", "a", "б", "c")

    assert ran.stdout == "text: a+б+c\n"


async def test_the_alias_is_the_same_command_spoken_for_the_person(
    made: Made, typed: Typed
) -> None:
    ran = await typed("show", "thing")

    assert ran.stdout == "text: Noted.\n  Twice\\u001b[2J.\n"
    assert made.call is not None
    assert (made.call.principal, made.call.requester) == ("cli", "user:anna")


async def test_json_shows_the_whole_reply(typed: Typed) -> None:
    ran = await typed("list-rows", "--json")

    assert msgspec.json.decode(ran.stdout, type=Rows).rows[0].row_id == "row_1"


async def test_in_a_pipe_a_list_is_an_outline(typed: Typed) -> None:
    ran = await typed("list-rows")

    assert ran.stdout == (
        "rows:\n  - row_id: row_1\n    at: 2026-11-30T00:00:00Z\n    done: yes\nnext_after: 7\n"
    )


async def test_an_operation_that_waits_can_be_waited_for(typed: Typed) -> None:
    ran = await typed("wait-for-news", "--wait-s", "0.05")

    assert ran.stdout == "text: news\n"


@pytest.mark.parametrize("code", sorted(CANONICAL))
async def test_each_code_has_its_exit_status_and_one_line(typed: Typed, code: str) -> None:
    ran = await typed("fail", code)

    assert ran.exit_code == EXIT.get(code, 70)
    assert ran.stderr == f"{code} (code): No\\u000away.\n"


def test_a_missing_credential_or_part_is_reported_with_the_way_out(tmp_path: Path) -> None:
    runner = CliRunner(env={"ECOSYSTEM_HOME": str(tmp_path), "ECOSYSTEM_REQUESTER": "user:anna"})
    without_credential = runner.invoke(MAIN, ["health"])
    Program("cli", [], []).secret.save(tmp_path / "credentials" / "cli")
    without_part = runner.invoke(MAIN, ["health"])

    assert without_credential.exit_code == EXIT[PermissionDenied.code]
    assert "`ecosystem up` creates it" in without_credential.stderr
    assert without_part.exit_code == EXIT["unavailable"]
    assert "`make up` starts what does not run" in without_part.stderr
    assert without_part.stderr.count("\n") == 1


def test_the_help_lists_operations_with_their_aliases() -> None:
    ran = CliRunner().invoke(MAIN, ["--help"])

    assert "A made-up part." in ran.stdout
    assert "describe-thing, show  Describe a thing." in ran.stdout
    assert "wait-for-news         Wait for news." in ran.stdout


def test_the_help_of_a_command_says_what_the_contract_says() -> None:
    ran = CliRunner().invoke(MAIN, ["show", "--help"], terminal_width=120)

    shown = " ".join(ran.stdout.split())
    assert "Describe a thing." in shown
    assert "NAME What it is called." in shown
    assert "--count INTEGER How many there are. [1 to 9] [default: 3]" in shown
    assert "--limit INTEGER How many rows a list may return. [1 to 500] [default: 50]" in shown
    assert "--kind [big|small]" in shown
    assert "--labels KEY=VALUE" in shown
    assert "--main JSON" in shown
    assert "--at TIME" in shown


def test_the_shell_completes_commands_aliases_and_options() -> None:
    def complete(typed_so_far: str) -> str:
        environment = {
            "_MADE_COMPLETE": "bash_complete",
            "COMP_WORDS": typed_so_far,
            "COMP_CWORD": str(len(f"{typed_so_far}.".split()) - 1),
        }
        return CliRunner().invoke(MAIN, [], prog_name="made", env=environment).stdout

    assert "plain,describe-thing" in complete("made ")
    assert "plain,--labels" in complete("made show --")
