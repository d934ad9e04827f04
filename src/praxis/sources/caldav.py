"""Ask a collection of a CalDAV server for properties of what it holds."""

from __future__ import annotations

import asyncio
import base64
import netrc
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from kit.address import Address
from kit.errors import FailedPrecondition, NotFound, PermissionDenied, Unavailable
from praxis.contract.looks import CalendarLook, TaskLook
from praxis.sources.exchange import ask
from praxis.sources.reach import Reach, Unreached, parsed

_LARGEST = 16 << 20
_LARGEST_NETRC = 64 << 10
_QUERY = '<?xml version="1.0" encoding="utf-8"?>'
PROPFIND = f'{_QUERY}<propfind xmlns="DAV:"><prop><getlastmodified/></prop></propfind>'
TODO_QUERY = (
    f'{_QUERY}<C:calendar-query xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">'
    "<prop><getlastmodified/><C:calendar-data/></prop>"
    '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter>'
    "</C:filter></C:calendar-query>"
)


class Collection:
    """A calendar or a task list on a server."""

    def __init__(self, look: CalendarLook | TaskLook, logins: Path | None) -> None:
        self._look = look
        self._logins = logins
        self._reach = Reach(parsed(look.address), look.ca_file)

    async def ask(self, method: str, query: str) -> list[dict[str, str]]:
        """Properties by their names, of each thing that has some.

        Raises:
            ServiceError: The server cannot be asked, refuses, or tells only a part.
        """
        headers = {"content-type": "application/xml; charset=utf-8", "depth": "1"}
        headers |= await self._authorization()
        try:
            answer = await ask(
                self._reach,
                self._look.path,
                method=method,
                headers=headers,
                body=query.encode(),
                timeout_s=self._look.timeout_s,
                largest=_LARGEST,
            )
        except Unreached as error:
            raise error.unavailable(self._where) from error
        if answer.status in {401, 403}:
            raise PermissionDenied(f"{self._where} does not let Praxis in.", reason="no_login")
        if answer.status == 404:
            raise NotFound(f"{self._where} has no {self._look.path}.", field="path")
        if answer.status != 207:
            raise Unavailable(f"{self._where} answers {answer.status} instead of 207.")
        if not answer.is_whole:
            raise Unavailable(f"{self._where} answers more than {_LARGEST >> 20} MiB.")
        try:
            return await asyncio.to_thread(properties_in, answer.body)
        except (ElementTree.ParseError, ValueError, LookupError) as error:
            raise Unavailable(f"{self._where} answers what is no plain multistatus.") from error

    @property
    def _where(self) -> str:
        return self._reach.address.authority

    async def _authorization(self) -> dict[str, str]:
        if self._logins is None:
            return {}
        login = await asyncio.to_thread(login_in, self._logins, self._reach.address)
        if login is None:
            return {}
        address = self._reach.address
        if not (address.tls or address.is_loopback or self._look.without_tls):
            raise FailedPrecondition(
                f"The password would cross the network unencrypted; use https://{address.host}"
                " or allow it with `without_tls`.",
                reason="without_tls",
                field="address",
            )
        return {"authorization": f"Basic {base64.b64encode(':'.join(login).encode()).decode()}"}


def login_in(file: Path, address: Address) -> tuple[str, str] | None:
    """Name and password for one host, from a netrc file; `host:port` goes before `host`.

    Raises:
        FailedPrecondition: The file is open to others, or is no netrc file.
    """
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    if status.st_mode & 0o077 or status.st_size > _LARGEST_NETRC or not file.is_file():
        raise FailedPrecondition(
            f"{file} is not a small file that only its owner can read; chmod 600 it.",
            reason="open_to_others",
        )
    try:
        hosts = netrc.netrc(str(file)).hosts
    except (netrc.NetrcParseError, OSError, ValueError):
        # The parser's own message may hold what it stumbled over.
        raise FailedPrecondition(f"{file} is no netrc file.", reason="malformed") from None
    found = hosts.get(address.authority) or hosts.get(address.host)
    return (found[0], found[2] or "") if found else None


class _Plain(ElementTree.TreeBuilder):
    """Takes no document type, so that nothing in a document can grow or lead elsewhere."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ValueError("a document type")


def properties_in(body: bytes) -> list[dict[str, str]]:
    """The properties of each thing in a multistatus.

    Raises:
        ElementTree.ParseError: It is no XML.
        ValueError: It is no multistatus, has a document type, or tells only a part.
    """
    parser = ElementTree.XMLParser(target=_Plain())  # noqa: S314 - see `_Plain`
    root = ElementTree.fromstring(body, parser)  # noqa: S314 - see `_Plain`
    if _name(root) != "multistatus":
        raise ValueError("no multistatus")
    return [found for response in root if (found := dict(_properties(response)))]


def _properties(response: ElementTree.Element) -> Iterator[tuple[str, str]]:
    for part in response:
        if _name(part) == "status" and " 507 " in f"{part.text} ":
            raise ValueError("only a part is told")
        if _name(part) != "propstat":
            continue
        inner = {_name(each): each for each in part}
        if "status" in inner and " 200" not in (inner["status"].text or ""):
            continue
        for each in inner.get("prop", ()):
            yield _name(each), each.text or ""


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
