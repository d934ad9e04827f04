"""The draft of version 1.0: ordered batches, conditions, languages."""

from __future__ import annotations

import json

import pytest

from tests.nexus.reconciliation.conftest import Service


def name(value: object, **further: object) -> dict[str, object]:
    return {"matchType": "name", "propertyValue": value, **further}


def fact(property_id: str, value: object, **further: object) -> dict[str, object]:
    return {
        "matchType": "property",
        "propertyId": property_id,
        "propertyValue": value,
        **further,
    }


async def test_answers_come_in_the_order_of_the_queries(service: Service) -> None:
    answer = await service.post(
        "/match",
        {"queries": [{"conditions": [name(text)]} for text in ("Correx", "ничего", "indexer")]},
    )
    results = [each["candidates"] for each in json.loads(answer.body)["results"]]

    assert [len(each) for each in results] == [1, 0, 2]
    assert all(feature["name"] for feature in results[0][0]["features"])


async def test_an_id_is_a_condition(service: Service) -> None:
    found = await service.match({"matchType": "id", "propertyValue": service.ids["music"]})
    other = await service.match(
        {"matchType": "id", "propertyValue": service.ids["music"]}, type="person"
    )

    assert [(each["id"], each["match"]) for each in found] == [(service.ids["music"], True)]
    assert other == []


async def test_a_required_fact_is_a_filter_and_another_is_not(service: Service) -> None:
    wanted = fact("type", "service.systemd")
    soft = await service.match(name("indexer"), wanted)
    hard = await service.match(name("indexer"), wanted | {"required": True})

    assert [each["id"] for each in soft] == [service.ids["photos"], service.ids["music"]]
    assert [(each["id"], each["match"]) for each in hard] == [(service.ids["photos"], False)]


@pytest.mark.parametrize(
    ("quantifier", "values", "found"),
    [
        ("any", ["indexer", "x"], ["music", "photos"]),
        ("all", ["indexer", "x"], []),
        ("none", ["supervised"], ["music", "photos"]),
        ("none", ["indexer"], []),
    ],
)
async def test_a_quantifier_says_how_many_values_have_to_hold(
    service: Service, quantifier: str, values: list[str], found: list[str]
) -> None:
    condition = fact("alias", values, matchQuantifier=quantifier, required=True)
    candidates = await service.match(name("indexer"), condition)

    assert {each["id"] for each in candidates} == {service.ids[each] for each in found}


async def test_spellings_of_one_thing_are_alternatives(service: Service) -> None:
    same = await service.match(name(["нет такого", "Correx", "коррекс"]))
    two = await service.match(name(["Correx", "Media UI"]))
    apart = await service.match(name("Correx"), name("Media UI"))

    assert [each["match"] for each in same] == [True]
    assert [each["match"] for each in two] == [False, False]
    assert [each["match"] for each in apart] == [False, False]


async def test_a_name_that_is_excluded_is_not_found_by_it(service: Service) -> None:
    found = await service.match(
        name("indexer"), name("Music indexer", matchQuantifier="none", required=True)
    )

    assert [each["id"] for each in found] == [service.ids["photos"]]


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"conditions": []},
        {"conditions": [{"propertyValue": "x"}]},
        {"conditions": [name("x")], "type": ["a", "b"]},
        {"conditions": [name("x")], "misnamed": 1},
        {"conditions": [{"matchType": "property", "propertyValue": "x"}]},
        {"conditions": [name("x")], "limit": 0},
        {"conditions": [name("x", matchQuantifier="some")]},
    ],
)
async def test_what_the_draft_does_not_allow_is_refused(service: Service, query: object) -> None:
    answer = await service.post("/match", {"queries": [query]})

    assert answer.status == 400
    assert answer.error.code == "invalid_argument"


async def test_the_language_of_the_query_counts_where_the_client_names_none(
    service: Service,
) -> None:
    found = await service.match(name("Correx"), lang="ru-RU")
    answer = await service.post(
        "/match", {"queries": [{"conditions": [name("Correx")]}]}, "accept-language: ru\r\n"
    )

    assert found[0]["name"] == "Коррекс"
    assert answer.headers["content-language"] == "ru"


async def test_rows_and_cells_keep_their_order(service: Service) -> None:
    ids = ["no_such_id", service.ids["runner"]]
    answer = await service.post(
        "/extend", {"ids": ids, "properties": [{"id": "runs_on"}, {"id": "name_en"}]}
    )
    told = json.loads(answer.body)

    homesrv = {"id": service.ids["homesrv"], "name": "homesrv"}
    assert told["rows"] == [
        {
            "id": "no_such_id",
            "properties": [{"id": "runs_on", "values": []}, {"id": "name_en", "values": []}],
        },
        {
            "id": service.ids["runner"],
            "properties": [
                {"id": "runs_on", "values": [homesrv]},
                {"id": "name_en", "values": [{"str": "Correx runner"}]},
            ],
        },
    ]
