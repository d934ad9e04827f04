"""Beside matching: suggestions, pages about an entity, and facts for a table."""

from __future__ import annotations

import json

import pytest

from nexus.contract import CreateEntity
from tests.nexus.reconciliation.conftest import Service


async def test_types_in_use_and_those_above_them_are_suggested(service: Service) -> None:
    by_start = await service.get("/suggest/type", prefix="serv")
    by_last_word = await service.get("/suggest/type", prefix="SOFT")

    assert [each["id"] for each in by_start["result"]] == [
        "service",
        "service.supervised",
        "service.systemd",
    ]
    assert by_last_word["result"] == [
        {
            "id": "project.software",
            "name": "project.software",
            "broader": [{"id": "project", "name": "project"}],
        }
    ]


async def test_properties_are_suggested_by_id_and_by_name_in_either_language(
    service: Service,
) -> None:
    english = await service.get("/suggest/property", prefix="runs")
    russian = await service.get("/suggest/property", "accept-language: ru\r\n", prefix="работает")
    system = await service.get("/suggest/property", prefix="super")

    assert english["result"] == [{"id": "runs_on", "name": "runs on"}]
    assert russian["result"] == [{"id": "runs_on", "name": "работает на"}]
    assert system["result"] == [{"id": "supervisor", "name": "id in supervisor"}]


async def test_what_is_added_is_suggested_at_once(service: Service) -> None:
    await service.get("/suggest/type")
    await service.add(
        "cat", CreateEntity(type="pet.cat", names={"ru": "Мурка"}, external={"status": "7"})
    )

    types = await service.get("/suggest/type", prefix="pet")
    properties = await service.get("/suggest/property", prefix="external.")
    found = await service.reconcile(properties=[{"pid": "external.status", "v": 7}])

    assert [each["id"] for each in types["result"]] == ["pet", "pet.cat"]
    assert [each["id"] for each in properties["result"]] == ["external.status"]
    assert [each["id"] for each in found] == [service.ids["cat"]]


async def test_suggestions_are_cut_by_cursor_and_limit(service: Service) -> None:
    whole = (await service.get("/suggest/property", limit="50"))["result"]
    page = (await service.get("/suggest/property", cursor="2", limit="3"))["result"]
    beyond = (await service.get("/suggest/entity", prefix="Correx", cursor="1000000"))["result"]

    assert page == whole[2:5]
    assert beyond == []


async def test_without_a_prefix_the_first_entities_are_suggested(service: Service) -> None:
    first = (await service.get("/suggest/entity", prefix="", limit="3"))["result"]

    assert [each["id"] for each in first] == sorted(service.ids.values())[:3]


@pytest.mark.parametrize("below", ["/preview", "/view"])
async def test_a_page_shows_both_names_and_runs_nothing(service: Service, below: str) -> None:
    told = {"correx": "", "hostile": ""}
    for name in told:
        answer = await service.ask("GET", f"{service.path()}{below}?id={service.ids[name]}")
        told[name] = answer.body.decode()
        policy = answer.headers["content-security-policy"]

        assert answer.status == 200
        assert "default-src 'none'" in policy
        assert "sandbox" in policy
        assert answer.headers["referrer-policy"] == "no-referrer"

    assert all(text in told["correx"] for text in ("Correx", "Коррекс", "Исправляет тексты."))
    assert "<script" not in told["hostile"]
    assert "<img" not in told["hostile"]
    assert "&lt;script&gt;" in told["hostile"]


async def test_a_client_on_this_machine_may_frame_the_preview_and_nobody_the_view(
    service: Service,
) -> None:
    query = f"?id={service.ids['correx']}"
    preview = await service.ask("GET", f"{service.path()}/preview{query}")
    view = await service.ask("GET", f"{service.path()}/view{query}")

    assert (
        "frame-ancestors http://127.0.0.1:* http://localhost:*"
        in preview.headers["content-security-policy"]
    )
    assert "frame-ancestors 'none'" in view.headers["content-security-policy"]


async def test_the_page_of_an_unknown_id_repeats_nothing_of_it(service: Service) -> None:
    answer = await service.ask("GET", f"{service.path()}/preview?id=%3Cscript%3Ex%3C/script%3E")

    assert answer.status == 404
    assert b"script" not in answer.body


async def test_pages_speak_the_language_of_the_reader(service: Service) -> None:
    answer = await service.ask(
        "GET", f"{service.path()}/view?id={service.ids['runner']}", "accept-language: ru\r\n"
    )

    assert "работает на" in answer.body.decode()
    assert '<html lang="ru">' in answer.body.decode()


async def test_a_table_gets_a_row_for_each_id_and_a_cell_for_each_property(
    service: Service,
) -> None:
    properties = ["name_ru", "alias", "type", "status", "github", "runs_on", "no such property"]
    answer = await service.form(
        extend={
            "ids": [service.ids["correx"], "no_such_id", "../etc", service.ids["correx"]],
            "properties": [{"id": each} for each in properties],
        }
    )
    told = json.loads(answer.body)

    assert [each["id"] for each in told["meta"]] == properties
    assert set(told["rows"]) == {service.ids["correx"], "no_such_id", "../etc"}
    assert told["rows"][service.ids["correx"]] == {
        "name_ru": [{"str": "Коррекс"}],
        "alias": [{"str": "correction engine"}],
        "type": [{"str": "project.software"}],
        "status": [{"str": "active"}],
        "github": [{"str": "household/correx"}],
        "runs_on": [],
        "no such property": [],
    }
    assert all(cell == [] for cell in told["rows"]["no_such_id"].values())


@pytest.mark.parametrize(("limit", "count"), [(1, 1), ("2", 2), (0, 3), ("", 3), (9, 3)])
async def test_a_setting_says_how_many_values_are_wanted(
    service: Service, limit: object, count: int
) -> None:
    await service.add(
        "three", CreateEntity(type="pet", names={"ru": "Мурка"}, aliases=["а", "б", "в"])
    )
    answer = await service.form(
        extend={
            "ids": [service.ids["three"]],
            "properties": [{"id": "alias", "settings": {"limit": limit}}],
        }
    )

    assert len(json.loads(answer.body)["rows"][service.ids["three"]]["alias"]) == count


async def test_proposals_name_every_property_and_repeat_what_was_asked(service: Service) -> None:
    proposal = await service.get("/extend/propose", type="project.software")
    few = await service.get("/extend/propose", type="x", limit="2")

    ids = [each["id"] for each in proposal["properties"]]
    assert ids[:6] == ["name_en", "name_ru", "alias", "description", "type", "status"]
    assert {"github", "supervisor", "runs_on"} <= set(ids)
    assert (len(few["properties"]), few["limit"], few["type"]) == (2, 2, "x")
