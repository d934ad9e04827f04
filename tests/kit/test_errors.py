"""The canonical failures: one class, one status, one body each."""

from __future__ import annotations

import msgspec
import pytest

from kit.errors import CANONICAL, ErrorBody, Internal, ServiceError, from_body

STATUSES = {
    "invalid_argument": 400,
    "unauthenticated": 401,
    "permission_denied": 403,
    "not_found": 404,
    "conflict": 409,
    "failed_precondition": 412,
    "resource_exhausted": 429,
    "internal": 500,
    "outcome_unknown": 502,
    "unavailable": 503,
    "deadline_exceeded": 504,
}


def test_each_code_has_its_status() -> None:
    assert {code: kind.status for code, kind in CANONICAL.items()} == STATUSES


def test_every_failure_is_canonical() -> None:
    assert set(CANONICAL.values()) == set(ServiceError.__subclasses__())


@pytest.mark.parametrize("kind", CANONICAL.values(), ids=CANONICAL)
def test_a_failure_crosses_the_wire_unchanged(kind: type[ServiceError]) -> None:
    sent = kind("Что делать?", reason="fine", field="a.b")
    body = msgspec.json.decode(msgspec.json.encode(sent.body("cor_1")), type=ErrorBody)
    received = from_body(body, sent.http_status)

    assert type(received) is kind
    assert (received.message, received.reason, received.field) == ("Что делать?", "fine", "a.b")
    assert body.correlation_id == "cor_1"


@pytest.mark.parametrize("kind", CANONICAL.values(), ids=CANONICAL)
def test_a_failure_without_words_says_what_its_code_means(kind: type[ServiceError]) -> None:
    assert kind().message == kind.__doc__
    assert str(kind()).endswith(".")


def test_a_code_nobody_knows_is_internal() -> None:
    received = from_body(ErrorBody(error="?", code="teapot"), 418)

    assert isinstance(received, Internal)


def test_the_body_holds_no_empty_fields() -> None:
    assert msgspec.json.encode(Internal("oh").body("cor_1")) == (
        b'{"error":"oh","code":"internal","correlation_id":"cor_1"}'
    )
