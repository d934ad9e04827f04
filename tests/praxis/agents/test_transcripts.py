"""Transcripts are followed as agents write them, whatever else lies below the folder."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.errors import FailedPrecondition
from kit.testing import FrozenClock
from praxis.contract.agent_looks import TranscriptLook
from praxis.dialects.agents import WRITTEN
from praxis.sources import Reading
from praxis.sources.transcript_lines import TRANSCRIPTS
from praxis.sources.transcripts import TranscriptSource
from tests.evaluation.praxis.sessions import Recording, Stand, recordings, unseen

RECORDINGS = recordings(Path(__file__).parents[1] / "data/agent_sessions")
STANDS: dict[str, Stand] = {
    "agent.working": "working",
    "agent.waiting": "waiting",
    "agent.ready": "ready",
    "agent.failed": "failed",
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
PROMPT = {"type": "user", "sessionId": "s1", "cwd": "/srv/shop", "message": {"content": "Go"}}
ANSWER = {
    "type": "assistant",
    "sessionId": "s1",
    "message": {"content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"},
}
ASKS = {
    "type": "assistant",
    "sessionId": "s1",
    "message": {
        "content": [
            {
                "type": "tool_use",
                "name": "AskUserQuestion",
                "input": {"questions": [{"question": "Red or blue?"}]},
            }
        ],
        "stop_reason": "tool_use",
    },
}
RESULT = {
    "type": "user",
    "sessionId": "s1",
    "message": {"content": [{"type": "tool_result", "content": "red"}]},
}


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop" / "s1.jsonl"


@pytest.fixture
def source(tmp_path: Path) -> TranscriptSource:
    return watching(tmp_path)


def watching(folder: Path, agent: Any = "claude", **more: float) -> TranscriptSource:
    look = TranscriptLook(agent=agent, folder=str(folder), **more)
    return TranscriptSource(look, FrozenClock())


def write(path: Path, *lines: object, mode: str = "a", end: str = "\n") -> None:
    with path.open(mode, encoding="utf-8") as file:
        file.write("\n".join(json.dumps(each) for each in lines) + end)


def remove(path: Path) -> None:
    path.unlink()


def link(path: Path, to: Path) -> None:
    path.symlink_to(to)


async def kinds(source: TranscriptSource) -> list[str | None]:
    return [each.kind for each in await source.poll()]


def agent_of(recording: Recording) -> str:
    return "codex" if recording.folder.name.startswith("codex") else "claude"


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda each: each.folder.name)
async def test_a_recorded_session_is_followed_line_by_line(
    tmp_path: Path, recording: Recording
) -> None:
    source = watching(tmp_path, agent_of(recording))
    readings: list[Reading] = []
    for line in recording.transcript():
        with (tmp_path / "session.jsonl").open("ab") as file:
            file.write(line)
        readings += await source.poll()

    stands: list[Stand] = ["ready", *(STANDS[each.kind or ""] for each in readings)]
    # A prompt for permission leaves no trace in a rollout of Codex.
    phases = [each for each in recording.phases() if "tool-gate" not in recording.folder.name]
    assert unseen(phases, stands) == []
    assert {each.key for each in readings} == {_session(recording)}
    assert {each.weight for each in readings if each.state == "waiting"} <= {WRITTEN}


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda each: each.folder.name)
async def test_a_session_first_seen_late_is_told_by_how_it_stands(
    tmp_path: Path, recording: Recording
) -> None:
    shutil.copy(recording.folder / "transcript.jsonl", tmp_path)
    source = watching(tmp_path, agent_of(recording))

    (reading,) = await source.poll()

    is_asked = "tool-gate" in recording.folder.name
    expected = "working" if is_asked else recording.phases()[-1].stand
    assert STANDS[reading.kind or ""] == expected
    assert await source.poll() == []


def _session(recording: Recording) -> str:
    sessions = {hook.session.removeprefix("rollout-") for hook in recording.hooks()}
    (session,) = sessions
    return session[-36:]


async def test_only_what_is_new_is_told(source: TranscriptSource, transcript: Path) -> None:
    write(transcript, PROMPT)
    assert await kinds(source) == ["agent.working"]
    assert await kinds(source) == []

    write(transcript, PROMPT, ANSWER)
    assert await kinds(source) == ["agent.ready"]


async def test_a_line_counts_once_it_has_come_to_its_end(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, PROMPT, end="")
    assert await kinds(source) == []

    write(transcript, end="\n")
    assert await kinds(source) == ["agent.working"]


async def test_an_open_question_waits_with_its_words_until_it_is_answered(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, PROMPT, ASKS)
    (reading,) = await source.poll()

    assert (reading.state, reading.kind) == ("waiting", "agent.waiting")
    assert reading.details["question"] == "Red or blue?"
    assert (reading.key, reading.subject) == ("s1", "shop")

    write(transcript, RESULT)
    assert await kinds(source) == ["agent.working"]


async def test_the_late_result_of_a_tool_does_not_bounce_a_turn_that_is_over(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, PROMPT, ANSWER)
    assert await kinds(source) == ["agent.ready"]

    write(transcript, RESULT)
    assert await kinds(source) == []


async def test_an_interruption_is_the_persons_turn(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, PROMPT)
    await source.poll()

    stopped = {"content": [{"type": "text", "text": "[Request interrupted by user]"}]}
    write(transcript, {**PROMPT, "message": stopped})
    assert await kinds(source) == ["agent.ready"]


async def test_an_error_with_a_name_is_a_failure_and_one_without_ends_the_turn(
    source: TranscriptSource, transcript: Path
) -> None:
    broken = {**ANSWER, "isApiErrorMessage": True}
    write(transcript, PROMPT, {**broken, "error": "rate_limit"})
    (reading,) = await source.poll()
    assert (reading.state, reading.details["reason"]) == ("problem", "rate_limit")

    write(transcript, PROMPT, {**broken, "error": "unknown"})
    assert [(each.kind, each.severity) for each in await source.poll()] == [
        ("agent.working", "info"),
        ("agent.ready", "warning"),
    ]


async def test_what_a_subagent_writes_is_not_of_its_session(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, {**PROMPT, "isSidechain": True}, {**ANSWER, "isSidechain": True})

    assert await kinds(source) == []


async def test_the_persons_own_commands_begin_no_turn(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, {**PROMPT, "message": {"content": "<command-name>/cost</command-name>"}})
    write(transcript, {**PROMPT, "isMeta": True})

    assert await kinds(source) == []


async def test_a_file_that_was_cut_is_read_from_its_beginning(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, PROMPT, ANSWER)
    before = await source.poll()

    write(transcript, {**PROMPT, "timestamp": "2026-05-17T17:59:14Z"}, mode="w")
    after = await source.poll()
    assert [each.kind for each in after] == ["agent.working"]
    assert before[0].event_id != after[0].event_id


async def test_a_file_put_in_the_place_of_another_is_read_from_its_beginning(
    source: TranscriptSource, transcript: Path, tmp_path: Path
) -> None:
    write(transcript, PROMPT)
    await source.poll()

    write(tmp_path / "new", PROMPT, PROMPT, ANSWER, PROMPT, ANSWER)
    (tmp_path / "new").replace(transcript)
    assert await kinds(source) == ["agent.ready"]


async def test_a_line_too_long_to_be_read_is_passed_over_and_the_next_counts(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, PROMPT)
    await source.poll()

    write(transcript, {**ANSWER, "more": "x" * (3 << 20)}, ANSWER)
    assert await kinds(source) == ["agent.ready"]


async def test_of_a_long_past_only_the_end_is_read(
    source: TranscriptSource, transcript: Path
) -> None:
    for _ in range(3):
        write(transcript, {"type": "attachment", "more": "x" * (1 << 19)})
    write(transcript, PROMPT, ANSWER)

    assert await kinds(source) == ["agent.ready"]


async def test_the_session_of_a_long_rollout_is_known_by_its_first_line(tmp_path: Path) -> None:
    name = "rollout-2026-05-31T12-31-32-019e7d96-c2d9-7753-a8e4-fce4389a9da0.jsonl"
    meta = {"type": "session_meta", "payload": {"id": "t1", "source": {"subagent": "review"}}}
    over = {"type": "event_msg", "payload": {"type": "task_complete", "last_agent_message": "ok"}}
    write(tmp_path / name, meta, {"type": "x", "payload": {"more": "x" * (1 << 20)}}, over)
    assert await kinds(watching(tmp_path, "codex")) == []

    write(tmp_path / name, {**meta, "payload": {"id": "t1"}}, mode="w")
    write(tmp_path / name, {"type": "x", "payload": {"more": "x" * (1 << 20)}}, over)
    (reading,) = await watching(tmp_path, "codex").poll()
    assert reading.key == "t1"


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        ({"type": "error", "codex_error_info": "usage_limit_exceeded"}, "agent.failed"),
        ({"type": "error", "codex_error_info": {"http_connection_failed": {}}}, "agent.failed"),
        ({"type": "exec_approval_request", "command": ["npm", "install"]}, "agent.waiting"),
        ({"type": "turn_aborted", "reason": "interrupted"}, "agent.ready"),
        ({"type": "task_complete", "last_agent_message": "Which?"}, "agent.waiting"),
    ],
)
async def test_a_rollout_tells_how_its_turn_goes(
    tmp_path: Path, payload: dict[str, object], kind: str
) -> None:
    write(tmp_path / "r.jsonl", {"type": "event_msg", "payload": payload})

    assert await kinds(watching(tmp_path, "codex")) == [kind]


async def test_a_transcript_that_goes_away_ends_its_session(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, PROMPT, ASKS)
    await source.poll()

    remove(transcript)
    (reading,) = await source.poll()
    assert (reading.key, reading.kind, reading.state) == ("s1", "agent.ended", "ok")
    assert await kinds(source) == []


async def test_an_old_transcript_is_let_be_and_nothing_is_said_to_be_over(
    source: TranscriptSource, transcript: Path
) -> None:
    write(transcript, PROMPT, ASKS)
    assert await kinds(source) == ["agent.waiting"]

    old = FrozenClock().now() - timedelta(days=2)
    os.utime(transcript, (old.timestamp(), old.timestamp()))
    assert await kinds(source) == []


def lay_garbage(path: Path) -> None:
    path.write_bytes(b"\x00\xff\n{}\n[]\n7\n" + b'{"type": {}}\n' + b"[" * 9000 + b"\n")


@pytest.mark.parametrize("plant", [os.mkfifo, os.mkdir, lay_garbage])
async def test_whatever_else_lies_there_tells_nothing(
    source: TranscriptSource, transcript: Path, plant: Callable[[Path], None]
) -> None:
    plant(transcript)

    assert await kinds(source) == []


@given(
    st.sampled_from(sorted(TRANSCRIPTS)),
    st.sampled_from(["user", "assistant", "system", "session_meta", "event_msg", "response_item"]),
    st.dictionaries(st.sampled_from(["type", "name", "content", "id", "source", "command"]), JSON),
)
def test_a_line_of_any_shape_is_taken_or_passed_over(
    agent: str, kind: str, fields: dict[str, object]
) -> None:
    line = {"type": kind, "message": fields, "payload": fields, "error": fields.get("id")}

    report = TRANSCRIPTS[agent]("s1").take(json.dumps(line).encode(), "1")
    assert report is None or report.key


async def test_links_lead_nowhere(source: TranscriptSource, transcript: Path) -> None:
    outside = transcript.parents[1] / "elsewhere.txt"
    write(outside, PROMPT)
    link(transcript, outside)

    assert await kinds(source) == []


async def test_a_folder_that_is_not_there_cannot_be_looked_at(tmp_path: Path) -> None:
    with pytest.raises(FailedPrecondition) as refused:
        await watching(tmp_path / "none").poll()

    assert refused.value.field == "folder"
