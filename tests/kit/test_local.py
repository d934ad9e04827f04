"""Where things are on this machine, and who speaks."""

from __future__ import annotations

import getpass
import stat
from pathlib import Path

import pytest

from kit.address import Address
from kit.auth import Secret
from kit.errors import InvalidArgument, Unauthenticated
from kit.local import address_of, connect, part_folder, person, secret_of, socket_path
from tests.kit.sample.contract import SampleClient


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for each test."""
    monkeypatch.setenv("ECOSYSTEM_HOME", str(tmp_path))
    return tmp_path


def test_a_part_is_found_at_its_socket_unless_told_otherwise(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert address_of("nexus") == Address(path=str(home / "run" / "nexus.sock"))
    assert socket_path("nexus") == home / "run" / "nexus.sock"

    monkeypatch.setenv("NEXUS_ADDRESS", "https://home.example:7301")
    assert address_of("nexus") == Address(host="home.example", port=7301, tls=True)

    monkeypatch.setenv("NEXUS_ADDRESS", "somewhere")
    with pytest.raises(InvalidArgument):
        address_of("nexus")


def test_what_a_part_keeps_is_its_owners_alone(home: Path) -> None:
    folder = part_folder("nexus")

    assert folder == home / "nexus"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_person_is_who_is_logged_in_unless_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ECOSYSTEM_REQUESTER", raising=False)
    assert person() == f"user:{getpass.getuser()}"

    monkeypatch.setenv("ECOSYSTEM_REQUESTER", "user:анна")
    assert person() == "user:анна"


def test_a_login_without_a_name_is_asked_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.delenv("ECOSYSTEM_REQUESTER", raising=False)
    monkeypatch.setattr(getpass, "getuser", nobody)

    with pytest.raises(InvalidArgument, match="ECOSYSTEM_REQUESTER"):
        person()


def test_a_program_connects_with_its_own_credential(home: Path) -> None:
    with pytest.raises(Unauthenticated):
        connect(SampleClient, "cli")

    Secret.create("cli").save(home / "credentials" / "cli")
    client = connect(SampleClient, "cli")

    assert client.address == address_of("sample")
    assert secret_of("cli").principal == "cli"
