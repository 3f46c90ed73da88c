"""The GM's override: one value of the state set by hand, with a reason. Invariants still hold."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from systems.core.convert import to_struct
from systems.core.errors import Illegal
from systems.core.game import Event, Game, change
from systems.core.seats import Seat
from systems.core.values import Map

Path = Annotated[str, Meta(min_length=1, max_length=200)]


class Overriding(Event):
    """An override that happened; a secret one is the GM's alone. `value` is JSON text."""

    path: str
    value: str
    reason: str
    secret: bool

    def applied(self, game: Any) -> Any:
        return with_value(game, self.path, msgspec.json.decode(self.value))

    def seen_by(self, viewer: Seat) -> Event | None:
        return None if self.secret and not viewer.gm else self


def overridden(game: Game, path: str, value: Any, settable: tuple[str, ...] = ()) -> Game | Illegal:
    """The game with that value, or why it may not be: no such field, a wrong value, or a broken invariant.

    `settable` names the fields of the state that a GM may touch; the rest is the engine's own.
    """
    root = path.split(".", maxsplit=1)[0]
    if settable and root not in settable:
        return Illegal("no_such_field", "", path=path, field=root)
    try:
        after: Game = with_value(game, path, value)
    except KeyError as missing:
        return Illegal("no_such_field", "", path=path, field=str(missing.args[0]))
    except (msgspec.ValidationError, ValueError, TypeError, NotImplementedError) as misfit:
        return Illegal("value_does_not_fit", "", path=path, why=str(misfit))
    return after.violated() or after


def with_value(root: Any, path: str, value: Any) -> Any:
    """A copy of a state with the value at a path such as `cast.aki.wounds`. Raises `KeyError`, `ValidationError`."""
    parts = path.split(".")
    if parts[0] == "agenda":
        raise KeyError("agenda")
    return _set(root, type(root), parts, value)


def _set(at: Any, kind: Any, parts: list[str], value: Any) -> Any:
    if not parts:
        return to_struct(value, kind)
    name, *rest = parts
    if isinstance(at, Map):
        return at.put(name, _set(_known(at, name), get_args(_plain(kind))[1], rest, value))
    if isinstance(at, tuple):
        place = int(name) if name.isdigit() and int(name) < len(at) else None
        if place is None:
            raise KeyError(name)
        return (*at[:place], _set(at[place], get_args(_plain(kind))[0], rest, value), *at[place + 1 :])
    hints = _hints(type(at)) if isinstance(at, Struct) else {}
    if name not in hints:
        raise KeyError(name)
    return change(at, **{name: _set(getattr(at, name), hints[name], rest, value)})


def _known(at: Map[str, Any], name: str) -> Any:
    if name not in at:
        raise KeyError(name)
    return at[name]


def _plain(kind: Any) -> Any:
    """A type without its annotations and without None."""
    if get_origin(kind) is Annotated:
        return _plain(get_args(kind)[0])
    several = [one for one in get_args(kind) if get_origin(one) in (Map, tuple)]
    return several[0] if several and get_origin(kind) not in (Map, tuple) else kind


@cache
def _hints(kind: type[Struct]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
