"""Programs under supervisord, driven through its XML-RPC interface on a Unix socket."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import re
import socket
import stat
import xmlrpc.client
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from xml.parsers.expat import ExpatError

from hexis.domain.capability import Definition, mutates
from hexis.executors import Outcome, Work
from kit import redact
from kit.clock import to_text
from kit.errors import FailedPrecondition, InvalidArgument

_READS = frozenset({"status", "logs"})
_VERBS = _READS | {"restart"}
_LOOK_S = 2.0
_BAD_NAME, _NOT_RUNNING = 10, 70
_START_FAULTS = frozenset({20, 21, 50, 40})
"""No file, not executable, spawn error, abnormal termination."""
_LOG_BYTES = 64 << 10
_OUTPUT = 32_000
_CUT_KEY = re.compile(r"\A(?:(?!-----BEGIN)[\s\S])*?-----END[ A-Z]*PRIVATE KEY-----")
"""The end of a private key whose beginning lies before what was read."""


class NotReached(Exception):
    """The supervisor cannot be reached, so nothing was asked of it."""


class NoAnswer(Exception):
    """The supervisor was asked and did not answer."""


class Supervisor:
    """The executor `supervisor`; its parameter `verb` is `status`, `logs` or `restart`."""

    def __init__(self, socket_path: Path, own_program: str) -> None:
        self._socket_path = socket_path
        self._own_program = own_program
        self._delegate = f"restart-{own_program}"

    def check(self, definition: Definition) -> None:
        """Refuse unknown verbs, other parameters, and a restart that calls itself a read.

        Raises:
            InvalidArgument: The definition does not fit.
        """
        verb = definition.parameters.get("verb", "")
        if verb not in _VERBS or len(definition.parameters) != 1:
            raise InvalidArgument(
                f"{definition.id}: the supervisor takes one parameter, `verb`, which is one of "
                f"{', '.join(sorted(_VERBS))}."
            )
        if mutates(definition) is (verb in _READS):
            raise InvalidArgument(f"{definition.id}: {verb} cannot be of risk {definition.risk}.")
        takes = {"lines"} if verb == "logs" else set[str]()
        if set(definition.arguments) != takes:
            raise InvalidArgument(
                f"{definition.id}: {verb} takes {', '.join(takes) or 'no arguments'}."
            )

    async def check_target(self, work: Work) -> None:
        """Refuse the program that restarts Hexis, and any that only runs once when told to.

        Raises:
            FailedPrecondition: It is one of them.
        """
        program = work.external_id
        is_reserved = program == self._delegate
        if not is_reserved and work.parameters["verb"] not in _READS:
            is_reserved = program in await self._one_shots()
        if is_reserved:
            raise FailedPrecondition(
                f"{program} is a program that runs once when told to, not a service.",
                reason="external_id_reserved",
                field="entity_id",
            )

    def is_delegated(self, work: Work) -> bool:
        """Whether it restarts Hexis."""
        return work.parameters["verb"] == "restart" and work.external_id == self._own_program

    async def run(self, work: Work) -> Outcome:
        """Carry out one verb on one program."""
        try:
            match work.parameters["verb"]:
                case "status":
                    return _status(await self._info(work.external_id, work.timeout_s))
                case "logs":
                    return await self._logs(work)
                case _ if self.is_delegated(work):
                    await self._call("startProcess", self._delegate, False, within_s=5.0)
                    return Outcome(state="running")
                case _:
                    return await self._restart(work)
        except NotReached as error:
            return Outcome(state="failed", output=str(error), reason="supervisor_unreachable")
        except NoAnswer as error:
            return Outcome(state="unknown", output=str(error), reason="no_answer")
        except xmlrpc.client.Fault as fault:
            return _refused(fault)

    async def was_done(self, work: Work, since: datetime) -> bool | None:
        """Whether the supervisor has started the program since, to its whole seconds."""
        try:
            info = await self._info(work.external_id, 3.0)
        except (NotReached, NoAnswer, xmlrpc.client.Fault):
            return None
        return info["start"] >= int(since.timestamp()) and info["statename"] in {
            "RUNNING",
            "STARTING",
        }

    async def _one_shots(self) -> set[str]:
        """The programs that are neither started with the supervisor nor have to stay up."""
        try:
            programs = await self._call("getAllConfigInfo", within_s=_LOOK_S)
        except (NotReached, NoAnswer, xmlrpc.client.Fault):
            return set()  # nothing is done to anything without the supervisor
        return {
            each["name"] for each in programs if not each["autostart"] and not each["startsecs"]
        }

    async def _restart(self, work: Work) -> Outcome:
        program, within_s = work.external_id, work.timeout_s
        was_running = True
        try:
            await self._call("stopProcess", program, True, within_s=within_s)
        except xmlrpc.client.Fault as fault:
            if fault.faultCode != _NOT_RUNNING:
                raise
            was_running = False
        try:
            await self._call("startProcess", program, True, within_s=within_s)
        except NotReached as error:
            reason = "stopped_not_started" if was_running else "supervisor_unreachable"
            return Outcome(state="failed", output=str(error), reason=reason)
        with contextlib.suppress(NotReached, NoAnswer, xmlrpc.client.Fault):
            status = _status(await self._info(program, within_s))
            return Outcome(
                state="succeeded",
                output=status.output,
                data={**status.data, "was_running": was_running},
            )
        return Outcome(state="succeeded", data={"was_running": was_running})

    async def _logs(self, work: Work) -> Outcome:
        info = await self._info(work.external_id, work.timeout_s)
        paths = {name: info.get(f"{name}_logfile") or "" for name in ("stdout", "stderr")}
        tails = {
            name: await asyncio.to_thread(_tail, Path(path), work.arguments["lines"])
            for name, path in paths.items()
            if path
        }
        found = {name: text for name, text in tails.items() if text}
        if len(found) == 1:
            output = next(iter(found.values()))
        else:
            output = "\n".join(f"{name}:\n{text}" for name, text in found.items())
        return Outcome(
            state="succeeded",
            output=output[-_OUTPUT:],
            data={"lines": sum(text.count("\n") + 1 for text in found.values())},
        )

    async def _info(self, program: str, within_s: float) -> dict[str, Any]:
        answer = await self._call("getProcessInfo", program, within_s=within_s)
        return cast("dict[str, Any]", answer)

    async def _call(self, method: str, *arguments: str | bool, within_s: float) -> Any:
        transport = _Transport(self._socket_path, within_s)
        try:
            return await asyncio.to_thread(_ask, transport, method, arguments)
        except asyncio.CancelledError:
            transport.abort()
            raise


class _Connection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        super().__init__("localhost", timeout=timeout_s)
        self._path = path

    def connect(self) -> None:
        """Connect, or say that nothing was sent."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        try:
            self.sock.connect(str(self._path))
        except OSError as error:
            self.sock.close()
            raise NotReached(f"The supervisor does not listen at {self._path}.") from error


