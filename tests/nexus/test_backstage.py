"""What Backstage describes becomes entries with types, names, external ids and relations."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import InvalidArgument
from nexus.catalogs.backstage_kinds import key_of, type_of
from nexus.catalogs.reading import read_catalog
from tests.requirements import requirement

CATALOG = """\
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: correx
  title: Коррекс
  description: Indexes papers.
  tags: [python, search]
  links:
    - {url: "https://correx.example/", title: Site}
  annotations:
    github.com/project-slug: Org/Correx
    backstage.io/source-location: url:https://github.com/org/correx/tree/main/
    jira/project-key: CRX
    example.com/unknown: left out
spec:
  type: service
  lifecycle: production
  owner: papers
  system: library
  dependsOn: ["resource:papers-db", "Component:Default/Reader"]
  providesApis: [correx-api]
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: Reader}
spec: {type: website, subcomponentOf: correx, consumesApis: [correx-api]}
---
kind: API
metadata: {name: correx-api}
spec: {type: openapi, definition: {$text: ./never-read.yaml}}
---
kind: Resource
metadata: {name: papers-db}
spec: {type: database, dependencyOf: ["component:reader"]}
---
kind: System
metadata: {name: library}
spec: {domain: knowledge}
---
kind: Domain
metadata: {name: knowledge}
---
kind: Group
metadata: {name: papers}
spec: {type: team, profile: {displayName: Papers}, members: [anna], children: []}
---
kind: User
metadata: {name: anna}
spec: {profile: {displayName: Анна, email: anna@example.com}, memberOf: [papers]}
"""


def put(folder: Path, name: str, text: str) -> Path:
    """Write a file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@requirement("nexus.surface.import")
def test_every_kind_becomes_an_entry_related_to_the_others(tmp_path: Path) -> None:
    read = read_catalog([put(tmp_path, "catalog-info.yaml", CATALOG)])

    entries = {entry.key: entry for entry in read.catalog.entries}
    correx = entries["component:default/correx"]
    assert read.catalog.catalog == "backstage"
    assert read.remarks == []
    assert {key.partition(":")[0]: entry.type for key, entry in entries.items()} == {
        "component": "application.web",
        "api": "api.openapi",
        "resource": "resource.database",
        "system": "system",
        "domain": "domain",
        "group": "group.team",
        "user": "person",
    }
    assert (correx.names, correx.aliases) == ({"ru": "Коррекс"}, ["correx"])
    assert correx.description == {"en": "Indexes papers."}
    assert correx.external == {
        "backstage": "component:default/correx",
        "git": "github.com/org/correx",
        "jira": "CRX",
    }
    assert correx.attributes == {
        "lifecycle": "production",
        "tags": "python, search",
        "link: Site": "https://correx.example/",
    }
    assert correx.relations == {
        "owned_by": ["group:default/papers"],
        "part_of": ["system:default/library"],
        "depends_on": ["resource:default/papers-db", "component:default/reader"],
        "provides": ["api:default/correx-api"],
    }
    assert entries["component:default/reader"].relations == {
        "part_of": ["component:default/correx"],
        "consumes": ["api:default/correx-api"],
        "depends_on": ["resource:default/papers-db"],
    }
    assert entries["user:default/anna"].relations == {"member_of": ["group:default/papers"]}
    assert entries["user:default/anna"].external["email"] == "anna@example.com"


def test_other_kinds_and_references_to_elsewhere_are_told(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "catalog-info.yaml",
        "kind: Template\nmetadata: {name: new}\n"
        "---\nkind: Component\nmetadata: {name: a}\nspec: {type: tool, owner: nobody}\n",
    )

    read = read_catalog([path])

    assert [entry.type for entry in read.catalog.entries] == ["component.tool"]
    assert [remark.removeprefix(f"{path}") for remark in read.remarks] == [
        ":1: Template 'new' is passed over; Component, API, Resource, System, Domain, User, Group "
        "and Location are imported",
        ":4: owner 'nobody' is left out; group:default/nobody is not in these files",
    ]


