"""Settings: from the file, then the environment, and every refusal names the setting."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import pytest

from kit.errors import InvalidArgument
from kit.settings import Listening, home, load


class Settings(Listening, frozen=True, kw_only=True, forbid_unknown_fields=True):
    every_s: Annotated[float, msgspec.Meta(gt=0)] = 1.0
    name: str = "default"
    loud: bool = False


def environment(folder: Path, text: str | None = None, **more: str) -> dict[str, str]:
    if text is not None:
        (folder / "config").mkdir(exist_ok=True)
        (folder / "config" / "ecosystem.toml").write_text(text)
    return {"ECOSYSTEM_HOME": str(folder), **more}


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load(Settings, "praxis", environment(tmp_path)) == Settings()


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    given = environment(
        tmp_path,
        '[praxis]\nevery_s = 2\nname = "из файла"\n[nexus]\nother = 1\n',
        PRAXIS_EVERY_S="0.5",
        PRAXIS_LOUD="true",
        PRAXIS_ADDRESS="unix:///elsewhere",
        NEXUS_NAME="not mine",
    )

    assert load(Settings, "praxis", given) == Settings(every_s=0.5, name="из файла", loud=True)


@pytest.mark.parametrize(
    ("text", "more", "field"),
    [
        ("[praxis]\nevery = 1\n", {}, "praxis.every"),
        ("[praxis]\nevery_s = 'x'\n", {}, "praxis.every_s"),
        ("[praxis]\nevery_s = 0\n", {}, "praxis.every_s"),
        ("", {"PRAXIS_EVERY_S": "soon"}, "praxis.every_s"),
        ("", {"PRAXIS_LOUD": "maybe"}, "praxis.loud"),
        ("praxis = 5\n", {}, "praxis"),
        ("[[praxis]]\nname = 'a'\n", {}, "praxis"),
    ],
)
def test_a_setting_that_does_not_fit_is_named(
    tmp_path: Path, text: str, more: dict[str, str], field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        load(Settings, "praxis", environment(tmp_path, text, **more))

    assert caught.value.field == field


@pytest.mark.parametrize("content", [b"[praxis", b"\xff\xfe", b"[praxis]\na=1\na=2\n"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config" / "ecosystem.toml"
    path.parent.mkdir()
    path.write_bytes(content)

    with pytest.raises(InvalidArgument) as caught:
        load(Settings, "praxis", environment(tmp_path))

    assert caught.value.field == str(path)


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "config" / "ecosystem.toml").mkdir(parents=True)

    with pytest.raises(InvalidArgument, match=r"ecosystem\.toml cannot be read"):
        load(Settings, "praxis", environment(tmp_path))


def test_home_follows_the_environment(tmp_path: Path) -> None:
    assert home({"ECOSYSTEM_HOME": str(tmp_path)}) == tmp_path
    assert home({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "ecosystem"
    assert home({}) == Path.home() / ".local" / "state" / "ecosystem"
