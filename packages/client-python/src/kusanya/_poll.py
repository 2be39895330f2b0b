"""Waits for the end of something."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from .errors import WaitTimeout

Item = TypeVar("Item")

DEFAULT_WAIT = 300.0
FIRST_INTERVAL = 1.0
MAX_INTERVAL = 5.0
"""Keeps several programs that wait with one key below its 30 reads a minute."""


def poll(what: str, read: Callable[[], Item], has_ended: Callable[[Item], bool], wait: float) -> Item:
    """Reads something until it has ended, at growing intervals, for so many seconds. Raises WaitTimeout."""
    deadline = time.monotonic() + wait
    interval = FIRST_INTERVAL
    while True:
        item = read()
        if has_ended(item):
            return item
        left = deadline - time.monotonic()
        if left <= 0:
            raise WaitTimeout(f"{what} has not ended within {wait:g} seconds. It goes on.", item)
        time.sleep(min(interval, left))
        interval = min(MAX_INTERVAL, interval * 1.5)
