"""The service over the made-up system of the kernel's tests."""

from __future__ import annotations

from flask import Flask

from service.app import create_app
from service.settings import Settings
from tests.core.toy import SCUFFLE


def app() -> Flask:
    return create_app(Settings(rate=0), {"scuffle": SCUFFLE})
