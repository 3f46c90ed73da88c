"""The command line: serve, roll, odds, verify, invite, coverage, openapi."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from service.problems import Problem
from service.settings import BadSetting, from_environment
from service.store.embedded import CannotStart
from service.strictjson import load
from service.usecases import coverage
from service.usecases.catalogue import Catalogue
from service.usecases.checks import Checks
from service.usecases.games import verify
from service.words import language_of
from systems.core.system import installed


class Wrong(Exception):
    """What is wrong with the command line, in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. Errors are one line on standard error."""
    given = _parser().parse_args(arguments)
    try:
        code: int = given.run(given)
    except (Wrong, BadSetting, CannotStart, verify.BadProof) as error:
        print(f"ninja-rules: {error}", file=sys.stderr)
        return 2
    except Problem as problem:
        print(f"ninja-rules: {_line(problem)}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, BrokenPipeError):
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ninja-rules", description="Rules of ninja role-playing games as a service.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="start the service with all it needs")
    serve.add_argument("--host", help="address to listen on (HOST; 127.0.0.1)")
    serve.add_argument("--port", type=int, help="port to listen on (PORT; 8000)")
    serve.add_argument("--data", type=Path, help="directory of its files (DATA; ~/.local/share/ninja-rules)")
    serve.set_defaults(run=_serve)
    for name, help in (("roll", "resolve one check"), ("odds", "exact odds of a check or an odds question")):
        ask = commands.add_parser(name, help=help)
        ask.add_argument("system", help="id of the game system")
        ask.add_argument("name", metavar="check", help="name of the check")
        ask.add_argument("params", nargs="*", metavar="key=value", help="parameters; values are JSON or plain words")
        ask.add_argument("--json", dest="body", help="the whole body as JSON instead (params, faces, answers …)")
        ask.set_defaults(run=_roll if name == "roll" else _odds)
    checked = commands.add_parser("verify", help="check the dice of a saved proof (GET …/proof), offline")
    checked.add_argument("file", type=Path, help="the saved answer")
    checked.set_defaults(run=_verify)
    invited = commands.add_parser("invite", help="a new invite for a seat whose token was lost, on the machine itself")
    invited.add_argument("game", help="id of the game")
    invited.add_argument("--role", choices=("gm", "player", "spectator"), default="gm", help="whose seat (gm)")
    invited.set_defaults(run=_invite)
    covered = commands.add_parser("coverage", help="which rules are implemented and tested")
    covered.add_argument("system", nargs="?", help="one system only")
    covered.add_argument("--missing", action="store_true", help="list only what is missing")
    covered.set_defaults(run=_coverage)
    commands.add_parser("openapi", help="write the OpenAPI document to standard output").set_defaults(run=_openapi)
    return parser


def _serve(given: argparse.Namespace) -> int:
    from service.serve import serve, set_up_logging  # noqa: PLC0415 - the server is not needed for the other commands

    flags = {"HOST": given.host, "PORT": given.port, "DATA": given.data}
    os.environ |= {name: str(value) for name, value in flags.items() if value is not None}
    settings = from_environment()
    set_up_logging(settings.log)
    return serve(settings)


def _roll(given: argparse.Namespace) -> int:
    checks = Checks(Catalogue(installed()))
    return _show(checks.throw(given.system, given.name, _body(given), _language(), with_odds=False))


def _odds(given: argparse.Namespace) -> int:
    from service.usecases import questions  # noqa: PLC0415

    catalogue = Catalogue(installed())
    if given.name in catalogue.system(given.system).calls.odds_questions:
        return _show(questions.answer(catalogue, given.system, "odds", given.name, _body(given), _language()))
    return _show(Checks(catalogue).odds(given.system, given.name, _body(given), _language()))


def _verify(given: argparse.Namespace) -> int:
    try:
        raw = given.file.read_bytes()
    except OSError as error:
        raise Wrong(f"{given.file} cannot be read: {error.strerror}") from None
    verdict = verify.verified(raw)
    print("\n".join(verdict.lines))
    return 0 if verdict.holds else 1


def _invite(given: argparse.Namespace) -> int:
    from service.store.cache import Cache  # noqa: PLC0415 - the database is not needed for the other commands
    from service.store.games import Games  # noqa: PLC0415
    from service.store.records import StoreAway  # noqa: PLC0415
    from service.usecases.games import seats  # noqa: PLC0415
    from service.usecases.games.desk import Desk  # noqa: PLC0415

    settings = from_environment()
    with closing(Games(settings.database, Cache(settings.redis_url))) as games:
        try:
            print(seats.operator_invite(Desk(games, Catalogue(installed())), given.game, given.role))
        except StoreAway as error:
            raise Wrong(f"the database cannot be reached: {error.why}") from None
    return 0


def _coverage(given: argparse.Namespace) -> int:
    systems = installed()
    if given.system and given.system not in systems:
        raise Wrong(f"no system is called {given.system}; installed: {', '.join(systems)}")
    for id in [given.system] if given.system else list(systems):
        print(coverage.report(systems[id], only_missing=given.missing))
    return 0


def _openapi(_: argparse.Namespace) -> int:
    from service.app import create_app  # noqa: PLC0415
    from service.settings import Settings  # noqa: PLC0415
    from service.web.openapi import as_yaml  # noqa: PLC0415

    document = create_app(Settings(rate=0)).extensions["ninja_rules.openapi"]
    sys.stdout.write(as_yaml(document()))
    return 0


def _body(given: argparse.Namespace) -> Any:
    if given.body is not None:
        if given.params:
            raise Wrong("give either key=value or --json, not both")
        return load(given.body.encode(errors="surrogatepass"))
    pairs = [one.partition("=") for one in given.params]
    if wrong := [name for name, sign, _ in pairs if not sign]:
        raise Wrong(f"{wrong[0]} is no parameter; write key=value")
    return {"params": {name: _value(value) for name, _, value in pairs}}


def _value(text: str) -> Any:
    """A value as JSON if it is that, else the words themselves."""
    try:
        return load(text.encode(errors="surrogatepass"))
    except Problem:
        return text


def _language() -> str:
    """The terminal's language."""
    local = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return language_of(local.split(".")[0].replace("_", "-"))


def _show(answer: Any) -> int:
    print(json.dumps(answer, ensure_ascii=False, indent=2))
    return 0


def _line(problem: Problem) -> str:
    document = problem.document(_language())
    errors = "; ".join(f"{one['field']}: {one['detail']}" for one in document.get("errors", ()))
    return f"{document['detail']} {errors}".strip()


if __name__ == "__main__":
    sys.exit(main())
