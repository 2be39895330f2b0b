"""Events as they happen: Server-Sent Events (HTML Living Standard, section 9.2)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ._transport import CONNECTION_ERRORS, Transport, lower_names, wait_before
from ._values import parse_json
from .errors import KusanyaError, refusal
from .models import EventData, Webhook
from .webhooks import parse_notification

PATH = "/api/events/stream"
DEFAULT_IDLE_TIMEOUT = 45.0
FINAL_STATUSES = (400, 401, 403, 404, 405, 406)
"""Refusals that another attempt would not change."""


@dataclass(frozen=True, kw_only=True)
class StreamedEvent:
    """An event of a stream."""

    id: int
    """The id of the event, in ascending order."""
    type: str
    """The type of the event."""
    hook: Webhook
    """In a stream its id is 0."""
    data: EventData | Mapping[str, Any]
    """The object that the event is about, as it was then. An unknown type, which is new, has the JSON object."""


def stream_events(
    transport: Transport, last_event_id: int | None, since: int | str | None, types: tuple[str, ...], idle_timeout: float
) -> Iterator[StreamedEvent]:
    """Gives events, and connects again after a break, for as long as it takes. It continues after the last event that it
    gave."""
    query = {"since": since, "event": ",".join(types) or None}
    last_id = "" if last_event_id is None else str(last_event_id)
    attempts = 0
    has_begun = False
    while True:
        attempts += 1
        retry_after = None
        try:
            for id_, data in _connect(transport, query, last_id, idle_timeout):
                attempts = 0
                has_begun = True
                last_id = id_
                if data is not None:
                    notification = parse_notification(data)
                    yield StreamedEvent(
                        id=int(id_), type=notification.type, hook=notification.hook, data=notification.data
                    )
        except KusanyaError as error:
            # An address that redirects or gives a page is wrong. Once it has given a stream, it may do so for a while.
            if error.status in FINAL_STATUSES or (error.status < 400 and not has_begun):
                raise
            retry_after = error.retry_after
        except CONNECTION_ERRORS:
            pass  # It connects again.
        time.sleep(wait_before(max(1, attempts), retry_after))


def _connect(
    transport: Transport, query: Mapping[str, Any], last_id: str, idle_timeout: float
) -> Iterator[tuple[str, str | None]]:
    """Reads one connection to its end."""
    headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last_id} if last_id else {})}
    with transport.open(PATH, query, headers, idle_timeout) as answer:
        media_type = lower_names(answer.headers).get("content-type", "text/event-stream")
        if answer.status != 200 or not media_type.startswith("text/event-stream"):
            raise _refusal_of(answer)
        yield from read_blocks(answer)


def read_blocks(lines: Any) -> Iterator[tuple[str, str | None]]:
    """The blocks of a stream: an id with its data, or without data only the place at which the stream is. `lines` are
    bytes with their ends, which the service makes with line feeds. What the end of the connection cuts off is left out."""
    id_ = ""
    has_id = False
    data: list[str] = []
    for line in lines:
        if not line.endswith(b"\n"):
            return
        text = line.rstrip(b"\r\n").decode("utf-8", "replace")
        if text == "":
            if data or has_id:
                yield id_, "\n".join(data) if data else None
            has_id = False
            data = []
            continue
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            data.append(value)
        elif name == "id" and "\0" not in value:
            id_ = value
            has_id = True


def _refusal_of(answer: Any) -> KusanyaError:
    text = answer.read()
    try:
        body = parse_json(text)
    except ValueError:
        body = text.decode("utf-8", "replace")
    return refusal("GET", PATH, answer.status, lower_names(answer.headers), body)
