"""Describe a contract as an OpenAPI 3.1 document."""

from __future__ import annotations

from typing import Any

import msgspec

from kit import trace
from kit.contract import Contract, Nothing, Operation
from kit.errors import CANONICAL, ErrorBody

_TEMPLATE = "#/components/schemas/{name}"
_ERROR = _TEMPLATE.format(name="ErrorBody")
_STATUSES = sorted({str(kind.status) for kind in CANONICAL.values()} | {"413"})
_CONTEXT = (
    (trace.REQUESTER, "On whose behalf: user:<name>, agent:<id> or service:<name>."),
    (trace.CORRELATION, "One id for everything that follows from one cause."),
    (trace.CAUSATION, "What this call follows from."),
    (trace.DEADLINE, "Milliseconds the caller will wait from now."),
    (trace.CONTRACT, "Name and version the caller speaks."),
    (trace.TRACEPARENT, "W3C trace context."),
)
_KEY = (trace.IDEMPOTENCY, "Same key and body: the first answer again.")
_LAST = (trace.LAST_EVENT, "Cursor of the last event seen; it stands in for `after`.")
_WORD = (trace.ASSERTION, "What the person's channel minted for this turn.")


def describe(contract: Contract) -> dict[str, Any]:
    """The document of one contract."""
    operations = list(contract.operations.values())
    wanted = [kind for op in operations for kind in (op.request, op.reply)]
    schemas, components = msgspec.json.schema_components(
        [*wanted, ErrorBody], ref_template=_TEMPLATE
    )
    paths: dict[str, Any] = {}
    for position, operation in enumerate(operations):
        request, reply = schemas[2 * position], schemas[2 * position + 1]
        paths[f"/v1/{operation.name}"] = {"post": _post(contract, operation, request, reply)}
    return {
        "openapi": "3.1.0",
        "info": {"title": contract.name, "version": contract.version},
        "paths": paths,
        "components": {
            "schemas": components,
            "parameters": {
                name: _header(name, text) for name, text in (*_CONTEXT, _KEY, _LAST, _WORD)
            },
            "responses": {
                "Failure": {"description": "Not done.", "content": _json({"$ref": _ERROR})}
            },
            "securitySchemes": {"program": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"program": []}],
    }


def _post(
    contract: Contract, operation: Operation[Any, Any], request: Any, reply: Any
) -> dict[str, Any]:
    headers = [*_CONTEXT]
    if operation.effect == "write":
        headers.append(_KEY)
    if operation.streams:
        headers.append(_LAST)
    if operation.asserted:
        headers.append(_WORD)
    return {
        "operationId": f"{contract.name}.{operation.name}",
        "summary": operation.summary,
        "x-scope": operation.scope,
        "x-effect": operation.effect,
        "x-largest-body": operation.largest_body,
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name, _ in headers],
        "requestBody": {
            "required": operation.request is not Nothing,
            "content": _json(request),
        },
        "responses": {
            "200": {
                "description": "Each reply as it comes." if operation.streams else "Done.",
                "content": _events(reply) if operation.streams else _json(reply),
            },
            **{key: {"$ref": "#/components/responses/Failure"} for key in _STATUSES},
        },
    }


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _events(schema: Any) -> dict[str, Any]:
    return {"text/event-stream": {"schema": schema}}


def _header(name: str, text: str) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": text, "schema": {"type": "string"}}
