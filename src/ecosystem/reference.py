"""Write the pages that are made from the code (`make docs`); a test compares the two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, cast

import click
import msgspec
from msgspec import inspect as shapes

from ecosystem.parts import PARTS
from ecosystem.settings import Settings as EcosystemSettings
from hexis.settings import Settings as HexisSettings
from kit.cli import EXIT
from kit.contract import HEALTH, META, Operation
from kit.errors import CANONICAL
from kit.field_help import help_of, said_of
from maven.settings import Settings as MavenSettings
from nexus.settings import Settings as NexusSettings
from praxis.settings import Settings as PraxisSettings
from vecna.settings import Settings as VecnaSettings

SETTINGS: dict[str, type[msgspec.Struct]] = {
    "ecosystem": EcosystemSettings,
    "nexus": NexusSettings,
    "praxis": PraxisSettings,
    "hexis": HexisSettings,
    "vecna": VecnaSettings,
    "maven": MavenSettings,
}
"""Table of the settings file to what it may hold."""
_MADE = "<!-- Made by `make docs`: change the code, then run it again. -->"
_WIDTH = 88
_EVERYWHERE = (META.name, HEALTH.name)
_WORDS: dict[type[shapes.Type], str] = {
    shapes.StrType: "text",
    shapes.BoolType: "yes or no",
    shapes.IntType: "whole number",
    shapes.FloatType: "number",
    shapes.DateTimeType: "time",
    shapes.DateType: "date",
}


def pages() -> dict[str, str]:
    """Path below the repository to the text the code gives it."""
    return {
        "docs/reference/settings.md": _settings_page(),
        "docs/reference/commands.md": _commands_page(),
        "docs/reference/operations.md": _operations_page(),
        "config/ecosystem.example.toml": _settings_example(),
    }


def commands() -> dict[str, click.Command]:
    """Every command this distribution installs, by name."""
    scripts = metadata.distribution("ecosystem-home").entry_points.select(group="console_scripts")
    return {script.name: script.load() for script in sorted(scripts, key=lambda each: each.name)}


def write(root: Path) -> None:
    """Write every page that differs."""
    for name, text in pages().items():
        path = root / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


def _settings_page() -> str:
    lines = [
        "# Settings",
        _MADE,
        "A program reads its settings once, when it starts: from its table in"
        " `config/ecosystem.toml` below the state folder, and from the environment, which wins. An"
        " unknown name in the file, or a value that does not fit, stops the start and is named. The"
        " parts inherit the environment of the `make up` that started the supervisor. At"
        " first there is no such file, and every default holds;"
        " [the example](../../config/ecosystem.example.toml) writes them all out. Variables that"
        " are not settings are listed under [environment](environment.md).",
    ]
    for section, kind in SETTINGS.items():
        rows = [
            (
                f"`{field.name}`",
                "not set" if field.default is None else f"`{_toml(field.default)}`",
                f"`{section}_{field.name}`".upper(),
                said_of(kind).get(field.name, ""),
            )
            for field in msgspec.structs.fields(kind)
        ]
        lines += [f"## [{section}]", _table(("setting", "default", "environment", "what"), rows)]
    return _page(lines)


def _settings_example() -> str:
    lines = [
        "# Every setting with its default, as `make docs` writes them.",
        "# Copy what you change to config/ecosystem.toml below the state folder, which is",
        "# ~/.local/state/ecosystem unless ECOSYSTEM_HOME names another.",
    ]
    for section, kind in SETTINGS.items():
        lines += ["", f"[{section}]"]
        for field in msgspec.structs.fields(kind):
            lines += [f"# {line}" for line in _wrapped(said_of(kind).get(field.name, ""))]
            mark = "# " if field.default is None else ""
            lines.append(f"{mark}{field.name} = {_toml(field.default)}")
    return "\n".join(lines) + "\n"


def _commands_page() -> str:
    statuses = [(f"`{code}`", str(status)) for code, status in EXIT.items()]
    lines = [
        "# Commands",
        _MADE,
        "Every operation of a part is a command of the same name with dashes; a short form stands"
        " beside it. Each has `meta` and `health` too. `--json` prints the reply as it came. A"
        " failure is one line on the standard error, `code (field): what, and the way out`, and an"
        " exit status:",
        _table(("code", "status"), [*statuses, ("any other", "70")]),
    ]
    for name, command in commands().items():
        lines += [f"## {name}", *_helps(name, command, None)]
    return _page(lines)


def _helps(name: str, command: click.Command, parent: click.Context | None) -> Iterator[str]:
    """The help of a command and of everything below it."""
    context = click.Context(
        command, parent, info_name=name, terminal_width=_WIDTH, max_content_width=_WIDTH
    )
    if parent is not None:
        yield f"### {context.command_path}"
    yield f"```text\n{command.get_help(context)}\n```"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden and below not in _EVERYWHERE:
                yield from _helps(below, found, context)


def _operations_page() -> str:
    errors = [
        (f"`{code}`", str(kind.status), str(kind.__doc__)) for code, kind in CANONICAL.items()
    ]
    lines = [
        "# Operations",
        _MADE,
        "Each operation is `POST /v1/<operation>` on the socket of its part, JSON in and JSON out;"
        " `GET /v1/openapi.json` there describes requests and replies in full. A request is closed:"
        " an unknown field is refused and named. A reply is open: ignore what you do not know. A"
        " *read* may be sent again; a *write* never is, unless it carries the same"
        " `Idempotency-Key`. *Waits* marks a long poll. *Asserted* marks what a person's channel"
        " assertion allows (see [trust boundaries](../explanation/trust-boundaries.md)).",
        "A failure has one shape, `{error, code, reason?, field?, correlation_id}`:",
        _table(("code", "HTTP", "meaning"), errors),
        "A body that is too large is `resource_exhausted` with status 413.",
        "## Every part",
        *(block for operation in (META, HEALTH) for block in _operation("‹part›", operation)),
    ]
    for part in PARTS:
        own = [each for each in part.contract.operations.values() if each not in (META, HEALTH)]
        lines += [f"## {part.names['en']}", f"Contract `{part.contract}`.", _overview(own)]
        lines += [block for each in own for block in _operation(part.contract.name, each)]
    return _page(lines)


def _overview(operations: Iterable[Operation[Any, Any]]) -> str:
    rows = [
        (f"`{each.name}`", _traits(each), f"`{each.scope}`", each.summary) for each in operations
    ]
    return _table(("operation", "effect", "scope", "what"), rows)


def _operation(service: str, operation: Operation[Any, Any]) -> Iterator[str]:
    yield f"### {service}.{operation.name}"
    command = f"{service} {operation.name.replace('_', '-')}"
    short = f", in short `{service} {operation.alias}`" if operation.alias else ""
    scope = f"scope `{operation.scope}`" if operation.scope else "any known credential"
    yield (
        f"{operation.summary} {_traits(operation).capitalize()}; {scope}; {operation.timeout_s:g} s"
        f" unless the caller says otherwise. Command `{command}`{short}."
    )
    said = help_of(operation)
    shape = cast("shapes.StructType", shapes.type_info(operation.request))
    rows = [
        (f"`{field.name}`", _kind(field.type), "yes" if field.required else "", said[field.name])
        for field in shape.fields
    ]
    if rows:
        yield _table(("field", "type", "required", "what"), rows)
    yield f"Answers {_kind(shapes.type_info(operation.reply))}."


def _traits(operation: Operation[Any, Any]) -> str:
    traits = [
        operation.effect,
        *(["waits"] * operation.waits),
        *(["asserted"] * operation.asserted),
    ]
    return ", ".join(traits)


def _kind(kind: shapes.Type) -> str:
    """A type in a few words."""
    match kind:
        case shapes.StructType(cls=cls):
            return f"`{cls.__name__}`"
        case shapes.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in values)
        case shapes.UnionType(types=types):
            return " or ".join(
                _kind(each) for each in types if not isinstance(each, shapes.NoneType)
            )
        case shapes.ListType(item_type=item):
            return f"list of {_kind(item)}"
        case shapes.DictType(key_type=key, value_type=value):
            return f"{_kind(key)} → {_kind(value)}"
        case _:
            return _WORDS.get(type(kind), "any JSON")


def _toml(value: object) -> str:
    """As TOML writes it; what is not set needs a text."""
    return '"…"' if value is None else msgspec.json.encode(value).decode()


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _wrapped(text: str) -> list[str]:
    return click.wrap_text(text, 96).splitlines()


def _page(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"


if __name__ == "__main__":
    write(Path(__file__).parents[2])
