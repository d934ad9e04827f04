"""A catalog as people keep it: a TOML file under version control."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from kit.errors import InvalidArgument
from nexus.contract import ApplyCatalog


def read(path: Path) -> ApplyCatalog:
    """The catalog that a file declares.

    Raises:
        InvalidArgument: There is no such file, or it is no catalog; `field` says where.
    """
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InvalidArgument(f"{path} cannot be read: {error.strerror}.", field="file") from error
    except ValueError as error:  # not UTF-8, or not TOML
        raise InvalidArgument(f"{path} is not valid TOML: {error}.", field="file") from error
    try:
        return msgspec.convert(document, ApplyCatalog)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `$")
        named = message.split("`")[1] if "field `" in message else "file"
        raise InvalidArgument(f"{path}: {message}.", field=where.strip("`.") or named) from error
