"""Property tests look at the same few examples every time."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, max_examples=40, deadline=None, database=None)
settings.load_profile("fixed")
