"""What is seen of this host: units, repositories and containers, from hostile peers as well."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from kit.errors import InvalidArgument, Unavailable
from nexus.discovery import containers, repositories, systemd
from nexus.discovery.running import output_of

HOSTILE = 'evil"; touch /tmp/x; $(reboot)\\x2d.service'
UNITS: list[dict[str, str]] = [
    {"unit": "nginx.service", "load": "loaded", "active": "active", "sub": "running"},
    {"unit": "photo-indexer@nas.service", "load": "loaded", "active": "failed", "sub": "failed"},
    {"unit": "nightly\\x2dcopy.service", "load": "loaded", "active": "inactive", "sub": "dead"},
    {"unit": "rescue.service", "load": "loaded", "active": "failed", "sub": "failed"},
    {"unit": "apt-daily.service", "load": "loaded", "active": "inactive", "sub": "dead"},
    {"unit": "gone.service", "load": "not-found", "active": "failed", "sub": "failed"},
    {"unit": "getty@tty1.service", "load": "loaded", "active": "active", "sub": "running"},
    {"unit": "systemd-udevd.service", "load": "loaded", "active": "active", "sub": "running"},
    {"unit": "dev-sda.device", "load": "loaded", "active": "active", "sub": "running"},
    {"unit": "\u202emoc.service", "load": "loaded", "active": "active", "sub": "running"},
    {"unit": HOSTILE, "load": "loaded", "active": "active", "sub": "running"},
]
SHOWN = """\
Id=nightly\\x2dcopy.service
FragmentPath=/etc/systemd/system/nightly\\x2dcopy.service

