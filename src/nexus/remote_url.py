"""The address of a git remote as one external id, however it is written, without credentials."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from kit.redact import text as without_secrets

_SCP = re.compile(r"(?:[^\s/:@]+@)?([A-Za-z0-9.-]{2,}|\[[0-9A-Fa-f:]+\]):(?!//)([^\s].*)")
"""`git@host:path`, as ssh writes it."""
_SCHEMES = frozenset({"git", "git+ssh", "http", "https", "ssh"})
_CASELESS = frozenset({"bitbucket.org", "codeberg.org", "github.com", "gitlab.com"})
"""Hosts to which the letter case of a path does not matter."""
_USUAL_PORTS = frozenset({22, 80, 443, 9418})


def external_id_of(url: str) -> str | None:
    """`host/path` of a remote on a network; None for a folder and for what is no such address.

    User, password, query and fragment are left out, and so is an address that still looks as if it
    held a secret.
    """
    url = url.strip()
    if "://" in url:
        found = _of_url(url)
    else:
        match = _SCP.fullmatch(url)
        found = (match[1], match[2]) if match else None
    if found is None:
        return None
    host, path = found[0].lower(), re.sub(r"/+", "/", found[1]).strip("/")
    path = path.removesuffix(".git").rstrip("/")
    name = f"{host}/{path.lower() if host in _CASELESS else path}"
    if not path or len(name) > 200 or not name.isprintable() or " " in name:
        return None
    return name if without_secrets(name) == name else None


def _of_url(url: str) -> tuple[str, str] | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES or not parts.hostname:
        return None
    shown = "" if port in {None, *_USUAL_PORTS} else f":{port}"
    return parts.hostname + shown, unquote(parts.path)
