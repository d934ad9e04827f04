"""What is decided before a delivery is read: whose it is, and whether it is signed."""

import hashlib
import hmac

import pytest

from kit.errors import PermissionDenied
from praxis.dialects import signatures
from praxis.dialects.recognise import of_format, recognise
from praxis.dialects.registry import DIALECTS
from tests.praxis.dialects.telling import delivery

_BODY = b'{"a": "\xd0\xb6"}'
_SECRET = "development-secret"
_DIGEST = hmac.new(_SECRET.encode(), _BODY, hashlib.sha256).hexdigest()


@pytest.mark.parametrize(
    ("dialect", "header", "value"),
    [
        ("github", "x_hub_signature_256", f"sha256={_DIGEST}"),
        ("sentry", "sentry_hook_signature", _DIGEST),
        ("vikunja", "x_vikunja_signature", _DIGEST),
    ],
)
def test_a_signature_is_of_the_bytes_and_the_secret(dialect: str, header: str, value: str) -> None:
    signatures.check(dialect, delivery(_BODY, **{header: value}), _SECRET)

    for wrong, secret in [
        ("", _SECRET),
        (value[:-1] + "x", _SECRET),
        ("ä" + value, _SECRET),
        (_DIGEST.upper(), _SECRET),
        (value, "another"),
        (value, ""),
    ]:
        with pytest.raises(PermissionDenied):
            signatures.check(dialect, delivery(_BODY, **{header: wrong}), secret)
    with pytest.raises(PermissionDenied):
        signatures.check(dialect, delivery(_BODY + b" ", **{header: value}), _SECRET)
    with pytest.raises(PermissionDenied, match="not signed"):
        signatures.check(dialect, delivery(_BODY), _SECRET)


@pytest.mark.parametrize(
    ("body", "dialect"),
    [
        ({"version": "4", "groupKey": "x", "alerts": []}, "alertmanager"),
        ({"version": "1", "groupKey": "x", "alerts": [], "orgId": 1, "state": "ok"}, "grafana"),
        ({"orgId": 1, "ruleId": 2, "state": "ok"}, "grafana"),
        ({"heartbeat": None, "monitor": None, "msg": "Testing"}, "uptime_kuma"),
        ({"event_name": "task.overdue", "data": {}}, "vikunja"),
        ({"MESSAGE": "x", "__CURSOR": "y"}, "journald"),
        (b'{"__CURSOR": "y"}\n{"__CURSOR": "z"}\n', "journald"),
        ({"specversion": "1.0"}, "cloudevents"),
        ([{"specversion": "1.0"}], "cloudevents"),
        ({"event": "keepalive", "topic": "x"}, "ntfy"),
        ({"project": "x", "event": {"event_id": "y"}}, "sentry"),
        ({"hook_event_name": "Stop"}, "claude"),
        ({"type": "agent-turn-complete"}, "codex"),
        ({"summary": "x", "state": "ok"}, "plain"),
        ({"anything": "else"}, None),
        (b"\xff\x00", None),
        (b"[" * 100_000, None),
        ([], None),
    ],
)
def test_a_body_tells_its_dialect(body: object, dialect: str | None) -> None:
    assert recognise(delivery(body)) == dialect


def test_headers_and_paths_tell_before_the_body_does() -> None:
    assert recognise(delivery({}, x_github_event="ping")) == "github"
    assert recognise(delivery({}, sentry_hook_resource="issue")) == "sentry"
    assert recognise(delivery({}, x_vikunja_signature="x")) == "vikunja"
    assert recognise(delivery(b"x", ce_id="1")) == "cloudevents"
    assert recognise(delivery(b"hello", title="x")) == "ntfy"
    assert recognise(delivery(b"", "5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278/start")) == "healthchecks"
    assert recognise(delivery(b"", "fqOOd6-F4MMNuCEnzTU01w/backup")) == "healthchecks"


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("alertmanager.webhook.v4", "alertmanager"),
        ("grafana.webhook", "grafana"),
        ("github.webhook", "github"),
        ("healthchecks.ping", "healthchecks"),
        ("sentry.webhook", "sentry"),
        ("uptime-kuma.webhook", "uptime_kuma"),
        ("vikunja.webhook", "vikunja"),
        ("journald.json stream", "journald"),
        ("ntfy.json", "ntfy"),
        ("cloudevents.1.0.binary", "cloudevents"),
        ("claude-code.hook", "claude"),
        ("codex.notify", "codex"),
        ("", None),
    ],
)
def test_a_format_names_its_dialect(name: str, dialect: str | None) -> None:
    assert of_format(name) == dialect


def test_every_dialect_bears_the_name_it_is_found_by() -> None:
    assert {name: dialect.name for name, dialect in DIALECTS.items()} == {
        name: name for name in DIALECTS
    }
    assert set(DIALECTS) >= signatures.SIGNED
