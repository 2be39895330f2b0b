"""Verifies notifications, as Standard Webhooks says (standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from ._values import parse_json
from .errors import WebhookVerificationError
from .models import EventData, Webhook, read_event_data

DEFAULT_TOLERANCE = 300.0
_MAX_SIGNATURES = 10
"""More than a few are no signatures of ours, and would only cost time."""


@dataclass(frozen=True, kw_only=True)
class Notification:
    """What a webhook or a stream says about an event."""

    type: str
    """The type of the event; the same as `hook.event`."""
    hook: Webhook
    """The webhook that it was sent for. In a stream its id is 0."""
    data: EventData | Mapping[str, Any]
    """The object that the event is about, as it was then. An unknown type, which is new, has the JSON object."""


@dataclass(frozen=True, kw_only=True)
class VerifiedNotification(Notification):
    """A notification whose signature is right."""

    webhook_id: str
    """The same in all attempts to deliver it: keep it, and ignore a notification whose id you have processed."""
    sent: datetime
    """When it was sent."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, Any],
    secret: str | Sequence[str],
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    now: float | None = None,
) -> VerifiedNotification:
    """Checks that a notification was sent by your Kusanya, is recent and unchanged, and gives its content.

    `body` is exactly what came: the bytes, or their text; not the parsed JSON. `headers` are those of the request, as
    http.server, Django, Flask and Starlette have them, or the `environ` of WSGI. `secret` is that of the webhook
    (`npx kusanya webhooks secret <id>`), or several while it changes. `tolerance` is how far the time of the notification may
    be from `now`, in seconds. Raises WebhookVerificationError."""
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise TypeError("The body must be the text or the bytes that came. Parsed JSON has lost what was signed.")
    content = body.encode() if isinstance(body, str) else bytes(body)
    keys = [_key_of(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("A secret is needed.")
    webhook_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("The header webhook-timestamp is no time.")
    if not abs((time.time() if now is None else now) - int(timestamp)) <= tolerance:
        raise WebhookVerificationError("The notification is too old, or one of the clocks is wrong.")
    signed = f"{webhook_id}.{timestamp}.".encode() + content
    if not _has_signature(signed, signatures, keys):
        raise WebhookVerificationError("No signature of the notification fits the secret.")
    notification = parse_notification(content)
    sent = datetime.fromtimestamp(int(timestamp), timezone.utc)
    return VerifiedNotification(webhook_id=webhook_id, sent=sent, **vars(notification))


def parse_notification(text: str | bytes) -> Notification:
    """The content of a notification. Raises ValueError."""
    body = parse_json(text)
    hook = Webhook.from_json(body["hook"])
    return Notification(type=hook.event, hook=hook, data=read_event_data(hook.event, body["data"]))


def _has_signature(signed: bytes, signatures: str, keys: Sequence[bytes]) -> bool:
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    found = False
    for candidate in signatures.split(" ")[:_MAX_SIGNATURES]:
        signature = _decode(candidate[3:]) if candidate.startswith("v1,") else None
        if signature is not None:
            found |= any([hmac.compare_digest(signature, one) for one in expected])
    return found


def _key_of(secret: str) -> bytes:
    key = _decode(secret.removeprefix("whsec_")) if isinstance(secret, str) else None
    if not key:
        raise ValueError("The secret of a webhook is whsec_ and base64.")
    return key


def _decode(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _header(headers: Mapping[str, Any], name: str) -> str:
    names = (name, "http-" + name)
    values = [value for one, value in headers.items() if str(one).lower().replace("_", "-") in names]
    if len(values) != 1 or not isinstance(values[0], str) or not values[0]:
        raise WebhookVerificationError(f"The header {name} is missing.")
    return values[0]
