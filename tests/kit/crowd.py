"""A crowd without a credential: holds sockets of a part open, renews the closed ones (`-m`)."""

from __future__ import annotations

import errno
import resource
import select
import socket
import sys
import time
from contextlib import suppress

FIRST_WORDS = [
    b"",
    b"POST /v1/echo HTTP/1.1\r\nhost: x\r\nx-slow: ",
    b"GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n",
    b"POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{}",
    b"\x16\x03\x01 no HTTP at all\r\n\r\n",
    b"GET /v1/nowhere HTTP/1.1\r\nhost: x\r\nauthorization: Bearer eco1.tester.nonsense\r\n\r\n",
]


def besiege(path: str, size: int) -> None:
    """Hold as many sockets as asked for until killed; every second, say how many were made."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    held: dict[int, socket.socket] = {}
    news = select.epoll()
    made, told = 0, time.monotonic()
    while True:
        while len(held) < size:
            one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
            if one.connect_ex(path) == errno.EAGAIN:
                one.close()
                break
            held[one.fileno()] = one
            news.register(one, select.EPOLLIN | select.EPOLLHUP)
            with suppress(OSError):  # it may have been closed already
                one.send(FIRST_WORDS[made % len(FIRST_WORDS)])
            made += 1
        for number, _ in news.poll(0.01, 256):
            news.unregister(number)
            held.pop(number).close()
        if time.monotonic() - told > 1:
            told = time.monotonic()
            sys.stdout.write(f"{made} {len(held)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    besiege(sys.argv[1], int(sys.argv[2]))
