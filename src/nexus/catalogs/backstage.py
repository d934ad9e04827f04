"""Entities that Backstage knows, from `catalog-info.yaml`; nothing is fetched from anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from kit.errors import InvalidArgument
from nexus.catalogs import backstage_kinds as kinds
from nexus.catalogs.entries import Declarations, Place, entry_of
from nexus.catalogs.files import real
from nexus.catalogs.yaml_file import Document
from nexus.remote_url import external_id_of

CATALOG = "backstage"
"""What the catalog is called unless it is named."""
_LONGEST_TEXT = 4000
_MOST_ATTRIBUTES = 50
_KINDS = "Component, API, Resource, System, Domain, User, Group and Location"


@dataclass(slots=True)
class Described:
    """One entity as its document describes it."""

    key: str
    namespace: str
    place: Place
    metadata: dict[str, Any]
    spec: dict[str, Any]
    raw: dict[str, Any] = field(default_factory=dict[str, Any])
    """The entry it becomes."""


@dataclass(slots=True)
class Import:
    """Gathers documents until all are known, then relates them."""

    described: list[Described] = field(default_factory=list[Described])
    remarks: list[str] = field(default_factory=list[str])

    def take(self, document: Document, path: Path) -> list[Path]:
        """Take in one document; the files it points to are to be read as well.

        Raises:
            InvalidArgument: It is not the description of an entity.
        """
        if document.value is None:
            return []
        place = Place(path, document.line_of(document.value))
        whole = _mapping(document.value, place, "kind")
        kind = _text(whole, "kind", place, "kind").lower()
        metadata = _mapping(whole.get("metadata"), place, "metadata")
        spec = _mapping(whole.get("spec") or {}, place, "spec")
        if kind == kinds.LOCATION:
            return self._targets(spec, place)
        name = _text(metadata, "name", place, "metadata.name")
        entity_type = kinds.type_of(kind, _optional(spec, "type", place, "spec.type"))
        if entity_type is None:
            self.remarks.append(
                f"{place}: {whole['kind']} {name!r} is passed over; {_KINDS} are imported"
            )
            return []
        namespace = _optional(metadata, "namespace", place, "metadata.namespace") or "default"
        key = kinds.key_of(f"{kind}:{namespace}/{name}", kind, namespace)
        if key is None or len(key) > 120:
            raise InvalidArgument(
                f"{place}: {name[:80]!r} in {namespace[:80]!r} is no name of Backstage; it has "
                "Latin letters, digits and - _ . , 63 at most.",
                field="metadata.name",
            )
        described = Described(key, namespace, place, metadata, spec)
        described.raw = self._entry(described, entity_type, name)
        self.described.append(described)
        return []

    def declarations(self) -> Declarations:
        """The entries, related to each other.

        Raises:
            InvalidArgument: A reference is none, or an entity cannot be an entry.
        """
        self._share_out_external_ids()
        known = {described.key: described for described in self.described}
        for described in self.described:
            for name, rule in kinds.RELATIONS.items():
                for reference in _texts(described.spec.get(name), described.place, f"spec.{name}"):
                    self._relate(described, name, rule, reference, known)
        entries = [(each.place, entry_of(each.raw, each.place)) for each in self.described]
        return Declarations(CATALOG, entries, self.remarks)

    def _entry(self, described: Described, entity_type: str, name: str) -> dict[str, Any]:
        metadata, spec, place = described.metadata, described.spec, described.place
        profile = _mapping(spec.get("profile") or {}, place, "spec.profile")
        title = _optional(profile, "displayName", place, "spec.profile.displayName")
        title = _optional(metadata, "title", place, "metadata.title") or title
        raw: dict[str, Any] = {
            "key": described.key,
            "type": entity_type,
            "names": _in_its_language(title or name),
            "external": {"backstage": described.key},
            "attributes": self._attributes(described),
            "relations": {},
        }
        if title and title != name:
            raw["aliases"] = [name]
        description = (
            _optional(metadata, "description", place, "metadata.description") or ""
        ).strip()
        if len(description) > _LONGEST_TEXT:
            description = f"{description[: _LONGEST_TEXT - 1]}…"
            self.remarks.append(f"{place}: the description is cut to {_LONGEST_TEXT} characters")
        if description:
            raw["description"] = _in_its_language(description)
        email = _optional(profile, "email", place, "spec.profile.email")
        raw["external"] |= {"email": email} if email else {}
        raw["external"] |= self._external(metadata, place)
        return raw

    def _external(self, metadata: dict[str, Any], place: Place) -> dict[str, str]:
        annotations = _mapping(metadata.get("annotations") or {}, place, "metadata.annotations")
        external: dict[str, str] = {}
        for annotation, value in annotations.items():
            if not isinstance(value, str) or not value.strip():
                continue
            system: str | None = "git"
            if annotation in kinds.SLUGS:
                value = external_id_of(f"https://{kinds.SLUGS[annotation]}/{value}")
            elif annotation == kinds.SOURCE_LOCATION:
                if "git" in external:
                    continue
                value = external_id_of(_repository_in(value.removeprefix("url:")))
            else:
                system = kinds.ANNOTATIONS.get(annotation)
            if system and value:
                external[system] = value.strip()
        return external

    def _attributes(self, described: Described) -> dict[str, str]:
        metadata, spec, place = described.metadata, described.spec, described.place
        attributes: dict[str, str] = {}
        lifecycle = _optional(spec, "lifecycle", place, "spec.lifecycle")
        if lifecycle:
            attributes["lifecycle"] = lifecycle
        tags = _texts(metadata.get("tags"), place, "metadata.tags")
        if tags:
            attributes["tags"] = ", ".join(tags)
        for at, link in enumerate(_list(metadata.get("links"), place, "metadata.links")):
            where = f"metadata.links[{at}]"
            shown = _mapping(link, place, where)
            url = _text(shown, "url", place, f"{where}.url")
            title = _optional(shown, "title", place, f"{where}.title") or url
            if len(attributes) < _MOST_ATTRIBUTES:
                attributes[f"link: {title}"[:200]] = url
        return attributes

    def _targets(self, spec: dict[str, Any], place: Place) -> list[Path]:
        """The files a Location names; what is on a network or elsewhere is told."""
        named = [*_texts(spec.get("target"), place, "spec.target")]
        named += _texts(spec.get("targets"), place, "spec.targets")
        found: list[Path] = []
        root = real(place.path.parent)
        for target in named:
            path = place.path.parent / target
            if "://" in target or "\0" in target or _optional(spec, "type", place, "type") == "url":
                why = "is not on this machine's disk, and nothing is fetched"
            elif Path(target).is_absolute() or not real(path).is_relative_to(root):
                why = f"leads out of {place.path.parent}; name that file to `nexus apply` as well"
            elif not path.is_file():
                why = "is no file"
            else:
                found.append(path)
                continue
            self.remarks.append(f"{place}: the target {target[:200]!r} {why}")
        return found

    def _share_out_external_ids(self) -> None:
        """An id that several entities give is nobody's own; they keep it as an attribute."""
        counted = Counter(pair for each in self.described for pair in each.raw["external"].items())
        for described in self.described:
            for system, external_id in list(described.raw["external"].items()):
                if system != "backstage" and counted[system, external_id] > 1:
                    del described.raw["external"][system]
                    described.raw["attributes"][system] = external_id
                    self.remarks.append(
                        f"{described.place}: {system} {external_id!r} is given by several "
                        "entities, so it names none of them and is kept as an attribute"
                    )

    def _relate(
        self,
        described: Described,
        name: str,
        rule: kinds.Rule,
        reference: str,
        known: dict[str, Described],
    ) -> None:
        key = kinds.key_of(reference, rule.kind, described.namespace)
        if key is None:
            raise InvalidArgument(
                f"{described.place}: {reference[:80]!r} is no reference; it is written "
                "kind:namespace/name.",
                field=f"spec.{name}",
            )
        if key not in known:
            self.remarks.append(
                f"{described.place}: {name} {reference!r} is left out; {key} is not in these files"
            )
            return
        start, end = (known[key], described.key) if rule.reverse else (described, key)
        keys: list[str] = start.raw["relations"].setdefault(rule.predicate, [])
        if end not in keys and end != start.key:
            keys.append(end)


