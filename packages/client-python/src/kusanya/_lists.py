"""Lists over all their pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qs, urlsplit

Item = TypeVar("Item")

DEFAULT_LIMIT = 100
"""Enough for most lists in one call; a key may read 30 times a minute."""


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    count: int
    """How many objects match, on all pages."""
    next: str | None
    previous: str | None
    results: list[Item]


class Listing(Generic[Item]):
    """The objects that match some filters, over all pages: `for request in kusanya.collection_requests.list()`. Pages are
    read when they are needed. An object that moves to another page, because newer ones came or others have left the list, is
    given once."""

    def __init__(self, load: Callable[[Mapping[str, Any]], Page[Item]], query: Mapping[str, Any]) -> None:
        self._load = load
        self._query = {"limit": DEFAULT_LIMIT, **query}

    def page(self) -> Page[Item]:
        """The first page, with the number of all objects that match."""
        return self._load(self._query)

    def pages(self) -> Iterator[Page[Item]]:
        """One page after the other."""
        page = self.page()
        yield page
        while page.next is not None:
            page = self._load({**self._query, **_position(page.next)})
            yield page

    def __iter__(self) -> Iterator[Item]:
        seen: set[Any] = set()
        page = self.page()
        limit = None
        while True:
            for item in page.results:
                # Sums have no id.
                id_ = getattr(item, "id", None)
                if id_ is None or id_ not in seen:
                    if id_ is not None:
                        seen.add(id_)
                    yield item
            if page.next is None:
                return
            position = _position(page.next)
            limit = limit or int(position["limit"])
            page = self._load_after(seen, limit, int(position["offset"]))

    def _load_after(self, seen: set[Any], limit: int, offset: int) -> Page[Item]:
        """The page at an offset, with the object before it. If that object is unknown, others have left the list since,
        for example because the caller has closed them: the page begins so much earlier."""
        if not seen:
            return self._load({**self._query, "limit": limit, "offset": offset})
        start = int(self._query.get("offset") or 0)
        at = offset - 1
        while True:
            page = self._load({**self._query, "limit": limit + 1, "offset": max(start, at)})
            if at <= start or (page.results and getattr(page.results[0], "id", None) in seen):
                return page
            at -= limit

    def first(self) -> Item | None:
        """The first object, or None if none matches."""
        results = self._load({**self._query, "limit": 1}).results
        return results[0] if results else None

    def to_list(self, at_most: int | None = None) -> list[Item]:
        """All objects, or at most so many."""
        return [] if at_most == 0 else list(islice(self, at_most))


def _position(address: str) -> dict[str, str]:
    """Only the position is taken from the address of a page: its host may not be the one that this client calls."""
    position = parse_qs(urlsplit(address).query)
    return {name: position[name][0] for name in ("limit", "offset") if name in position}