def test_a_location_leads_to_local_files_and_nowhere_else(tmp_path: Path) -> None:
    put(tmp_path, "outside.yaml", "kind: System\nmetadata: {name: outside}\n")
    put(tmp_path, "in/more/a.yaml", "kind: System\nmetadata: {name: a}\n")
    (tmp_path / "in" / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    path = put(
        tmp_path,
        "in/catalog-info.yaml",
        "kind: Location\nmetadata: {name: all}\nspec:\n  targets:\n    - ./more/a.yaml\n"
        "    - ./catalog-info.yaml\n    - ../outside.yaml\n    - /etc/passwd\n    - ./link.yaml\n"
        "    - https://backstage.example/b.yaml\n    - ./gone.yaml\n",
    )

    read = read_catalog([path])

    assert [entry.key for entry in read.catalog.entries] == ["system:default/a"]
    assert [remark.split("target ")[1].split("'")[1] for remark in read.remarks] == [
        "../outside.yaml",
        "/etc/passwd",
        "./link.yaml",
        "https://backstage.example/b.yaml",
        "./gone.yaml",
    ]


def test_an_external_id_that_two_entities_share_names_neither(tmp_path: Path) -> None:
    one = (
        "kind: Component\nmetadata: {{name: {}, annotations: {{github.com/project-slug: "
        "o/mono}}}}\nspec: {{type: service}}\n"
    )
    path = put(tmp_path, "catalog-info.yaml", "---\n".join(map(one.format, "ab")))

    read = read_catalog([path])

    assert [entry.external.get("git") for entry in read.catalog.entries] == [None, None]
    assert [entry.attributes for entry in read.catalog.entries] == [
        {"git": "github.com/o/mono"}
    ] * 2
    assert len(read.remarks) == 2


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("kind: Component\nmetadata: {name: a b}", "metadata.name"),
        ("kind: Component\nmetadata: {name: [a]}", "metadata.name"),
        ("kind: Component\nmetadata: {}", "metadata.name"),
        ("kind: Component\nmetadata: []", "metadata"),
        ("kind: Component\nmetadata: {name: a}\nspec: {owner: 7}", "spec.owner"),
        ("kind: Component\nmetadata: {name: a}\nspec: {owner: a b}", "spec.owner"),
        ("kind: Component\nmetadata: {name: a, links: [1]}", "metadata.links[0]"),
        ("kind: Component\nmetadata: {name: a, annotations: 1}", "metadata.annotations"),
        ("kind: 7\nmetadata: {name: a}", "kind"),
    ],
)
def test_a_description_that_is_none_is_refused_with_its_place(
    tmp_path: Path, text: str, field: str
) -> None:
    path = put(tmp_path, "catalog-info.yaml", text)

    with pytest.raises(InvalidArgument) as refused:
        read_catalog([path])

    assert refused.value.field == field
    assert refused.value.message.startswith(f"{path}:1")


def test_two_files_that_describe_one_entity_are_both_named(tmp_path: Path) -> None:
    text = "kind: System\nmetadata: {name: a}\n"
    first, second = put(tmp_path, "a.yaml", text), put(tmp_path, "b.yaml", text)

    with pytest.raises(InvalidArgument) as refused:
        read_catalog([tmp_path])

    assert str(first) in refused.value.message
    assert str(second) in refused.value.message


def test_references_are_completed_and_letter_case_does_not_count() -> None:
    assert key_of("correx", "component", "work") == "component:work/correx"
    assert key_of("Home/Correx", "component", "work") == "component:home/correx"
    assert key_of("API:home/Correx", "component", "work") == "api:home/correx"
    assert key_of("a b", "component", "work") is None
    assert type_of("component", "Mobile-App") == "application.mobile"
    assert type_of("resource", "S3 bucket") == "resource.s3_bucket"
    assert type_of("template", "service") is None
