"""The supervisor: its configuration, and its control interface on a Unix socket."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import xmlrpc.client
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from supervisor.xmlrpc import SupervisorTransport

from ecosystem.parts import PARTS
from ecosystem.settings import Settings
from kit.errors import Unavailable

RUNNING = "RUNNING"
STOPPED_STATES = {"STOPPED", "EXITED", "FATAL", "BACKOFF"}


@dataclass(frozen=True, slots=True)
class Process:
    """What the supervisor says of one program."""

    program: str
    state: str
    pid: int
    started_at: int
    """Seconds since the epoch; 0 when it does not run."""
    has_run_s: int
    problem: str


def socket_of(home: Path) -> Path:
    """The supervisor's control socket."""
    return home / "run" / "supervisor.sock"


def configuration(home: Path, settings: Settings) -> str:
    """The text of `supervisord.conf`; its paths are relative, for the supervisor starts in `home`.

    A path spelt out would be read as a format, more than once, and cut at a comment sign.
    """
    restart = "true" if settings.restart_on_crash else "false"
    user = "user=root\n" if os.geteuid() == 0 else ""
    sections = [
        "[unix_http_server]\nfile=run/supervisor.sock\nchmod=0600\n",
        f"[supervisord]\n{user}identifier=ecosystem\numask=077\n"
        "pidfile=run/supervisord.pid\nlogfile=log/supervisord.log\nlogfile_maxbytes=5MB\n"
        "logfile_backups=2\nchildlogdir=log\nstrip_ansi=true\n",
        "[rpcinterface:supervisor]\n"
        "supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface\n",
        f"[supervisorctl]\nserverurl=unix://{_plain(socket_of(home))}\n",
    ]
    sections += [_program(part.program, f"{_script(part.name)} serve", restart) for part in PARTS]
    sections += [
        # A part that executes restarts cannot execute its own: the supervisor runs this for it.
        f"[program:restart-{part.program}]\ncommand={_script('ecosystem')} restart {part.program}\n"
        "autostart=false\nautorestart=false\nstartsecs=0\nredirect_stderr=true\n"
        "stdout_logfile=log/restarts.log\nstdout_logfile_maxbytes=1MB\n"
        for part in PARTS
        if part.program == "hexis"
    ]
    return "\n".join(sections)


def start(home: Path) -> None:
    """Start the supervisor in the background.

    Raises:
        Unavailable: It did not start; the message says why.
    """
    command = [sys.executable, "-m", "supervisor.supervisord", "-c", str(configuration_path(home))]
    done = subprocess.run(
        command,
        # The parts inherit it; in the configuration file it would be read as a format.
        env=os.environ | {"ECOSYSTEM_HOME": str(home)},
        capture_output=True,
        text=True,
        cwd=home,
        check=False,
    )
    if done.returncode != 0:
        raise Unavailable(
            f"The supervisor did not start: {(done.stderr or done.stdout).strip()}",
            reason="supervisor_failed",
        )


def configuration_path(home: Path) -> Path:
    """Where the supervisor reads its configuration."""
    return home / "config" / "supervisord.conf"


class Control:
    """Talks to a running supervisor."""

    def __init__(self, home: Path) -> None:
        self._socket = socket_of(home)

    def pid(self) -> int | None:
        """The supervisor's process id, or None when it does not run."""
        try:
            return cast("int", self._call("supervisor.getPID"))
        except Unavailable:
            return None

    def processes(self) -> list[Process]:
        """Every program and its state."""
        rows = cast("list[dict[str, Any]]", self._call("supervisor.getAllProcessInfo"))
        return [_process(row) for row in rows]

    def process(self, program: str) -> Process:
        """One program and its state."""
        return _process(cast("dict[str, Any]", self._call("supervisor.getProcessInfo", program)))

    def start(self, program: str) -> None:
        """Start a program and wait until the supervisor calls it running."""
        try:
            self._call("supervisor.startProcess", program, True)
        except Unavailable as error:
            if error.reason != "already_started":
                raise

    def stop(self, program: str) -> None:
        """Stop a program and wait until it is gone; one that does not run is left alone."""
        if self.process(program).state not in STOPPED_STATES:
            self._call("supervisor.stopProcess", program, True)

    def update(self) -> list[str]:
        """Read the configuration again and restart the programs it changes; return their names."""
        (groups,) = cast("list[list[list[str]]]", self._call("supervisor.reloadConfig"))
        added, changed, removed = groups
        for group in (*changed, *removed):
            self._call("supervisor.stopProcessGroup", group, True)
            self._call("supervisor.removeProcessGroup", group)
        for group in (*added, *changed):
            self._call("supervisor.addProcessGroup", group)
        return [*added, *changed, *removed]

    def shutdown(self) -> None:
        """Stop every program and then the supervisor."""
        self._call("supervisor.shutdown")

    def _call(self, method: str, *arguments: object) -> object:
        # One connection a call: calls come from several threads, and the transport is not for that.
        transport = SupervisorTransport(None, None, f"unix://{self._socket}")
        call: Any = xmlrpc.client.ServerProxy("http://localhost", transport=transport)
        for name in method.split("."):
            call = getattr(call, name)
        try:
            return call(*arguments)
        except xmlrpc.client.Fault as fault:
            raise Unavailable(
                f"The supervisor refused {method}{arguments}: {fault.faultString}",
                reason=fault.faultString.partition(":")[0].lower(),
            ) from fault
        except (OSError, xmlrpc.client.ProtocolError) as error:
            raise Unavailable(
                f"No supervisor answers at {self._socket}; run `make up`.",
                reason="supervisor_down",
            ) from error


def _program(program: str, command: str, restart: str) -> str:
    return (
        f"[program:{program}]\ncommand={command}\nautostart=true\nautorestart={restart}\n"
        "startsecs=1\nstartretries=3\nstopsignal=TERM\nstopwaitsecs=12\nkillasgroup=true\n"
        f"redirect_stderr=true\nstdout_logfile=log/{program}.log\n"
        "stdout_logfile_maxbytes=5MB\nstdout_logfile_backups=2\n"
    )


def _script(name: str) -> str:
    return _plain(shlex.quote(str(Path(sys.executable).parent / name)))


def _plain(value: object) -> str:
    """The supervisor expands `%`; a path means itself."""
    return str(value).replace("%", "%%")


def _process(row: dict[str, Any]) -> Process:
    return Process(
        program=row["name"],
        state=row["statename"],
        pid=row["pid"],
        started_at=row["start"] if row["pid"] else 0,
        has_run_s=row["now"] - row["start"] if row["pid"] else 0,
        problem=row["spawnerr"],
    )
