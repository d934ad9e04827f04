"""What the kinds, types, references and annotations of Backstage are called in Nexus."""

from __future__ import annotations

import re
from typing import NamedTuple

LOCATION = "location"
_TYPES = {
    "component": {
        "app": "application",
        "application": "application",
        "cli": "application.cli",
        "desktop-app": "application.desktop",
        "documentation": "project.documentation",
        "library": "project.library",
        "mobile-app": "application.mobile",
        "service": "service",
        "website": "application.web",
    },
    "resource": {
        "computer": "device.host",
        "host": "device.host",
        "machine": "device.host",
        "repository": "repository",
        "server": "device.host",
        "vm": "device.host",
    },
    "user": {},
}
_OTHERWISE = {
    "api": "api",
    "component": "component",
    "domain": "domain",
    "group": "group",
    "resource": "resource",
    "system": "system",
    "user": "person",
}
"""Kind to its type; what else `spec.type` says is put behind a dot."""


class Rule(NamedTuple):
    """How a field of `spec` relates its entity to others."""

    predicate: str
    kind: str
    """The kind that is meant where a reference names none."""
    reverse: bool = False
    """The arrow starts at the entity that is referred to."""


RELATIONS = {
    "owner": Rule("owned_by", "group"),
    "system": Rule("part_of", "system"),
    "domain": Rule("part_of", "domain"),
    "partOf": Rule("part_of", "component"),
    "subcomponentOf": Rule("part_of", "component"),
    "subdomainOf": Rule("part_of", "domain"),
    "parent": Rule("part_of", "group"),
    "children": Rule("part_of", "group", reverse=True),
    "dependsOn": Rule("depends_on", "component"),
    "dependencyOf": Rule("depends_on", "component", reverse=True),
    "providesApis": Rule("provides", "api"),
    "consumesApis": Rule("consumes", "api"),
    "memberOf": Rule("member_of", "group"),
    "members": Rule("member_of", "user", reverse=True),
}
ANNOTATIONS = {
    "backstage.io/kubernetes-id": "kubernetes",
    "jira/project-key": "jira",
    "opsgenie.com/component-selector": "opsgenie",
    "pagerduty.com/service-id": "pagerduty",
    "sentry.io/project-slug": "sentry",
    "sonarqube.org/project-key": "sonarqube",
}
"""Annotation to the system whose id it holds."""
SLUGS = {
    "github.com/project-slug": "github.com",
    "gitlab.com/project-slug": "gitlab.com",
    "bitbucket.org/project-slug": "bitbucket.org",
}
"""Annotation to the host its repository is on."""
SOURCE_LOCATION = "backstage.io/source-location"
_REFERENCE = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9]{0,62}):)?(?:([A-Za-z0-9][A-Za-z0-9_.-]{0,62})/)?"
    r"([A-Za-z0-9][A-Za-z0-9_.-]{0,62})"
)


def type_of(kind: str, spec_type: str | None) -> str | None:
    """The type of an entity in Nexus; None for a kind that is not imported."""
    general = _OTHERWISE.get(kind)
    if general is None or not spec_type:
        return general
    known = _TYPES.get(kind, {}).get(spec_type.strip().lower())
    word = re.sub(r"[^a-z0-9]+", "_", spec_type.lower()).strip("_")
    return known or (f"{general}.{word}" if word and kind != "user" else general)


def key_of(reference: str, kind: str, namespace: str) -> str | None:
    """`kind:namespace/name`, the key a reference means; None where it is none.

    Letter case does not count.

    Args:
        reference: as it is written, with or without kind and namespace.
        kind: the kind that is meant where it names none.
        namespace: the namespace that is meant where it names none.
    """
    match = _REFERENCE.fullmatch(reference.strip())
    if match is None:
        return None
    return f"{match[1] or kind}:{match[2] or namespace}/{match[3]}".lower()
