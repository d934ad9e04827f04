"""Serve the made-up part as a process of its own; `SAMPLE_TCP` and its like set the second door."""

from __future__ import annotations

from kit import log
from kit.cli import reporting
from kit.daemon import run
from kit.local import grants_of, part_folder
from kit.settings import Listening, load
from tests.kit.sample.app import open_part

if __name__ == "__main__":
    with reporting():
        log.configure("sample")
        settings = load(Listening, "sample")
        run("sample", lambda: open_part(part_folder("sample"), grants_of("sample")), settings)
