"""Queries of version 0.2 and what Nexus makes of them: one match, several candidates, or none."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from nexus.contract import CreateEntity, Outgoing
from tests.nexus.reconciliation.conftest import Service


async def test_a_resolved_name_has_one_match_and_it_is_first(service: Service) -> None:
    found = await service.reconcile(query="коррекс")

    assert [(each["id"], each["match"]) for each in found] == [(service.ids["correx"], True)]
    assert found[0]["type"] == [{"id": "project.software", "name": "project.software"}]
    assert found[0]["features"][0]["id"] == "confidence"
    assert found[0]["score"] == pytest.approx(100 * found[0]["features"][0]["value"])


async def test_a_shared_name_has_candidates_and_no_match(service: Service) -> None:
    found = await service.reconcile(query="indexer")

    assert {each["id"] for each in found} == {service.ids["music"], service.ids["photos"]}
    assert not any(each["match"] for each in found)
    assert all(each["description"] for each in found)


async def test_an_id_as_query_returns_that_entity(service: Service) -> None:
    found = await service.reconcile(query=service.ids["music"])

    assert (found[0]["id"], found[0]["match"]) == (service.ids["music"], True)


@pytest.mark.parametrize("text", ["", "   ", "ы" * 5000, "\u202e\u0000x" * 40, "нет такого zzqx"])
async def test_what_is_no_name_finds_nothing_and_spoils_nothing(
    service: Service, text: str
) -> None:
    answer = await service.form(queries={"bad": {"query": text}, "good": {"query": "Correx"}})
    batch = json.loads(answer.body)

    assert not any(each["match"] for each in batch["bad"]["result"])
    assert batch["good"]["result"][0]["match"]


@pytest.mark.parametrize(
    ("types", "strict", "found"),
    [
        ("service", "any", ["music", "photos"]),
        (["service.systemd"], "any", ["photos"]),
        (["service.systemd", "service.supervised"], "should", ["music", "photos"]),
        (["service", "service.systemd"], "all", ["photos"]),
        (["service.systemd", "service.supervised"], "all", []),
        ("Q5", "any", []),
        (["Software Project", "person"], "any", []),
    ],
)
async def test_a_type_is_a_filter(
    service: Service, types: object, strict: str, found: list[str]
) -> None:
    candidates = await service.reconcile(query="indexer", type=types, type_strict=strict)

    assert {each["id"] for each in candidates} == {service.ids[name] for name in found}


async def test_an_id_in_another_system_settles_a_shared_name(service: Service) -> None:
    found = await service.reconcile(
        query="indexer", properties=[{"pid": "supervisor", "v": "music"}]
    )

    assert [each["id"] for each in found if each["match"]] == [service.ids["music"]]
    assert found[0]["id"] == service.ids["music"]
    assert {"id": "property.supervisor", "name": "id in supervisor", "value": True} in found[0][
        "features"
    ]


async def test_an_id_in_another_system_finds_without_a_name(service: Service) -> None:
    found = await service.reconcile(properties=[{"pid": "external.supervisor", "v": "music"}])

    assert [(each["id"], each["match"], each["score"]) for each in found] == [
        (service.ids["music"], True, 100.0)
    ]


async def test_a_name_and_an_id_of_two_entities_match_neither(service: Service) -> None:
    found = await service.reconcile(
        query="Correx", properties=[{"pid": "supervisor", "v": "music"}]
    )

    assert {each["id"] for each in found} == {service.ids["correx"], service.ids["music"]}
    assert not any(each["match"] for each in found)


async def test_a_fact_that_speaks_against_a_match_takes_it_away(service: Service) -> None:
    against = await service.reconcile(query="Correx", properties=[{"pid": "type", "v": "pet"}])
    unknown = await service.reconcile(query="Correx", properties=[{"pid": "part_of", "v": "x"}])
    for_it = await service.reconcile(query="Correx", properties=[{"pid": "type", "v": "project"}])

    assert [each[0]["match"] for each in (against, unknown, for_it)] == [False, True, True]
    assert against[0]["score"] == unknown[0]["score"] < for_it[0]["score"]


async def test_one_of_several_values_is_enough(service: Service) -> None:
    values = ["x", 1, True, "Correction  Engine", {"id": "ent_x"}]
    found = await service.reconcile(query="Correx", properties=[{"pid": "alias", "v": values}])

    assert found[0]["match"]


async def test_a_relation_ranks_a_shared_name_and_does_not_decide(service: Service) -> None:
    await service.add(
        "third",
        CreateEntity(
            type="service.container",
            names={"en": "Mail indexer"},
            aliases=["indexer"],
            relations=[Outgoing("runs_on", service.ids["homesrv"])],
        ),
    )
    for value in ({"id": service.ids["homesrv"], "name": "whatever"}, "HOMESRV"):
        found = await service.reconcile(
            query="indexer", properties=[{"pid": "runs_on", "v": value}]
        )

        assert found[0]["id"] == service.ids["third"]
        assert found[0]["score"] > found[1]["score"]
        assert not any(each["match"] for each in found)


async def test_a_relation_alone_lists_what_stands_in_it(service: Service) -> None:
    homesrv = {"id": service.ids["homesrv"]}
    found = await service.reconcile(properties=[{"pid": "runs_on", "v": homesrv}])

    assert [(each["id"], each["match"]) for each in found] == [(service.ids["runner"], False)]


async def test_the_limit_cuts_and_is_no_reason_for_a_match(service: Service) -> None:
    one = await service.reconcile(query="indexer", limit=1)
    many = await service.reconcile(query="indexer", limit=10**9)

    assert [each["match"] for each in one] == [False]
    assert len(many) == 2


async def test_names_come_in_the_language_the_client_asks_for(service: Service) -> None:
    russian = await service.reconcile(
        "accept-language: de, ru-RU;q=0.8, en;q=0.5\r\n", query="Correx"
    )
    english = await service.reconcile("accept-language: en\r\n", query="коррекс")

    assert [russian[0]["name"], english[0]["name"]] == ["Коррекс", "Correx"]
    assert any(each["name"] == "уверенность" for each in russian[0]["features"])


async def test_a_batch_in_the_query_string_is_answered(service: Service) -> None:
    queries = quote(json.dumps({"q0": {"query": "коррекс"}}, ensure_ascii=False))
    answer = await service.ask("GET", f"{service.path()}?queries={queries}")

    assert json.loads(answer.body)["q0"]["result"][0]["match"]
