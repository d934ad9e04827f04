"""The parts this ecosystem runs, what they are called, and who may ask what of whom."""

from __future__ import annotations

from dataclasses import dataclass

from hexis.contract import CONTRACT as HEXIS
from kit.contract import Contract
from maven.contract import CONTRACT as MAVEN
from nexus.contract import CONTRACT as NEXUS
from nexus.contract import Language
from praxis.contract import CONTRACT as PRAXIS
from vecna.contract import CONTRACT as VECNA


@dataclass(frozen=True, slots=True)
class Part:
    """One part and the process that serves it."""

    contract: Contract
    program: str
    """Its name under the supervisor, and of its credential."""
    names: dict[Language, str]
    aliases: tuple[str, ...]
    description: dict[Language, str]

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
        {"en": "Who and what things are.", "ru": "Кто есть кто и что есть что."},
    ),
    Part(
        PRAXIS,
        "praxis",
        {"en": "Praxis", "ru": "Праксис"},
        ("attention service", "сервис внимания"),
        {"en": "What needs attention.", "ru": "Что требует внимания."},
    ),
    Part(
        HEXIS,
        "hexis",
        {"en": "Hexis", "ru": "Хексис"},
        ("Гексис", "execution service", "сервис исполнения"),
        {"en": "What may be done, and doing it.", "ru": "Что можно сделать, и само исполнение."},
    ),
    Part(
        VECNA,
        "vecna",
        {"en": "Vecna", "ru": "Векна"},
        ("shared memory", "общая память"),
        {"en": "What agents learned.", "ru": "Чему научились агенты."},
    ),
    Part(
        MAVEN,
        "mavend",
        {"en": "Maven", "ru": "Мавен"},
        ("mavend", "Мейвен"),
        {"en": "Conversation.", "ru": "Разговор."},
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

_PRAXIS_MAY = {"nexus": ("nexus.read",), "hexis": ("hexis.discover",)}
"""Where Praxis asks for more than health: what a thing is, and what could be done about it."""
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
    Permission("vecna", CLI, ("vecna.read", "vecna.write"), (OWNER,)),
    Permission("maven", TERMINAL, ("maven.talk", "maven.read"), (OWNER,)),
    Permission("maven", CLI, ("maven.read",), (OWNER,)),
    # Praxis asks each part for its health; that needs a known credential and no scope at all.
    *(Permission(part.name, "praxis", _PRAXIS_MAY.get(part.name, ()), EVERYONE) for part in PARTS),
)
