"""How much a stateless roll costs beside a bare Flask echo: the same server, workers and load, by turns.

    python -m tests.benchmarks.load [--seconds 2] [--rounds 3] [--connections 16]

Loopback only, bounded in time and number of requests. Only the ratio means anything.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from typing import Any, NamedTuple

MAX_REQUESTS = 200_000  # of one measurement
ROLL = {"params": {"target_number": 5}, "label": "slip past the guard"}


class Target(NamedTuple):
    """What is measured: a factory of an application and one request to it."""

    name: str
    factory: str
    path: str
    body: dict[str, Any]


class Client(asyncio.Protocol):
    """One kept connection that asks again as soon as it is answered."""

    def __init__(self, request: bytes, until: float, counts: list[int]) -> None:
        self.request, self.until, self.counts = request, until, counts
        self.buffer = b""
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head = self.buffer.find(b"\r\n\r\n")
        if head < 0:
            return
        length = int(self.buffer[:head].lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        if len(self.buffer) < head + 4 + length:
            return
        self.counts[0 if self.buffer.startswith(b"HTTP/1.1 200") else 1] += 1
        self.buffer = b""
        if time.monotonic() < self.until and sum(self.counts) < MAX_REQUESTS:
            self.transport.write(self.request)
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


async def measure(port: int, target: Target, connections: int, seconds: float) -> float:
    """Answers a second. Raises `RuntimeError` if any was not 200."""
    body = json.dumps(target.body).encode()
    head = f"POST {target.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    counts, began = [0, 0], time.monotonic()
    loop = asyncio.get_running_loop()
    clients = [
        (await loop.create_connection(lambda: Client(request, began + seconds, counts), "127.0.0.1", port))[1]
        for _ in range(connections)
    ]
    await asyncio.gather(*(client.done for client in clients))
    if counts[1] or not counts[0]:
        raise RuntimeError(f"{target.name}: {counts[1]} answers were not 200")
    return counts[0] / (time.monotonic() - began)


def start(target: Target, workers: int, threads: int) -> tuple[subprocess.Popen[bytes], int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--interface", "wsgi", "--factory", "--workers", str(workers), "--blocking-threads", str(threads)]
    command = [sys.executable, "-m", "granian", *options, "--port", str(port), "--log-level", "error"]
    server = subprocess.Popen([*command, target.factory], env={**os.environ, "RATE": "0"}, start_new_session=True)
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                time.sleep(1.0)
                return server, port
        time.sleep(0.05)
    raise RuntimeError(f"{target.name} did not start")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--app", default="service.serve:worker_app")
    parser.add_argument("--path", default="/v1/systems/shinobigami/checks/skill_check")
    parser.add_argument("--body", default=json.dumps(ROLL))
    given = parser.parse_args()
    body = json.loads(given.body)
    targets = (
        Target("roll", given.app, given.path, body),
        Target("echo", "tests.benchmarks.echo:app", "/echo", body),
    )
    servers = [start(one, given.workers, given.threads) for one in targets]
    try:
        rates: dict[str, list[float]] = {one.name: [] for one in targets}
        for _ in range(min(given.rounds, 20)):
            for target, (_, port) in zip(targets, servers, strict=True):
                seconds = min(given.seconds, 10.0)
                rates[target.name].append(asyncio.run(measure(port, target, min(given.connections, 256), seconds)))
    finally:
        for server, _ in servers:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(10)
    roll, echo = statistics.median(rates["roll"]), statistics.median(rates["echo"])
    print(f"roll {roll:,.0f}/s  echo {echo:,.0f}/s  a roll costs {echo / roll:.2f} times the echo")


if __name__ == "__main__":
    main()
