"""The address of a git remote is one external id, however it is written, and holds no secret."""

from __future__ import annotations

import pytest

from nexus.remote_url import external_id_of


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/org/correx.git",
        "https://anna:ghp_0123456789abcdefghij0123456789abcdef@github.com/org/correx",
        "https://oauth2:swordfish@GitHub.com//Org/Correx.git/",
        "https://github.com/org/correx.git?private_token=swordfish#swordfish",
        "git@github.com:org/correx.git",
        "github.com:org/correx",
        "ssh://git@github.com:22/org/correx.git",
        "git://github.com/org/correx.git",
    ],
)
def test_every_way_to_write_a_remote_is_one_id(url: str) -> None:
    assert external_id_of(url) == "github.com/org/correx"


@pytest.mark.parametrize(
    ("url", "known"),
    [
        ("ssh://git@git.home:2222/Anna/notes.git", "git.home:2222/Anna/notes"),
        ("git.home:Anna/notes", "git.home/Anna/notes"),
        ("/srv/git/notes.git", None),
        ("../notes", None),
        ("file:///srv/git/notes.git", None),
        ("ext::sh -c 'touch /tmp/x'", None),
        ("https://github.com", None),
        ("https://github.com:port/org/x", None),
        ("https://[::1/x", None),
        ("https://host/ghp_0123456789abcdefghij0123456789abcdef/x", None),
        ("https://host/a\x1b[2J", None),
        (f"https://host/{'x' * 300}", None),
        ("", None),
    ],
)
def test_what_is_no_address_on_a_network_has_no_id(url: str, known: str | None) -> None:
    assert external_id_of(url) == known
