"""The floor: a bare Flask application that parses and echoes JSON."""

from __future__ import annotations

from flask import Flask, Response, jsonify, request


def app() -> Flask:
    echo = Flask("echo", static_folder=None)

    @echo.post("/echo")
    def again() -> Response:
        return jsonify(request.get_json())

    return echo
