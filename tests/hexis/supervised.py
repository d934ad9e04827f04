"""A real supervisord with small programs to look at, restart and break."""

import asyncio
import os
import subprocess
import sys
import time
import xmlrpc.client
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from supervisor.xmlrpc import SupervisorTransport

_PROGRAM = "import time\nprint('ready', flush=True)\ntime.sleep(3600)\n"
_BROKEN = "import sys\nprint('cannot', flush=True)\nsys.exit(3)\n"
_STUBBORN = (
    "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('ready', flush=True)\ntime.sleep(3600)\n"
)
_CONFIGURATION = """
[unix_http_server]
file={folder}/s.sock
chmod=0600
[supervisord]
{user}
pidfile={folder}/s.pid
logfile={folder}/s.log
childlogdir={folder}
directory={folder}
nodaemon=true
[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
[supervisorctl]
serverurl=unix://{folder}/s.sock
"""
_SECTION = """
[program:{name}]
command={command}
autostart={autostart}
autorestart=false
startsecs={startsecs}
startretries=0
stopwaitsecs={stopwaitsecs}
redirect_stderr=true
stdout_logfile={folder}/{name}.out
stdout_logfile_maxbytes=0
"""


class Supervised:
    """supervisord in a folder of its own, ended by its pid."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "s.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        text = _CONFIGURATION.format(
            folder=self.folder, user="user=root" if os.geteuid() == 0 else ""
        )
        for name, source, startsecs in (
            ("alpha", _PROGRAM, 0),
            ("beta", _PROGRAM, 0),
            ("hexis", _PROGRAM, 0),
            ("broken", _BROKEN, 1),
            ("stubborn", _STUBBORN, 0),
        ):
            script = self.folder / f"{name}.py"
            script.write_text(source, encoding="utf-8")
            text += self._section(name, f"{sys.executable} {script}", startsecs=startsecs)
        control = f"{Path(sys.executable).parent / 'supervisorctl'} -c {self.folder}/s.conf"
        text += self._section("restart-hexis", f"{control} restart hexis", autostart="false")
        text += self._section("absent", "/nonexistent/program", autostart="false", startsecs=1)
        text += self._section("once", "/bin/true", autostart="false")
        configuration = self.folder / "s.conf"
        configuration.write_text(text, encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "supervisor.supervisord", "-c", str(configuration)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 20
        while not self.socket.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        for name in ("alpha", "beta", "hexis", "stubborn"):
            self.wait_for_log(name, "ready")
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        # the stubborn one holds an orderly stop up
        os.kill(self.info("stubborn")["pid"], 9)
        self._process.terminate()
        self._process.wait(timeout=20)

    def call(self, method: str, *arguments: object) -> Any:
        """Ask supervisord directly."""
        transport = SupervisorTransport(None, None, f"unix://{self.socket}")
        proxy: Any = xmlrpc.client.ServerProxy("http://localhost/RPC2", transport=transport)
        try:
            return getattr(proxy.supervisor, method)(*arguments)
        finally:
            transport.close()

    def info(self, name: str) -> dict[str, Any]:
        """What supervisord says of a program."""
        return self.call("getProcessInfo", name)

    def pid(self, name: str) -> int:
        """Which process a program is; 0 when it does not run."""
        return self.info(name)["pid"]

    def log(self, name: str) -> Path:
        """Where a program's output goes."""
        return self.folder / f"{name}.out"

    def wait_for_log(self, name: str, text: str) -> None:
        """Wait, for a bounded time, until a program has written something."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if self.log(name).exists() and text in self.log(name).read_text("utf-8", "replace"):
                return
            time.sleep(0.02)
        raise AssertionError(f"{name} never wrote {text!r}")

    async def until(self, look: Callable[[Self], bool]) -> None:
        """Wait, for a bounded time, until the programs look as they should."""
        async with asyncio.timeout(20):
            while not look(self):  # noqa: ASYNC110 - supervisord has to be asked
                await asyncio.sleep(0.02)

    def _section(
        self, name: str, command: str, *, autostart: str = "true", startsecs: int = 0
    ) -> str:
        return _SECTION.format(
            name=name,
            command=command,
            autostart=autostart,
            startsecs=startsecs,
            folder=self.folder,
            stopwaitsecs=60 if name == "stubborn" else 5,
        )
