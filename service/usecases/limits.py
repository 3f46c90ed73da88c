"""How many requests an address may make, counted in this process: in windows of a minute, and at the same time."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from threading import Lock
from time import monotonic

WINDOW_SECONDS = 60
MAX_ADDRESSES = 100_000  # more in one minute: counting starts anew rather than filling the memory


class RateLimit:
    """At most `limit` requests a minute and address; 0 counts nothing."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._window = 0
        self._counts: dict[str, int] = {}

    def wait_seconds(self, address: str) -> int:
        """0 if one more request is welcome, else the seconds until it will be."""
        if not self.limit:
            return 0
        now = monotonic()
        window = int(now // WINDOW_SECONDS)
        if window != self._window or len(self._counts) > MAX_ADDRESSES:
            self._window, self._counts = window, {}
        count = self._counts[address] = self._counts.get(address, 0) + 1
        return 0 if count <= self.limit else int((window + 1) * WINDOW_SECONDS - now) + 1


class AtOnce:
    """At most `limit` things of one address at the same time."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = Lock()
        self._counts: dict[str, int] = {}

    def enter(self, address: str) -> bool:
        """Whether one more is welcome; it must `leave` then."""
        with self._lock:
            count = self._counts.get(address, 0)
            if count >= self.limit:
                return False
            self._counts[address] = count + 1
        return True

    def leave(self, address: str) -> None:
        with self._lock:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]


def address_of(remote: str, forwarded: str, proxies: int) -> str:
    """The client's address: what the outermost of our proxies saw. IPv6 clients are counted by their /64."""
    seen = [one.strip() for one in forwarded.split(",") if one.strip()]
    if proxies and len(seen) >= proxies:
        remote = seen[-proxies]
    if ":" not in remote:
        return remote
    return _network(remote)


def _network(address: str) -> str:
    try:
        found = ip_address(address.split("%", maxsplit=1)[0].strip("[]"))
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(found) if found.is_loopback else f"{IPv6Address(int(found) >> 64 << 64)}/64"
