"""Every way of looking can be written down, read back and carried out."""

from __future__ import annotations

import msgspec
import pytest

from kit.errors import InvalidArgument
from kit.testing import FrozenClock
from praxis.contract.every_look import Look
from praxis.contract.looks import HttpCheck
from praxis.sources.looks import source_of

WRITTEN = {
    "http": '"address":"https://cloud.home","path":"/status.php"',
    "tcp": '"host":"nas.home","port":22',
    "certificate": '"host":"cloud.home"',
    "host": '"mounts":["/","/mnt/backup"]',
    "repository": '"folder":"/srv/notes"',
    "unit": '"unit":"immich.service"',
    "journal": '"units":["immich.service"]',
    "calendar": '"address":"https://dav.home","path":"/anna/calendar/"',
    "tasks": '"address":"https://dav.home","path":"/anna/tasks/"',
}


@pytest.mark.parametrize("tag", WRITTEN)
def test_every_look_is_read_written_and_has_its_adapter(tag: str) -> None:
    look = msgspec.json.decode(f'{{"look":"{tag}",{WRITTEN[tag]}}}', type=Look)

    source_of("a", look, FrozenClock()).close()

    assert msgspec.json.decode(msgspec.json.encode(look), type=Look) == look
    assert look.every_s > 0


@pytest.mark.parametrize(
    ("tag", "more"),
    [
        ("http", '"address":"ftp://x"'),
        ("http", '"address":"http://anna:secret@cloud.home"'),
        ("http", '"address":"http://cloud.home\\n"'),
        ("http", '"address":"http://x","path":"/a b"'),
        ("http", '"address":"http://x","path":"/a\\r\\nx: y"'),
        ("tcp", '"host":"nas home","port":1'),
        ("tcp", '"host":"nas","port":0'),
        ("unit", '"unit":"--help"'),
        ("unit", '"unit":"-x.service"'),
        ("unit", '"unit":"immich"'),
        ("journal", '"units":[]'),
        ("repository", '"folder":"notes"'),
        ("repository", '"folder":"/srv/notes","ci_file":"/etc/passwd"'),
        ("host", '"mounts":["tmp"]'),
        ("host", '"mount":["/"]'),
    ],
)
def test_what_cannot_be_looked_at_is_refused(tag: str, more: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f'{{"look":"{tag}",{more}}}', type=Look)


def test_an_address_that_is_none_is_named_with_its_source() -> None:
    with pytest.raises(InvalidArgument, match=r"^web:x: 'http://a:b'") as caught:
        source_of("web:x", HttpCheck(address="http://a:b"), FrozenClock())

    assert caught.value.field == "address"
