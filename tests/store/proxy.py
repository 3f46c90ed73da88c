"""A wire between the store and PostgreSQL that can be cut, at the very moment of a commit if need be."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path
from typing import Literal

Cut = Literal["never", "before", "after", "held"]


class Wire:
    """Listens as a PostgreSQL server in `place`.

    `cut` says what becomes of the next COMMIT: the wire is cut before or after the server gets it, or it is cut for
    the client while the server goes on waiting (`held`).
    """

    def __init__(self, server: Path, place: Path) -> None:
        self.cut: Cut = "never"
        self.stays_down = False
        self.was_cut = threading.Event()
        self._server = server
        self._path = place / ".s.PGSQL.5432"
        self.url = f"postgresql://postgres@/games?host={place}"
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._kept: list[socket.socket] = []
        self.up()

    def up(self) -> None:
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self._path))
        self._listening.listen()
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def down(self) -> None:
        """Nobody answers any more, and all connections end."""
        self._refuse()
        for pair in self._pairs:
            for end in pair:
                _close(end)
        self._pairs.clear()

    def _refuse(self) -> None:
        self._path.unlink(missing_ok=True)
        _close(self._listening)

    def close(self) -> None:
        self.down()
        for one in self._kept:
            _close(one)

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self._server / ".s.PGSQL.5432"))
            self._pairs.append((client, server))
            threading.Thread(target=self._carry, args=(server, client), daemon=True).start()
            threading.Thread(target=self._carry_watched, args=(client, server), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while sent := source.recv(65536):
                target.sendall(sent)
        _close(source)
        if target not in self._kept:
            _close(target)

    def _carry_watched(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while sent := client.recv(65536):
                if b"COMMIT" in sent and self.cut != "never":
                    self._cut(client, server, sent)
                    return
                server.sendall(sent)
        _close(client)
        _close(server)

    def _cut(self, client: socket.socket, server: socket.socket, sent: bytes) -> None:
        """The client must not be told anything, nor find a way back, before the wire is as it shall be."""
        cut, self.cut = self.cut, "never"
        if self.stays_down:
            self._refuse()
        if cut == "held":
            self._kept.append(server)
            self._pairs.remove((client, server))
        _close(client)
        if cut == "after":
            with contextlib.suppress(OSError):
                server.sendall(sent)
                server.recv(65536)
        if cut != "held":
            _close(server)
        self.was_cut.set()


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
