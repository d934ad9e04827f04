"""Addresses, and sockets that only their owner can use."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from kit.address import Address, listen
from kit.errors import InvalidArgument, Unavailable


@pytest.mark.parametrize(
    "text",
    ["unix:///run/nexus.sock", "http://127.0.0.1:7301", "https://home.example:443",
     "http://[::1]:7301"],
)  # fmt: skip
def test_an_address_reads_as_it_is_written(text: str) -> None:
    assert str(Address.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "nexus", "unix://nexus", "unix:nexus.sock", "http://host", "http://:80", "ftp://a:1",
     "http://host:99999", "http://host:0", "http://[::1:80", "http://u:p@host:80",
     "http://host:80/path", "http://host:80?a=b", "unix:///a\0b"],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Address.parse(text)

    assert caught.value.field == "address"


@pytest.mark.parametrize(
    ("text", "loopback"),
    [
        ("unix:///a", True),
        ("http://localhost:1", True),
        ("http://127.8.9.1:1", True),
        ("http://[::1]:1", True),
        ("http://0.0.0.0:1", False),
        ("http://[::]:1", False),
        ("http://192.168.1.2:1", False),
        ("http://home:1", False),
    ],
)
def test_an_address_knows_whether_other_machines_reach_it(text: str, loopback: bool) -> None:
    assert Address.parse(text).is_loopback is loopback


def test_a_unix_socket_is_its_owners_alone(folder: Path) -> None:
    before = os.umask(0)
    try:
        listener = listen(Address(path=str(folder / "s")))
    finally:
        os.umask(before)
    mode = stat.S_IMODE((folder / "s").stat().st_mode)
    listener.close()

    assert mode == 0o600


def test_a_stale_socket_is_replaced(folder: Path) -> None:
    address = Address(path=str(folder / "s"))
    listen(address).close()
    listener = listen(address)
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(address.path)
    listener.close()


def test_a_socket_somebody_answers_at_is_left_to_them(folder: Path) -> None:
    address = Address(path=str(folder / "s"))
    with listen(address), pytest.raises(Unavailable) as caught:
        listen(address)

    assert caught.value.reason == "address_taken"


def test_a_file_that_is_no_socket_is_not_removed(folder: Path) -> None:
    (folder / "s").write_text("precious")

    with pytest.raises(Unavailable):
        listen(Address(path=str(folder / "s")))

    assert (folder / "s").read_text("utf-8") == "precious"


def test_a_path_too_long_for_a_socket_is_refused(folder: Path) -> None:
    with pytest.raises(InvalidArgument, match="ECOSYSTEM_HOME"):
        listen(Address(path=str(folder / ("a" * 120))))


def test_a_port_in_use_is_said_to_be(free_port: int) -> None:
    address = Address(host="127.0.0.1", port=free_port)
    with listen(address), pytest.raises(Unavailable) as caught:
        listen(address)

    assert caught.value.reason == "address_taken"
