"""Load a part's frozen settings from the ecosystem's file and the environment.

The file is `$ECOSYSTEM_HOME/config/ecosystem.toml` with one table per part; an environment variable
such as `PRAXIS_EVERY_S` wins over it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from kit.errors import InvalidArgument

_WHERE = re.compile(r"`\$\.([^`]+)`$|required field `([^`]+)`")
S = TypeVar("S", bound=msgspec.Struct)


class Listening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of a part's doors."""

    tcp: str | None = None
    """`http://127.0.0.1:7301` opens a second door; every call needs a credential there as well."""
    tls_cert: str | None = None
    """Certificate file for the second door."""
    tls_key: str | None = None
    """Key file for the second door."""
    tcp_without_tls: bool = False
    """Allow the second door to face other machines unencrypted; tokens can then be overheard."""


def home(environment: Mapping[str, str] | None = None) -> Path:
    """The folder that holds everything the ecosystem keeps."""
    environment = os.environ if environment is None else environment
    named = environment.get("ECOSYSTEM_HOME")
    if named:
        return Path(named).expanduser().absolute()
    state = environment.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "ecosystem"


def load(kind: type[S], section: str, environment: Mapping[str, str] | None = None) -> S:
    """The settings of one part.

    Raises:
        InvalidArgument: A name is unknown or a value does not fit; `field` says which.
    """
    environment = os.environ if environment is None else environment
    path = home(environment) / "config" / "ecosystem.toml"
    values = dict(_table(path, section))
    prefix = f"{section.upper()}_"
    known = {field.encode_name for field in msgspec.structs.fields(kind)}
    for name, value in environment.items():
        field = name.removeprefix(prefix).lower()
        if name.startswith(prefix) and field in known:
            values[field] = value
    unknown = sorted(values.keys() - known)
    if unknown:
        raise InvalidArgument(
            f"{path}: [{section}] has no setting {unknown[0]!r};"
            f" it has {', '.join(sorted(known))}.",
            field=f"{section}.{unknown[0]}",
        )
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        where = _WHERE.search(str(error))
        field = f"{section}.{where[1] or where[2]}" if where else section
        raise InvalidArgument(f"[{section}] {error}", field=field) from error


def _table(path: Path, section: str) -> dict[str, Any]:
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InvalidArgument(
            f"{path} cannot be read: {error.strerror}.", field=str(path)
        ) from error
    except ValueError as error:  # not UTF-8, or not TOML
        raise InvalidArgument(f"{path} is not valid TOML: {error}", field=str(path)) from error
    table = document.get(section, {})
    if not isinstance(table, dict):
        raise InvalidArgument(f"{path}: [{section}] is a table of settings.", field=section)
    return cast("dict[str, Any]", table)
