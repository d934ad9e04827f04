"""What Praxis can be told to look at by itself, one closed struct for each way of looking."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from kit.contract import Request

Every = Annotated[float, Meta(ge=0.1, le=86400)]
"""Seconds between the beginnings of two looks."""
Timeout = Annotated[float, Meta(gt=0, le=60)]
"""Seconds a whole look may take."""
Failures = Annotated[int, Meta(ge=1, le=100)]
"""How many failures in a row make a problem."""
Host = Annotated[str, Meta(pattern=r"^[^\s/@?#\\\[\]]+$(?!\n)", max_length=253)]
"""A name, or an address without brackets."""
Port = Annotated[int, Meta(ge=1, le=65535)]
WebAddress = Annotated[str, Meta(pattern=r"^https?://[^\s/@?#\\]+$(?!\n)", max_length=300)]
"""Scheme, host and port, as in `https://cloud.home`; what is asked for there is a `path`."""
Path = Annotated[str, Meta(pattern=r"^/[^\s#]*$(?!\n)", max_length=1000)]
"""What is asked for at an address: an absolute path, perhaps with a query."""
File = Annotated[str, Meta(pattern=r"^/[^\x00-\x1f]*$(?!\n)", max_length=1000)]
"""An absolute path on this machine."""
RelativePath = Annotated[str, Meta(pattern=r"^[^/\x00-\x1f][^\x00-\x1f]*$(?!\n)", max_length=300)]
Percent = Annotated[float, Meta(ge=0, le=100)]
Days = Annotated[float, Meta(gt=0, le=3660)]
Scope = Literal["system", "user"]
"""Whose units: of the machine, or of the person Praxis runs as."""
UnitName = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9:_.\\@][A-Za-z0-9:_.\\@-]*\.[a-z]+$(?!\n)", max_length=255)
]
"""A whole name, such as `immich.service`."""


class HttpCheck(Request, tag_field="look", tag="http"):
    """Ask an address and compare the answer; it may be of this machine or the home network."""

    address: Annotated[
        str, Meta(pattern=r"^(unix:///[^\s]+|https?://[^\s/@?#\\]+)$(?!\n)", max_length=300)
    ]
    path: Path = "/"
    status: Annotated[int, Meta(ge=200, le=599)] = 200
    """What must be answered; redirects are followed on the same host alone."""
    text: Annotated[str, Meta(max_length=200)] = ""
    """What must stand in the first 256 KiB of the answer."""
    ca_file: File | None = None
    """Certificates of a home's own authority, trusted beside those of the system."""
    every_s: Every = 60.0
    timeout_s: Timeout = 5.0
    failures: Failures = 2


class TcpCheck(Request, tag_field="look", tag="tcp"):
    """Connect and hang up."""

    host: Host
    port: Port
    every_s: Every = 60.0
    timeout_s: Timeout = 5.0
    failures: Failures = 2


class CertificateCheck(Request, tag_field="look", tag="certificate"):
    """Shake hands as a browser would, and read until when the certificate is valid."""

    host: Host
    port: Port = 443
    warning_days: Days = 14.0
    """So many days before the end it is a warning."""
    critical_days: Days = 3.0
    """So many days before the end it is critical."""
    ca_file: File | None = None
    """Certificates of a home's own authority, trusted beside those of the system."""
    every_s: Every = 3600.0
    timeout_s: Timeout = 10.0


class AtLeast(Request):
    """A share that must not sink; what lies between the two changes nothing."""

    problem_below: Percent
    ok_from: Percent

    def __post_init__(self) -> None:
        """Refuse a way back that lies before the way there."""
        if self.ok_from < self.problem_below:
            raise ValueError("`ok_from` lies below `problem_below`")


class AtMost(Request):
    """A figure that must not climb; what lies between the two changes nothing."""

    problem_above: Annotated[float, Meta(gt=0, le=1000)]
    ok_to: Annotated[float, Meta(ge=0, le=1000)]

    def __post_init__(self) -> None:
        """Refuse a way back that lies before the way there."""
        if self.ok_to > self.problem_above:
            raise ValueError("`ok_to` lies above `problem_above`")


class HostLook(Request, tag_field="look", tag="host"):
    """Measure this machine: disks, memory and load, each an item of its own."""

    mounts: Annotated[tuple[File, ...], Meta(max_length=32)] = ("/",)
    """Where something must be mounted and have room."""
    disk_free: AtLeast = AtLeast(problem_below=10.0, ok_from=15.0)
    """Percent of bytes, and of files, that are free to Praxis."""
    memory_available: AtLeast = AtLeast(problem_below=5.0, ok_from=10.0)
    """Percent of memory that programs could still get."""
    load_per_core: AtMost = AtMost(problem_above=2.0, ok_to=1.5)
    """Average of five minutes."""
    every_s: Every = 60.0
    timeout_s: Timeout = 5.0


class RepositoryLook(Request, tag_field="look", tag="repository"):
    """Look at a git working tree; neither its configuration nor its code takes effect."""

    folder: File
    patience_h: Annotated[float, Meta(ge=0, le=24 * 366)] = 24.0
    """Hours that changes and commits may lie without anything being done to them."""
    ci_file: RelativePath | None = None
    """A file below the folder in which CI leaves its status."""
    every_s: Every = 300.0
    timeout_s: Timeout = 20.0


class UnitLook(Request, tag_field="look", tag="unit"):
    """Ask systemd how a unit is."""

    unit: UnitName
    scope: Scope = "system"
    stable_s: Annotated[float, Meta(ge=0, le=3600)] = 10.0
    """Seconds a unit must have been active before it counts as well."""
    every_s: Every = 10.0
    timeout_s: Timeout = 5.0


class JournalLook(Request, tag_field="look", tag="journal"):
    """Follow what systemd writes in the journal about failures of units."""

    units: Annotated[list[UnitName], Meta(min_length=1, max_length=50)]
    scope: Scope = "system"
    stable_s: Annotated[float, Meta(ge=0, le=3600)] = 10.0
    """Seconds without a failure after a start before a unit counts as well."""
    every_s: Every = 10.0
    timeout_s: Timeout = 10.0


class CalendarLook(Request, tag_field="look", tag="calendar"):
    """Ask a CalDAV server when a calendar was last changed."""

    address: WebAddress
    path: Path
    """The collection, as in `/anna/calendar/`."""
    stale_days: Days = 7.0
    """So many days without a change are a problem."""
    ca_file: File | None = None
    """Certificates of a home's own authority, trusted beside those of the system."""
    without_tls: bool = False
    """Allow the password to cross the network unencrypted; others can then read it."""
    every_s: Every = 3600.0
    timeout_s: Timeout = 20.0


class TaskLook(Request, tag_field="look", tag="tasks"):
    """Ask a CalDAV server for the open tasks of a list, as Radicale, Nextcloud and Vikunja are."""

    address: WebAddress
    path: Path
    """The collection, as in `/anna/tasks/` or Vikunja's `/dav/projects/4`."""
    stale_days: Days = 30.0
    """An open task that nobody has changed for so many days is stale."""
    zone: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_+/-]+$(?!\n)", max_length=60)] = "UTC"
    """The zone of times that name none, such as `Europe/Moscow`."""
    ca_file: File | None = None
    """Certificates of a home's own authority, trusted beside those of the system."""
    without_tls: bool = False
    """Allow the password to cross the network unencrypted; others can then read it."""
    every_s: Every = 900.0
    timeout_s: Timeout = 20.0