class _Transport(xmlrpc.client.Transport):
    """One exchange with the supervisor; unlike the library's own it never sends twice."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        super().__init__()
        self._http = _Connection(path, timeout_s)

    def make_connection(self, host: object) -> http.client.HTTPConnection:
        """The connection over the socket, whatever the host is called."""
        return self._http

    def request(self, host: Any, handler: str, request_body: Any, verbose: bool = False) -> Any:
        """Send once."""
        return self.single_request(host, handler, request_body, verbose)

    def abort(self) -> None:
        """Wake the thread that waits for an answer."""
        door: socket.socket | None = self._http.sock
        if door is not None:
            with contextlib.suppress(OSError):
                door.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()


def _ask(transport: _Transport, method: str, arguments: tuple[str | bool, ...]) -> Any:
    proxy = xmlrpc.client.ServerProxy("http://localhost/RPC2", transport=transport)
    try:
        return getattr(proxy.supervisor, method)(*arguments)
    except (OSError, http.client.HTTPException, xmlrpc.client.ProtocolError, ExpatError) as error:
        raise NoAnswer(f"The supervisor was asked to {method} and did not answer.") from error
    finally:
        transport.close()


def _refused(fault: xmlrpc.client.Fault) -> Outcome:
    """What a fault says: the supervisor has answered, so the end is known."""
    if fault.faultCode == _BAD_NAME:
        reason = "program_unknown"
    elif fault.faultCode in _START_FAULTS:
        reason = "start_failed"
    else:
        reason = "supervisor_refused"
    return Outcome(state="failed", output=redact.text(fault.faultString), reason=reason)


def _status(info: dict[str, Any]) -> Outcome:
    state = str(info["statename"]).lower()
    data: dict[str, Any] = {"state": state}
    if state in {"running", "starting", "stopping"}:
        data |= {
            "pid": info["pid"],
            "started_at": _instant(info["start"]),
            "uptime_s": max(0, info["now"] - info["start"]),
        }
    elif info["start"]:
        data |= {"stopped_at": _instant(info["stop"]), "exit_status": info["exitstatus"]}
    if info["spawnerr"]:
        data["spawn_error"] = redact.text(str(info["spawnerr"]))
    described = redact.text(str(info["description"]))
    return Outcome(
        state="succeeded", output=f"{state}: {described}" if described else state, data=data
    )


def _instant(seconds: int) -> str:
    return to_text(datetime.fromtimestamp(seconds, UTC))


def _tail(path: Path, lines: int) -> str:
    """The last lines of a log: bounded, without secrets, safe on a terminal.

    The supervisor's own tail answers nothing at all when a log holds a byte that is not UTF-8 or
    not XML.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return ""
        start = max(0, status.st_size - _LOG_BYTES)
        file.seek(start)
        data = file.read(_LOG_BYTES)
    if start:
        data = data.partition(b"\n")[2] or data
    text = _CUT_KEY.sub(redact.HIDDEN, data.decode("utf-8", "backslashreplace"))
    clean = redact.text(text, limit=6 * _LOG_BYTES)
    return "\n".join(clean.rstrip("\n").split("\n")[-lines:])[-_OUTPUT:]
