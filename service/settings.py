"""What may be set from outside: read once from the environment, when the application is made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

LOG_LEVELS = ("debug", "info", "warning", "error")


class BadSetting(ValueError):
    """A setting that cannot be used; the text says what would be."""


class Settings(Struct, frozen=True):
    """All settings. Every field is set by the environment variable of its name in capitals."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = Path("~/.local/share/ninja-rules")
    database_url: str = ""  # empty: SQLite in `data`
    redis_url: str = ""  # empty: `serve` starts its own, without `serve` there is no cache
    workers: int = 2
    log: str = "info"
    rate: int = 6_000  # requests a minute and address, counted in each worker; 0 switches the limit off
    proxies: int = 0  # how many reverse proxies of ours stand in front; their X-Forwarded-For is believed
    metrics_token: str = ""  # bearer token for /metrics from elsewhere than this machine
    api_keys: tuple[str, ...] = ()  # reserved: creating games and jobs will need one of them

    @property
    def database(self) -> str:
        """The URL of the database that games are kept in."""
        return self.database_url or f"sqlite:///{self.data.expanduser().absolute()}/games.db"


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process. Raises `BadSetting`."""
    given = os.environ if environment is None else environment
    plain = Settings()
    return Settings(
        host=given.get("HOST") or plain.host,
        port=_number(given, "PORT", plain.port, 1, 65_535),
        data=Path(given.get("DATA") or plain.data).expanduser().absolute(),
        database_url=given.get("DATABASE_URL", ""),
        redis_url=given.get("REDIS_URL", ""),
        workers=_number(given, "WORKERS", plain.workers, 1, 64),
        log=_one_of(given, "LOG", plain.log, LOG_LEVELS),
        rate=_number(given, "RATE", plain.rate, 0, 10_000_000),
        proxies=_number(given, "PROXIES", plain.proxies, 0, 10),
        metrics_token=given.get("METRICS_TOKEN", ""),
        api_keys=tuple(key.strip() for key in given.get("API_KEYS", "").split(",") if key.strip()),
    )


def _number(given: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    raw = given.get(name) or str(default)
    if not (raw.isascii() and raw.isdigit()) or not low <= int(raw[:12]) <= high:
        raise BadSetting(f"{name} must be a whole number from {low} to {high}, not {raw!r}")
    return int(raw)


def _one_of(given: Mapping[str, str], name: str, default: str, allowed: tuple[str, ...]) -> str:
    raw = (given.get(name) or default).lower()
    if raw not in allowed:
        raise BadSetting(f"{name} must be one of {', '.join(allowed)}, not {raw!r}")
    return raw
