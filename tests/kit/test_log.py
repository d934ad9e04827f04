"""The log: one JSON object a line, bound to its call, redacted, whatever is logged."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from kit import log
from kit.errors import InvalidArgument
from tests.requirements import requirement

PROGRAM = """
import logging, sys, structlog, msgspec
from kit import log
from kit.auth import Secret
from kit.trace import originate, working_for

class Request(msgspec.Struct):
    text: str
    token: str

log.configure("part", "debug")
logger = structlog.get_logger()
secret = Secret("terminal", bytes(32))
token = secret.token_for("nexus")
logger.info("plain", text="привет", number=1, nothing=None)
logger.debug("bare token", what=token, headers={"authorization": token, "x": [token]})
logger.info(f"token in the event {token}")
weird = {"\\ud800": object(), 1: 1 << 99}
logger.info("struct", request=Request("a", token), secret=secret, weird=weird)
logging.getLogger("library").warning("a library says %s", token)
logging.getLogger("library").info("too quiet to be heard")
try:
    raise RuntimeError(f"failed with {token}")
except RuntimeError:
    logger.exception("failed", token=token)
    logging.getLogger("library").exception("library failed")
with working_for(originate("user:анна")):
    logger.info("in a call")
"""


def lines_of(program: str) -> list[dict[str, Any]]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b""
    return [json.loads(line) for line in done.stderr.decode().splitlines()]


@requirement("invariant.10")
def test_every_line_is_one_object_and_none_holds_a_token() -> None:
    lines = lines_of(PROGRAM)

    assert [line["event"][:10] for line in lines] == [
        "plain", "bare token", "token in t", "struct", "a library ", "failed", "library fa",
        "in a call",
    ]  # fmt: skip
    assert "eco1" not in json.dumps(lines)
    assert all({"service", "level", "timestamp"} <= line.keys() for line in lines)


def test_a_failure_is_logged_with_its_trace() -> None:
    failed = next(line for line in lines_of(PROGRAM) if line["event"] == "failed")

    assert "Traceback" in failed["exception"]
    assert "RuntimeError: failed with" in failed["exception"]


def test_a_line_is_bound_to_the_call_it_was_written_in() -> None:
    line = lines_of(PROGRAM)[-1]

    assert line["requester"] == "user:анна"
    assert line["correlation_id"].startswith("cor_")


def test_a_level_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(InvalidArgument) as caught:
        log.configure("part", "loud")

    assert caught.value.field == "log_level"