def is_backstage(documents: Iterable[Document]) -> bool:
    """Whether a file holds descriptions for Backstage and no catalog of Nexus's own form."""
    values = (cast("object", each.value) for each in documents)
    return any(isinstance(each, dict) and {"kind", "metadata"} <= each.keys() for each in values)


def _repository_in(url: str) -> str:
    """The repository in the address of a file or folder of it, as the great hosts write it."""
    for mark in ("/-/tree/", "/-/blob/", "/tree/", "/blob/", "/src/"):
        url = url.partition(mark)[0]
    return url


def _in_its_language(text: str) -> dict[str, str]:
    return {"ru" if any("а" <= each <= "я" or each == "ё" for each in text.lower()) else "en": text}


def _mapping(value: object, place: Place, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _not(place, where, "a mapping")
    return cast("dict[str, Any]", value)


def _list(value: object, place: Place, where: str) -> list[Any]:
    if value is not None and not isinstance(value, list):
        raise _not(place, where, "a list")
    return cast("list[Any]", value or [])


def _texts(value: object, place: Place, where: str) -> list[str]:
    several = [value] if isinstance(value, str) else _list(value, place, where)
    for each in several:
        if not isinstance(each, str):
            raise _not(place, where, "a list of texts")
    return several


def _text(value: dict[str, Any], name: str, place: Place, where: str) -> str:
    found = _optional(value, name, place, where)
    if not found:
        raise _not(place, where, "a text")
    return found


def _optional(value: dict[str, Any], name: str, place: Place, where: str) -> str | None:
    found: object = value.get(name)
    if found is not None and not isinstance(found, str):
        raise _not(place, where, "a text (quotes make it one)")
    return found


def _not(place: Place, where: str, what: str) -> InvalidArgument:
    return InvalidArgument(f"{place}: {where} is missing or is not {what}.", field=where)
