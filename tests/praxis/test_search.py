"""Items are found by what they tell, in any word form of either language."""

import msgspec
import pytest

from praxis.contract import Observe, Search
from tests.praxis.conftest import World
from tests.requirements import requirement

TOLD = {
    "disk": "Заканчивается место на диске nas",
    "backup": "Ночное резервное копирование не завершилось",
    "cert": "Certificate of the mail server expires in 3 days",
    "camera": "Камера в подъезде не отвечает",
}


async def tell(world: World) -> None:
    for name, summary in TOLD.items():
        report = world.report(source=f"log:{name}")
        await world.praxis.observe(msgspec.structs.replace(report, summary=summary))


async def found(world: World, text: str) -> list[str]:
    listed = await world.praxis.search(Search(text))
    return [item.source.removeprefix("log:") for item in listed.items]


@requirement("praxis.surface.search")
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("диск", "disk"),
        ("дисками", "disk"),
        ("резервным копированием", "backup"),
        ("certificates expiring", "cert"),
        ("подъезд", "camera"),
        ("камеры", "camera"),
        ("log:camera", "camera"),
    ],
)
async def test_a_word_in_any_form_finds_its_item(world: World, text: str, name: str) -> None:
    await tell(world)

    assert (await found(world, text))[0] == name


async def test_what_was_just_told_can_be_found(world: World) -> None:
    await tell(world)
    assert await found(world, "uniqueword") == []

    await world.praxis.observe(
        Observe(
            source="log:camera",
            key="errors",
            kind="log",
            state="problem",
            summary="again",
            details={"line": "uniqueword in a detail"},
        )
    )

    assert await found(world, "uniqueword") == ["camera"]


@pytest.mark.parametrize("text", ['"', "* OR 1", "NEAR(", "title:x", "%", "' OR ''='", "\\", "()"])
async def test_a_hostile_text_is_only_a_text(world: World, text: str) -> None:
    await tell(world)

    assert await found(world, text) == []


async def test_a_search_can_leave_out_what_has_recovered(world: World) -> None:
    await tell(world)
    await world.praxis.observe(world.report("ok", at=1, source="log:disk"))

    active = await world.praxis.search(Search("диск", operational="active"))
    every = await world.praxis.search(Search("диск"))

    assert (len(active.items), len(every.items)) == (0, 1)
