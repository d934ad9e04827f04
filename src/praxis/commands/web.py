"""The command `praxis web`: serve the pages to this machine's browsers."""

from __future__ import annotations

from html import escape

import click

from kit.cli import PROGRAM, reporting
from kit.errors import Unavailable
from praxis.client import PraxisClient

_PORT = 7878


@click.command("web")
@click.option(
    "--port", default=_PORT, show_default=True, type=click.IntRange(0, 65535), help="Where."
)
@click.option("--open", "opens", is_flag=True, help="Open the pages in the browser.")
@click.option(
    "--link", "only_link", is_flag=True, help="Print a new link to pages that are being served."
)
def web_command(port: int, opens: bool, only_link: bool) -> None:
    """Show what needs attention as web pages, on this machine alone.

    The link that is printed lets one browser in, once; it stays let in.
    """
    from kit import log  # a client command does not pay for a server
    from kit.clock import SystemClock
    from kit.local import connect, part_folder, person
    from praxis.web.app import open_web
    from praxis.web.serving import link_to, run
    from praxis.web.session import Keys, secret_in

    with reporting():
        secret = secret_in(part_folder("praxis"))
        if only_link:
            _tell(link_to(Keys(secret, SystemClock()).new_link(), port), opens=opens)
            return
        log.configure("praxis-web", "warning")
        web = open_web(connect(PraxisClient, PROGRAM, requester=person()), secret)
        try:
            run(web, port, lambda link: _tell(link, opens=opens))
        except Unavailable as error:
            hint = " If these pages are served there already, use `praxis web --link`."
            taken = error.reason == "address_taken"
            raise Unavailable(error.message + hint * taken, reason=error.reason) from error


def _tell(link: str, *, opens: bool) -> None:
    """Print the link; the browser gets it from a private file, since all see what is started."""
    from kit.auth import write_private
    from kit.local import part_folder

    click.echo(link)
    if opens:
        page = part_folder("praxis") / "web.html"
        refresh = f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(link)}">\n'
        write_private(page, refresh.encode())
        click.launch(page.as_uri())
