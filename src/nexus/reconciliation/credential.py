"""The secret in the URL of the reconciliation service, for clients that send no header."""

from __future__ import annotations

from pathlib import Path

from kit.auth import Secret
from kit.errors import FailedPrecondition

VERSIONS = ("0.2", "1.0-draft")
"""Versions of the protocol, each at a URL of its own: no one manifest is valid in both."""
_FILE = "reconcile"


def token_in(folder: Path) -> str:
    """The token kept in the part's folder, made on first use.

    Raises:
        Unauthenticated: The file can be read by others, or holds no secret.
    """
    path = folder / _FILE
    if not path.exists():
        Secret.create(_FILE).save(path)
    return Secret.load(path).token_for(_FILE)


def urls(folder: Path, port: int | None) -> list[str]:
    """What a person gives to a client, one URL for each version of the protocol.

    Raises:
        FailedPrecondition: The service is off, or has not been started since it was switched on.
    """
    if port is None:
        raise FailedPrecondition(
            "The reconciliation service is off; set reconcile_port in [nexus] and restart Nexus.",
            reason="reconciliation_off",
            field="nexus.reconcile_port",
        )
    if not (folder / _FILE).exists():
        raise FailedPrecondition(
            "The reconciliation service has not run yet; restart Nexus.",
            reason="reconciliation_not_started",
        )
    token = token_in(folder)
    return [f"http://127.0.0.1:{port}{path_of(token, version)}" for version in VERSIONS]


def path_of(token: str, version: str) -> str:
    """Where a version of the protocol is served."""
    return f"/reconcile/{token}/{version}"
