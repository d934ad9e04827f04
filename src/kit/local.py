"""Where things are on this machine, and whose it is: folders, sockets, credentials, language.

```text
$ECOSYSTEM_HOME/
  config/ecosystem.toml        settings, one table per part
  credentials/<program>        the secret of each program, 0600
  <part>/grants.json           the programs a part knows
  <part>/<part>.db             what it keeps
  run/<part>.sock  .lock       only while it runs
  log/<program>.log
```
"""

from __future__ import annotations

import getpass
import os
from pathlib import Path
from typing import Literal, TypeVar

from kit.address import Address
from kit.auth import Grants, Secret
from kit.client import Client
from kit.errors import InvalidArgument
from kit.settings import home

C = TypeVar("C", bound=Client)
Language = Literal["en", "ru"]


def part_folder(part: str) -> Path:
    """What a part keeps, 0700."""
    folder = home() / part
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def socket_path(part: str) -> Path:
    """Where a part listens."""
    return home() / "run" / f"{part}.sock"


def address_of(part: str) -> Address:
    """The address of a part; `NEXUS_ADDRESS` and its like name another one."""
    named = os.environ.get(f"{part.upper()}_ADDRESS")
    return Address.parse(named) if named else Address(path=str(socket_path(part)))


def secret_of(program: str) -> Secret:
    """The credential of a program.

    Raises:
        Unauthenticated: There is none, or others can read it.
    """
    return Secret.load(home() / "credentials" / program)


def grants_of(part: str) -> Grants:
    """The programs a part knows."""
    return Grants(home() / part / "grants.json")


def person() -> str:
    """The requester a command speaks for: the person logged in, unless named otherwise.

    Raises:
        InvalidArgument: The person logged in has no name.
    """
    named = os.environ.get("ECOSYSTEM_REQUESTER")
    if named:
        return named
    try:
        return f"user:{getpass.getuser()}"
    except (OSError, KeyError) as error:
        raise InvalidArgument(
            "This login has no name; set ECOSYSTEM_REQUESTER=user:<name>.", field="requester"
        ) from error


def language_here() -> Language:
    """`ru` where the person's locale is Russian, else `en`."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "ru" if next(filter(None, named), "").startswith("ru") else "en"


def connect(kind: type[C], program: str, *, requester: str | None = None) -> C:
    """A client of a part, with this program's credential."""
    return kind(address_of(kind.contract.name), secret_of(program), requester=requester)
