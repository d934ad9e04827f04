"""Who may come in, what is refused, and what nobody gets to see."""

from __future__ import annotations

import asyncio
import json
import stat
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path
from urllib.parse import urlencode

import pytest

from kit import redact
from nexus.reconciliation.credential import token_in
from tests.nexus.reconciliation.conftest import Service

COMMAND = Path(sys.executable).with_name("nexus")
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/v1/meta",
        "/reconcile",
        "/reconcile//0.2",
        "/reconcile/eco1.reconcile.wrong/0.2",
        "/reconcile/%D1%8F%00%ff/0.2",
        "/other/{token}/0.2",
        "/reconcile/{token}",
        "/reconcile/{token}/0.1",
        "/reconcile/{token}x/0.2",
    ],
)
async def test_without_the_token_nothing_is_there(service: Service, path: str) -> None:
    answer = await service.ask("POST", path.format(token=service.token), body=b"x" * 100_000)

    assert answer.status == 404
    assert answer.error.error == "There is nothing here."
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize(
    "host", ["evil.test", "127.0.0.1.evil.test", "", "localhost:80:80", "127.0.0.1@x", "[::2]"]
)
async def test_a_name_that_is_not_loopback_is_turned_away(service: Service, host: str) -> None:
    answer = await service.ask("GET", service.path(), host=host)

    assert answer.status == 403
    assert service.token not in answer.body.decode()


async def test_two_hosts_are_one_too_many(service: Service) -> None:
    answer = await service.ask("GET", service.path(), "host: localhost\r\n")

    assert answer.status in {400, 403}


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8100", "[::1]:9", "localhost:65535"])
async def test_what_is_advertised_is_reached_as_the_client_came(
    service: Service, host: str
) -> None:
    answer = await service.ask("GET", service.path(), host=host)
    manifest = json.loads(answer.body)

    assert manifest["suggest"]["entity"]["service_url"] == f"http://{host}{service.path()}"
    assert manifest["preview"]["url"] == f"http://{host}{service.path()}/preview?id={{{{id}}}}"


@pytest.mark.parametrize("version", ["0.2", "1.0-draft"])
async def test_each_base_is_of_one_version(service: Service, version: str) -> None:
    manifest = await service.get(version=version)

    assert manifest["versions"] == [version]
    assert isinstance(manifest["suggest"]["entity"], dict if version == "0.2" else bool)


@pytest.mark.parametrize(
    "below", ["", "/match", "/suggest/entity", "/preview?id=x", "/extend", "/nothing"]
)
async def test_every_endpoint_may_be_called_from_any_page(service: Service, below: str) -> None:
    for method in ("OPTIONS", "GET", "POST", "DELETE"):
        answer = await service.ask(method, service.path() + below, "origin: http://client.test\r\n")

        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.status < 500


async def test_a_preflight_names_what_may_be_sent(service: Service) -> None:
    answer = await service.ask("OPTIONS", service.path("1.0-draft") + "/match")

    assert answer.status == 204
    assert "POST" in answer.headers["access-control-allow-methods"]
    assert "content-type" in answer.headers["access-control-allow-headers"]


async def test_an_unknown_method_is_told_the_known_ones(service: Service) -> None:
    answer = await service.ask("DELETE", service.path())

    assert (answer.status, answer.headers["allow"]) == (405, "GET, POST")


@pytest.mark.parametrize(
    "queries",
    [
        '{"q0":{',
        "[1,2]",
        '"x"',
        "{}x",
        '{"q0":{}}',
        '{"q0":{"query":5}}',
        '{"q0":{"query":"x","limit":0}}',
        '{"q0":{"query":"x","limit":"3"}}',
        '{"q0":{"query":"x","limit":2.5}}',
        '{"q0":{"query":"x","limit":1e400}}',
        '{"q0":{"query":"x","type":{}}}',
        '{"q0":{"query":"x","type_strict":"maybe"}}',
        '{"q0":{"properties":[{"id":"alias","v":"x"}]}}',
        '{"q0":{"query":"x","properties":[{"pid":"a","v":{"name":"x"}}]}}',
        '{"q0":{"query":"x"},"q0":{"query":"y"}}',
        '{"q0":{"query":"\\ud800"}}',
        "[" * 100_000,
    ],
)
async def test_what_is_no_batch_is_refused_and_named(service: Service, queries: str) -> None:
    answer = await service.form(queries=queries)

    assert answer.status == 400
    assert answer.headers["content-type"] == "application/json"
    assert answer.error.code == "invalid_argument"


