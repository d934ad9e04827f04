"""Whatever is sent to whichever operation of whichever part, no part fails without a reason.

Every part runs as a process with a door of its own; schemathesis makes requests from the OpenAPI
documents, fitting ones and others, and identifiers the parts gave out are woven into them.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode

from ecosystem import credentials
from ecosystem.parts import PARTS
from kit.auth import Grant, save_grants
from kit.contract import Operation
from kit.errors import ErrorBody
from kit.openapi import describe
from kit.testing import Program
from tests.ecosystem.driver import BIN, eventually

OPERATIONS = [
    (part.name, operation) for part in PARTS for operation in part.contract.operations.values()
]
EXPLAINED = {"unavailable", "deadline_exceeded", "outcome_unknown"}
"""Codes of a 5xx that say what is the matter; `internal` is a defect."""
EXAMPLES = 20
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
_ID = re.compile(r'"([a-z]{3})_([0-9a-z_]{8,60})"')


class Household:
    """All parts as processes, each with a TCP door, and a program that may do everything."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.known: dict[str, list[str]] = defaultdict(list)
        """Identifiers the parts gave out, by prefix."""
        self._doors: dict[str, int] = {}
        self._processes: list[subprocess.Popen[bytes]] = []
        self._fuzzer = Program(
            "fuzzer",
            sorted({op.scope for _, op in OPERATIONS if op.scope}),
            ["user:*", "agent:*", "service:*"],
        )

    def start(self) -> None:
        """Start every part and wait until each answers."""
        credentials.ensure(self.home)
        for part in PARTS:
            path = self.home / part.name / "grants.json"
            known = msgspec.json.decode(path.read_bytes(), type=list[Grant])
            save_grants(path, [*known, self._fuzzer.grant_for(part.name)])
            with socket.create_server(("127.0.0.1", 0)) as door:
                self._doors[part.name] = door.getsockname()[1]
            self._processes.append(self._serve(part.name))
        for part in PARTS:
            eventually(lambda name=part.name: self._answers(name), 30, f"{part.name} answers")

    def call(self, part: str, case: Case[Any]) -> schemathesis.Response:
        """Send a case in a proper context."""
        cast("dict[str, str]", case.headers).clear()
        url = f"http://127.0.0.1:{self._doors[part]}"
        response = case.call(base_url=url, headers=self._headers(part), timeout=20)
        for prefix, rest in _ID.findall(response.text):
            self.known[prefix] = [*self.known[prefix][-20:], f"{prefix}_{rest}"]
        return response

    def begin(self, part: str, case: Case[Any]) -> requests.Response:
        """Send a case to a stream; the answer as it begins, read whole where it is a refusal."""
        cast("dict[str, str]", case.headers).clear()
        url = f"http://127.0.0.1:{self._doors[part]}"
        sent = case.as_transport_kwargs(base_url=url, headers=self._headers(part))
        with requests.request(**sent, stream=True, timeout=20) as response:
            if response.status_code != 200:
                assert response.content
            return response

    def stop(self) -> str:
        """Stop every part; what they said meanwhile."""
        for process in self._processes:
            process.send_signal(signal.SIGTERM)
        statuses = [process.wait(timeout=20) for process in self._processes]
        assert statuses == [0] * len(PARTS)
        return "".join((self.home / f"{part.name}.log").read_text("utf-8") for part in PARTS)

    def _serve(self, part: str) -> subprocess.Popen[bytes]:
        inherited = {name: value for name, value in os.environ.items() if "ECOSYSTEM" not in name}
        own = {
            "ECOSYSTEM_HOME": str(self.home),
            f"{part.upper()}_TCP": f"http://127.0.0.1:{self._doors[part]}",
        }
        with (self.home / f"{part}.log").open("wb") as log:
            return subprocess.Popen([BIN / part, "serve"], env=inherited | own, stderr=log)

    def _answers(self, part: str) -> bool:
        url = f"http://127.0.0.1:{self._doors[part]}/v1/health"
        try:
            return requests.get(url, headers=self._headers(part), timeout=5).ok
        except requests.ConnectionError:
            return False

    def _headers(self, part: str) -> dict[str, str]:
        token = self._fuzzer.secret.token_for(part)
        return {"authorization": f"Bearer {token}", "x-requester": "user:ann"}


@pytest.fixture(scope="module")
def household() -> Generator[Household]:
    home = Path(tempfile.mkdtemp(prefix="sch"))
    household = Household(home)
    household.start()
    yield household
    said = household.stop()
    shutil.rmtree(home)
    failed = [line for line in said.splitlines() if "_failed" in line]
    assert not failed, failed[0]


def woven(value: Any, known: dict[str, list[str]], choose: Any) -> Any:
    """The request with identifiers that exist in place of those that were made up."""
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {key: woven(each, known, choose) for key, each in fields.items()}
    if isinstance(value, list):
        return [woven(each, known, choose) for each in cast("list[Any]", value)]
    if isinstance(value, str) and re.fullmatch(r"[a-z]{3}_[0-9a-z_]{1,60}", value):
        given_out = known.get(value[:3]) or [each for ids in known.values() for each in ids[-3:]]
        return choose(st.sampled_from([value, *given_out]))
    return value


def tame(value: Any) -> Any:
    """Without what would reach beyond the test or hold it up: addresses to ask, long waits."""
    if isinstance(value, list):
        return [tame(each) for each in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    fields = {key: tame(each) for key, each in cast("dict[str, Any]", value).items()}
    if isinstance(fields.get("address"), str):
        fields["address"] = "unix:///nonexistent/a.sock"
    if isinstance(fields.get("host"), str):
        fields["host"] = "127.0.0.1"
    if isinstance(fields.get("wait_s"), int | float):
        fields["wait_s"] = min(fields["wait_s"], 0.05)
    return fields


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(
    ("part", "operation"), OPERATIONS, ids=[f"{part}.{op.name}" for part, op in OPERATIONS]
)
def test_no_request_makes_a_part_fail_without_a_reason(
    household: Household, part: str, operation: Operation[Any, Any], mode: GenerationMode
) -> None:
    contract = next(each.contract for each in PARTS if each.name == part)
    schema = schemathesis.openapi.from_dict(describe(contract))
    described = cast("Any", schema[f"/v1/{operation.name}"]["POST"])

    known = {prefix: list(ids) for prefix, ids in household.known.items()}

    @given(data=st.data())
    @settings(max_examples=EXAMPLES, suppress_health_check=SLOW, phases=[Phase.generate])
    def hold(data: st.DataObject) -> None:
        case: Case[Any] = data.draw(described.as_strategy(generation_mode=mode))
        if mode is GenerationMode.POSITIVE:
            case.body = woven(case.body, known, data.draw)
        case.body = tame(case.body)
        if operation.streams:
            begun = household.begin(part, case)
            if begun.status_code == 200:
                assert begun.headers["content-type"] == "text/event-stream"
            else:
                assert msgspec.json.decode(begun.content, type=ErrorBody).error
                assert begun.status_code < 500, begun.text
            return
        response = household.call(part, case)

        assert response.headers["content-type"] == ["application/json"]
        if response.status_code == 200:
            msgspec.json.decode(response.content, type=cast("Any", operation.reply))
            return
        error = msgspec.json.decode(response.content, type=ErrorBody)
        assert error.error, response.text
        assert error.correlation_id, response.text
        assert response.status_code < 500 or error.code in EXPLAINED, response.text

    hold()
