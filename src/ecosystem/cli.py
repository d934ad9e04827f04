"""The command `ecosystem`: start, stop, look, repair."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ecosystem.texts import say
from kit.cli import reporting
from kit.settings import home, load


@click.group()
def main() -> None:
    """Run Maven, Nexus, Praxis, Hexis and Vecna together on this machine."""


@main.command()
def up() -> None:
    """Start every part, or find it running; repair what a crash left behind."""
    from ecosystem import lifecycle
    from ecosystem.settings import Settings

    with reporting():
        settings = load(Settings, "ecosystem")
        started = lifecycle.up(home(), settings)
    parts = ", ".join(sorted(started.health))
    if started.repaired:
        click.echo(say("repaired", parts=", ".join(sorted(started.repaired))))
    if started.reconfigured:
        click.echo(say("reconfigured", parts=", ".join(sorted(started.reconfigured))))
    untouched = started.was_running and not started.repaired and not started.reconfigured
    click.echo(say("found" if untouched else "started", parts=parts, seconds=started.seconds))
    for name, reply in started.health.items():
        for problem in reply.degraded:
            click.echo(say("degraded", part=name, problem=problem))
    restart = say("on" if settings.restart_on_crash else "off")
    click.echo(say("where", home=home(), restart=restart))
    click.echo(say("talk", maven=_command("maven"), ecosystem=_command("ecosystem")))


@main.command()
def down() -> None:
    """Stop every part and the supervisor."""
    from ecosystem import lifecycle

    with reporting():
        ran = lifecycle.down(home())
    click.echo(say("stopped" if ran else "nothing_ran"))


@main.command()
@click.argument("part")
def restart(part: str) -> None:
    """Stop one part and start it again."""
    from ecosystem import lifecycle

    with reporting():
        restarted = lifecycle.restart(home(), part)
    click.echo(say("restarted", part=restarted.name))


@main.command()
@click.argument("program")
def rotate(program: str) -> None:
    """Give one program a new secret; the old one is dead at once."""
    from ecosystem import credentials
    from ecosystem.parts import BY_PROGRAM

    with reporting():
        credentials.rotate(home(), program)
    text = "rotated" if program in BY_PROGRAM else "rotated_command"
    click.echo(say(text, program=program, ecosystem=_command("ecosystem")))


@main.command()
def doctor() -> None:
    """Check sockets, credentials, contract versions, clock and disk; say what to do."""
    from ecosystem.doctor import examine

    findings = examine(home())
    for finding in findings:
        click.echo(finding.line())
    wrong = sum(finding.level == "wrong" for finding in findings)
    click.echo(say("not_well", count=wrong) if wrong else say("all_well"))
    raise SystemExit(1 if wrong else 0)


def _command(name: str) -> str:
    """How to call a command from here."""
    path = Path(sys.executable).parent / name
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