async def test_a_batch_has_a_largest_size(service: Service) -> None:
    most = await service.form(queries={f"q{n}": {"query": "Correx"} for n in range(50)})
    more = await service.form(queries={f"q{n}": {"query": "Correx"} for n in range(51)})
    huge = await service.form(queries={f"q{n}": {"query": "x" * 100} for n in range(10_000)})

    assert [most.status, more.status, huge.status] == [200, 413, 413]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"queries=%7B%7D&queries=%7B%7D",
        b"queries=%7B%7D&extend=%7B%7D",
        b"other=1",
        b"queries=%ff%fe",
        b"\xff\xfe=1",
        b"&".join(b"a%d=1" % n for n in range(1000)),
    ],
)
async def test_what_is_no_form_is_refused(service: Service, body: bytes) -> None:
    answer = await service.ask("POST", service.path(), body=body)

    assert answer.status == 400


@pytest.mark.parametrize(
    "query",
    [
        "prefix=a&prefix=b",
        "prefix=a&limit=many",
        "cursor=-1",
        "cursor=99999999999999",
        "prefix=%ff",
    ],
)
async def test_odd_parameters_of_suggestions_are_refused(service: Service, query: str) -> None:
    answer = await service.ask("GET", f"{service.path()}/suggest/entity?{query}")

    assert answer.status == 400


@pytest.mark.parametrize(
    "sent",
    [
        {"ids": ["x"] * 1001, "properties": []},
        {"ids": "x", "properties": []},
        {"ids": [], "properties": [{"id": "alias", "settings": {"limit": "many"}}]},
        {"ids": [], "properties": [{"id": "alias", "settings": {"limit": -1}}]},
        {"ids": []},
    ],
)
async def test_what_is_no_extension_is_refused(service: Service, sent: object) -> None:
    form = await service.form(extend=sent)
    posted = await service.post("/extend", sent)

    assert [form.status, posted.status] == [400, 400]


async def test_a_long_prefix_and_a_foreign_type_suggest_nothing(service: Service) -> None:
    for query in ({"prefix": "ы" * 2000}, {"prefix": "Correx", "type": "No Type"}):
        answer = await service.ask("GET", f"{service.path()}/suggest/entity?{urlencode(query)}")

        assert json.loads(answer.body) == {"result": []}


async def test_the_token_is_kept_for_its_owner_and_hidden_in_logs(
    service: Service, folder: Path
) -> None:
    file = folder / "reconcile"
    mode = stat.S_IMODE(file.stat().st_mode)
    again = await asyncio.to_thread(token_in, folder)

    assert mode == 0o600
    assert again == service.token
    assert service.token not in redact.text(f"GET {service.base()}/match failed")
    assert service.token not in redact.summary({"url": service.base()})


async def run(folder: Path, *words: str, **settings: str) -> tuple[int | None, str]:
    """The exit status and what was printed."""
    environment = {"ECOSYSTEM_HOME": str(folder), "PYTHONPATH": str(ROOT / "src"), **settings}
    process = await asyncio.create_subprocess_exec(
        COMMAND, *words, env=environment, stdout=PIPE, stderr=STDOUT
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


async def test_the_command_prints_both_urls(folder: Path) -> None:
    off = await run(folder, "reconcile-url")
    unstarted = await run(folder, "reconcile-url", NEXUS_RECONCILE_PORT="8093")
    token = await asyncio.to_thread(token_in, folder / "nexus")
    status, said = await run(folder, "reconcile-url", NEXUS_RECONCILE_PORT="8093")

    assert (off[0], "reconcile_port" in off[1]) == (6, True)
    assert (unstarted[0], "restart Nexus" in unstarted[1]) == (6, True)
    assert status == 0
    assert said.split() == [
        f"http://127.0.0.1:8093/reconcile/{token}/0.2",
        f"http://127.0.0.1:8093/reconcile/{token}/1.0-draft",
    ]
