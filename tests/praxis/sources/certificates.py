"""Real certificates of a home's own authority, made by the openssl program."""

from __future__ import annotations

import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path


def _openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=30)


@dataclass(frozen=True)
class Certificate:
    """A certificate with its key."""

    file: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """What a server shows."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.file, self.key)
        return context


class Authority:
    """Signs certificates; nobody trusts it who was not told to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.file, self._key = folder / "ca.pem", folder / "ca.key"
        _openssl(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "30", "-subj", "/CN=home authority"),
            *("-addext", "keyUsage=critical,keyCertSign"),
            *("-keyout", str(self._key), "-out", str(self.file)),
        )

    def certificate(self, name: str = "localhost", days: int = 1) -> Certificate:
        """A certificate for a name, valid for so many days from now."""
        made = Certificate(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        request, extensions = self._folder / "request", self._folder / "extensions"
        extensions.write_text(f"subjectAltName=DNS:{name},IP:127.0.0.1\n", encoding="ascii")
        _openssl(
            *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-subj", f"/CN={name}", "-keyout", str(made.key), "-out", str(request)),
        )
        _openssl(
            *("x509", "-req", "-in", str(request), "-days", str(days), "-CAcreateserial"),
            *("-CA", str(self.file), "-CAkey", str(self._key), "-extfile", str(extensions)),
            *("-out", str(made.file)),
        )
        return made
