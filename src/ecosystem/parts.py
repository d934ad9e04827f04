"""The parts this ecosystem runs, what they are called, and who may ask what of whom."""

from __future__ import annotations

from dataclasses import dataclass

from hexis.contract import CONTRACT as HEXIS
from kit.contract import Contract
from maven.contract import CONTRACT as MAVEN
from nexus.contract import CONTRACT as NEXUS
from praxis.contract import CONTRACT as PRAXIS
from vecna.contract import CONTRACT as VECNA


@dataclass(frozen=True, slots=True)
class Part:
    """One part and the process that serves it."""

    contract: Contract
    program: str
    """Its name under the supervisor, and of its credential."""
    names: dict[str, str]
    aliases: tuple[str, ...]
    description: str

    @property
    def name(self) -> str:
        """The name of its contract, command, socket and folder."""
        return self.contract.name


PARTS: tuple[Part, ...] = (
    Part(
        NEXUS,
        "nexus",
        {"en": "Nexus", "ru": "Нексус"},
        ("identity service", "сервис имён"),
        "Who and what things are.",
    ),
    Part(
        PRAXIS,
        "praxis",
        {"en": "Praxis", "ru": "Праксис"},
        ("attention service", "сервис внимания"),
        "What needs attention.",
    ),
    Part(
        HEXIS,
        "hexis",
        {"en": "Hexis", "ru": "Хексис"},
        ("Гексис", "execution service", "сервис исполнения"),
        "What may be done, and doing it.",
    ),
    Part(
        VECNA,
        "vecna",
        {"en": "Vecna", "ru": "Векна"},
        ("shared memory", "общая память"),
        "What agents learned.",
    ),
    Part(
        MAVEN,
        "mavend",
        {"en": "Maven", "ru": "Мавен"},
        ("mavend", "Мейвен"),
        "Conversation.",
    ),
)
BY_PROGRAM = {part.program: part for part in PARTS}
BY_NAME = {part.name: part for part in PARTS}

TERMINAL = "terminal"
"""The channel a person types in; its assertions are a person's word."""
CLI = "cli"
"""The parts' own commands."""
PROGRAMS: tuple[str, ...] = (*BY_PROGRAM, TERMINAL, CLI)


@dataclass(frozen=True, slots=True)
class Permission:
    """What one part allows one program."""

    part: str
    program: str
    scopes: tuple[str, ...] = ()
    speaks_for: tuple[str, ...] = ()
    channel: bool = False


EVERYONE = ("user:*", "agent:*", "service:*")
OWNER = "user:{owner}"
"""Replaced by the person who started the ecosystem first."""

PERMISSIONS: tuple[Permission, ...] = (
    Permission("nexus", "mavend", ("nexus.read",), ("user:*", "service:mavend")),
    Permission("nexus", "hexis", ("nexus.read",), EVERYONE),
    Permission("nexus", CLI, ("nexus.read", "nexus.feedback", "nexus.write"), (OWNER,)),
    Permission(
        "praxis", "mavend", ("praxis.read", "praxis.transition"), ("user:*", "service:mavend")
    ),
    Permission("praxis", "hexis", ("praxis.observe",), EVERYONE),
    Permission(
        "praxis",
        CLI,
        ("praxis.read", "praxis.observe", "praxis.transition", "praxis.admin"),
        (OWNER,),
    ),
    Permission(
        "hexis", "mavend", ("hexis.discover", "hexis.execute"), ("user:*", "service:mavend")
    ),
    Permission("hexis", TERMINAL, ("hexis.confirm",), (OWNER,), channel=True),
    Permission(
        "hexis",
        CLI,
        ("hexis.discover", "hexis.execute", "hexis.confirm", "hexis.admin"),
        (OWNER,),
        channel=True,
    ),
    Permission("vecna", "mavend", ("vecna.read",), ("user:*", "service:mavend")),
    Permission("vecna", CLI, ("vecna.read", "vecna.write"), (OWNER,)),
    Permission("maven", TERMINAL, ("maven.talk", "maven.read"), (OWNER,)),
    Permission("maven", CLI, ("maven.read",), (OWNER,)),
    # Praxis asks each part for its health; that needs a known credential and no scope at all.
    *(Permission(part.name, "praxis", (), ("service:praxis",)) for part in PARTS),
)
