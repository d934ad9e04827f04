"""What every test runs under: nothing blocks the event loop, and hypothesis has no deadline."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from blockbuster import blockbuster_ctx
from hypothesis import settings

SRC = Path(__file__).parents[1] / "src"
STORE = "kit/store.py"
QUICK = {
    "kit/address.py": {"listen"},  # once, before anybody is served
    "kit/auth.py": {"_refresh", "write_private"},  # one stat a call; a file when tests grant
    "kit/daemon.py": {"_listening"},  # the socket's file, when the part stops
    "kit/log.py": {"_tell_exception"},  # the lines of a traceback, when something failed
    "kit/doors.py": {"tcp_address"},  # two stats, before anybody is served
}
"""What else may touch the disk on the loop, and why it may."""

pytest_plugins = ["kit.testing"]

settings.register_profile("project", deadline=None, print_blob=True)
settings.load_profile("project")


@pytest.fixture(scope="session", autouse=True)
def _nothing_blocks_the_loop() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction] - autouse
    """Fail whatever blocks the event loop from our own code; the store may read there."""
    packages = [path.parent.name for path in SRC.glob("*/__init__.py")]
    tree = ast.parse((SRC / STORE).read_text(encoding="utf-8"))
    functions = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    with blockbuster_ctx(scanned_modules=packages) as guard:
        for each in guard.functions.values():
            each.can_block_in(STORE, functions)
            for file, quick in QUICK.items():
                each.can_block_in(file, quick)
        yield
