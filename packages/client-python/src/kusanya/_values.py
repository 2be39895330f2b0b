"""JSON without loss of digits: amounts are Decimal, in and out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, TypeVar

T = TypeVar("T")


class ExactFloat(float):
    """A JSON number with a fraction. It is a float like any other, and knows the digits that it had."""

    text: str

    def __new__(cls, text: str) -> ExactFloat:
        number = super().__new__(cls, text)
        number.text = text
        return number


def parse_json(text: str | bytes) -> Any:
    """Parses JSON. Raises ValueError."""
    return json.loads(text, parse_float=ExactFloat)


def read_money(value: Any) -> Any:
    """An amount of money, from a JSON string or number, as Decimal with all its digits."""
    if value is None:
        return None
    return Decimal(value.text if isinstance(value, ExactFloat) else value)


def read_time(value: Any) -> Any:
    """A time as datetime in UTC. Python 3.10 does not know the letter Z."""
    if value is None:
        return None
    time = datetime.fromisoformat(value.replace("Z", "+00:00"))
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)


def read_record(value: Any, read: Callable[[Any], Any]) -> Any:
    """An object as its model. What is null, or not sent by an older service, is None."""
    return None if value is None else read(value)


def read_list(values: Any, read: Callable[[Any], T]) -> list[T]:
    return [read(value) for value in values or ()]


def read_plain(value: Any) -> Any:
    """JSON with usual floats, as other programs expect them."""
    if isinstance(value, ExactFloat):
        return float(value)
    if isinstance(value, Mapping):
        return {name: read_plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [read_plain(inner) for inner in value]
    return value


def write_json(body: Mapping[str, Any]) -> bytes:
    """The JSON of a call. Raises TypeError for a float outside of metadata: a float is no amount of money."""
    return json.dumps(_writable(body, "the call")).encode()


def write_query(query: Mapping[str, Any]) -> dict[str, str]:
    """The query of a call, without what is None."""
    return {name: _text(value, name) for name, value in query.items() if value is not None}


def _writable(value: Any, name: str) -> Any:
    if isinstance(value, float):
        raise TypeError(f"{name} is a float. Give an amount as Decimal, int or text, so that no digit is lost.")
    if isinstance(value, (Decimal, datetime)):
        return _text(value, name)
    if isinstance(value, Mapping):
        return {
            key: _metadata(inner) if key == "metadata" else _writable(inner, key) for key, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_writable(inner, name) for inner in value]
    return value


def _metadata(value: Any) -> Any:
    """Metadata may have floats. A Decimal in it becomes text."""
    if isinstance(value, Mapping):
        return {key: _metadata(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_metadata(inner) for inner in value]
    return format(value, "f") if isinstance(value, Decimal) else value


def _text(value: Any, name: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        raise TypeError(f"{name} is a float. Give an amount as Decimal, int or text, so that no digit is lost.")
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{name} is no amount: {value}.")
        return format(value, "f")
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{name} has no time zone, such as datetime.now(timezone.utc) has.")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return str(value)
