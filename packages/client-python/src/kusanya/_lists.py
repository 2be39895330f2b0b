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
    read when they are needed. An object that moves to the next page, because newer ones came, is given once."""

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
            # Only the position is taken from the address: its host may not be the one that this client calls.
            position = parse_qs(urlsplit(page.next).query)
            at = {name: position[name][0] for name in ("limit", "offset") if name in position}
            page = self._load({**self._query, **at})
            yield page

    def __iter__(self) -> Iterator[Item]:
        seen: set[Any] = set()
        for page in self.pages():
            for item in page.results:
                # Sums have no id.
                id_ = getattr(item, "id", None)
                if id_ is None or id_ not in seen:
                    seen.add(id_)
                    yield item

    def first(self) -> Item | None:
        """The first object, or None if none matches."""
        results = self._load({**self._query, "limit": 1}).results
        return results[0] if results else None

    def to_list(self, at_most: int | None = None) -> list[Item]:
        """All objects, or at most so many."""
        return [] if at_most == 0 else list(islice(self, at_most))