Id=apt-daily.service
FragmentPath=/lib/systemd/system/apt-daily.service
"""


def program(folder: Path, script: str) -> str:
    """An executable that stands for systemctl."""
    path = folder / "systemctl"
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o700)
    return str(path)


def systemctl(folder: Path) -> str:
    """One that answers as systemd does, for the machine alone."""
    (folder / "units.json").write_bytes(msgspec.json.encode(UNITS))
    (folder / "shown").write_text(SHOWN, "utf-8")
    return program(
        folder,
        f'case "$*" in *--user*) echo "no bus" >&2; exit 1;;\n'
        f"*list-units*) cat '{folder}/units.json';; *) cat '{folder}/shown';; esac",
    )


def test_units_a_person_would_speak_of_are_seen(tmp_path: Path) -> None:
    sight = systemd.look(systemctl(tmp_path))

    assert [(each.external_id, each.names["en"]) for each in sight.discoveries] == [
        ("nginx.service", "nginx"),
        ("photo-indexer@nas.service", "photo indexer nas"),
        ("nightly\\x2dcopy.service", "nightly copy"),
        (HOSTILE, 'evil"; touch /tmp/x; $(reboot)'),
    ]
    assert {(each.system, each.type) for each in sight.discoveries} == {
        ("systemd", "service.systemd")
    }
    assert sight.discoveries[1].aliases == ["photo-indexer@nas"]
    assert [remark.split(" ")[0] for remark in sight.remarks] == ["unit", "units"]
    assert (
        sight.remarks[1] == f"units of the user are not seen: {tmp_path}/systemctl failed: no bus"
    )


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo not JSON", "no list of units"),
        ("echo '{}'", "no list of units"),
        ("exit 3", "exit status 3"),
        ("head -c 9000000 /dev/zero", "more than 8 MiB"),
    ],
)
def test_a_systemctl_that_answers_nonsense_is_told(tmp_path: Path, script: str, said: str) -> None:
    with pytest.raises(Unavailable, match=said):
        systemd.look(program(tmp_path, script))


def test_a_program_that_is_missing_or_does_not_end_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be run"):
        output_of([str(tmp_path / "nothing")])
    with pytest.raises(Unavailable, match="did not end"):
        output_of([program(tmp_path, "exec sleep 60")], timeout_s=0.2)


def test_a_program_is_given_no_secrets_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "swordfish")

    printed = output_of([program(tmp_path, "env")])

    assert "swordfish" not in printed
    assert "PATH=" in printed


def clone(folder: Path, config: str) -> Path:
    """A repository whose configuration is this."""
    git = folder / ".git"
    (git / "objects").mkdir(parents=True)
    (git / "config").write_text(config, "utf-8")
    return folder


def test_repositories_are_told_by_their_remotes_without_credentials(tmp_path: Path) -> None:
    clone(
        tmp_path / "src" / "correx",
        '[core]\n\tfsmonitor = "touch /tmp/x"\n[include]\n\tpath = /etc/passwd\n'
        '[remote "fork"]\n\turl = git@git.home:anna/fork.git\n'
        '[remote "origin"]\n\turl = "https://anna:swordfish@github.com/org/Correx.git" ; mine\n',
    )
    clone(tmp_path / "src" / "my notes", "")
    bare = tmp_path / "srv" / "recipes.git"
    subprocess.run(["git", "init", "-q", "--bare", str(bare)], check=True)

    sight = repositories.look([tmp_path])

    assert [(each.external_id, each.names["en"]) for each in sight.discoveries] == [
        ("github.com/org/correx", "correx"),
        (f"{tmp_path}/src/my notes", "my notes"),
        (f"{tmp_path}/srv/recipes.git", "recipes"),
    ]
    assert "swordfish" not in repr(sight)


def test_a_real_repository_is_read_and_none_of_its_hooks_or_programs_run(tmp_path: Path) -> None:
    folder = tmp_path / "правка"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    trap = f"touch {tmp_path}/sprung"
    for setting in ("core.fsmonitor", "core.sshCommand", "core.pager", "alias.config"):
        subprocess.run(["git", "-C", str(folder), "config", setting, trap], check=True)
    subprocess.run(
        ["git", "-C", str(folder), "remote", "add", "origin", "ssh://git@git.home/a/b"], check=True
    )

    sight = repositories.look([tmp_path])

    assert [each.external_id for each in sight.discoveries] == ["git.home/a/b"]
    assert sight.discoveries[0].aliases == ["правка"]
    assert not (tmp_path / "sprung").exists()


def test_hostile_configurations_are_read_as_none(tmp_path: Path) -> None:
    for name, text in {
        "broken": '[remote "origin\nurl = \x00https://a/b',
        "escape": '[remote "o\\"x"]\nurl = https://a/\x1b[2Jb',
        "long": '[remote "origin"]\nurl = https://a/' + "x" * 300_000,
        "command": '[remote "origin"]\nurl = ext::sh -c reboot',
    }.items():
        clone(tmp_path / name, text)
    for name in ("pipe", "link"):
        clone(tmp_path / name, "").joinpath(".git/config").unlink()
    os.mkfifo(tmp_path / "pipe/.git/config")
    (tmp_path / "link/.git/config").symlink_to(tmp_path / "secret")
    (tmp_path / "secret").write_text('[remote "origin"]\nurl = https://secret/x\n', "utf-8")
    (tmp_path / "loop").symlink_to(tmp_path)
    clone(tmp_path / os.fsdecode(b"\xff"), "")

    sight = repositories.look([tmp_path])

    assert sorted(each.external_id for each in sight.discoveries) == sorted(
        f"{tmp_path}/{name}" for name in ("broken", "command", "escape", "link", "long", "pipe")
    )
    assert len(sight.remarks) == 1


def test_the_search_has_an_end_and_leaves_out_what_is_installed(tmp_path: Path) -> None:
    clone(tmp_path / "a/b/c/d/e/f", "")
    clone(tmp_path / "1/2/3/4/5/6/7", "")
    clone(tmp_path / "node_modules" / "x", "")
    clone(tmp_path / ".cache" / "x", "")
    clone(tmp_path / "a/b/c/d/e/f/inner", "")
    (tmp_path / "worktree").mkdir()
    (tmp_path / "worktree/.git").write_text("gitdir: /elsewhere", "utf-8")

    found, left = repositories.below(tmp_path, 100)

    assert found == [tmp_path / "a/b/c/d/e/f"]
    assert 0 < left < 100
    assert repositories.below(tmp_path, 2)[1] == 0
    with pytest.raises(InvalidArgument, match="is no folder"):
        repositories.look([tmp_path / "gone"])


RECORDED = msgspec.json.encode(
    [
        {
            "Id": "8dfafdbc3a40",
            "Names": ["/home-web-1"],
            "Image": "nginx:1.27",
            "Command": "nginx --password=swordfish",
            "State": "running",
            "Labels": {
                "com.docker.compose.project": "home",
                "com.docker.compose.service": "web",
                "token": "swordfish",
            },
        },
        {"Id": "9cd87474be90", "Names": ["/photo_indexer"], "Image": "", "State": "exited"},
        {"Id": "3176a2479c92", "Names": ["/\u200b"], "Image": "x", "Labels": None},
        {"Id": "4cb07b47f9fb", "Names": [], "Image": "x"},
    ]
)


@contextmanager
def peer(path: Path, answer: bytes) -> Generator[list[bytes]]:
    """A peer on a Unix socket that gives one answer to whoever asks."""
    heard: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                heard.append(connection.recv(65536))
                try:
                    connection.sendall(answer)
                except OSError:
                    return

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield heard
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def http(body: bytes, status: str = "200 OK") -> bytes:
    """An answer in pieces, as Docker gives it."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    return f"{head}\r\n{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"


def test_containers_are_told_by_name_and_nothing_secret_is_kept(folder: Path) -> None:
    (folder / "again.sock").symlink_to(folder / "docker.sock")
    with peer(folder / "docker.sock", http(RECORDED)) as heard:
        sight = containers.look(
            {
                "docker": [folder / "docker.sock"],
                "podman": [folder / "none", folder / "again.sock"],
            }
        )

    assert heard[0].startswith(b"GET /containers/json?all=true HTTP/1.1\r\n")
    assert [(each.system, each.external_id, each.names) for each in sight.discoveries] == [
        ("docker", "home-web-1", {"en": "home web"}),
        ("docker", "photo_indexer", {"en": "photo indexer"}),
    ]
    assert len(sight.remarks) == 2
    assert "swordfish" not in repr(sight)


@pytest.mark.parametrize(
    "answer",
    [
        lambda: http(b"{}"),
        lambda: http(b'[{"Names": 7}]'),
        lambda: http(b"[" * 100_000),
        lambda: http(b"\xff"),
        lambda: http(b"[]", "500 Broken"),
        lambda: http(b"[" + b" " * (17 << 20) + b"]"),
        lambda: b"garbage\r\n\r\n",
        lambda: b"",
        lambda: b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[]",
    ],
    ids=["object", "types", "deep", "bytes", "status", "large", "garbage", "nothing", "cut"],
)
def test_a_peer_that_answers_nonsense_is_told(folder: Path, answer: Callable[[], bytes]) -> None:
    path = folder / "docker.sock"
    with peer(path, answer()), pytest.raises(Unavailable):
        containers.look({"docker": [path]})


def test_where_nobody_listens_is_told(folder: Path) -> None:
    with pytest.raises(Unavailable, match="Neither Docker nor Podman"):
        containers.look({"docker": [folder / "docker.sock"]})


def test_the_sockets_are_the_usual_ones_or_the_one_that_is_named() -> None:
    usual = containers.sockets({"XDG_RUNTIME_DIR": "/run/user/7"})
    named = containers.sockets({"DOCKER_HOST": "unix:///x/d.sock", "XDG_RUNTIME_DIR": "/r"})

    assert usual["podman"] == [
        Path("/run/podman/podman.sock"),
        Path("/run/user/7/podman/podman.sock"),
    ]
    assert named["docker"] == [Path("/x/d.sock")]
