"""The errors that calls raise."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import Any


@dataclass(frozen=True)
class Duplicate:
    """The object that an earlier request with the same Duplicate-Check-Key has created."""

    type: str
    """Such as collectionrequest, payment or billpayment."""
    id: int


class KusanyaError(Exception):
    """A call that did not succeed: the service has refused it, or has not answered."""

    def __init__(
        self,
        message: str,
        *,
        method: str,
        path: str,
        status: int = 0,
        detail: str | None = None,
        fields: Mapping[str, list[str]] | None = None,
        code: str | None = None,
        duplicate: Duplicate | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        self.method = method
        self.path = path
        self.status = status
        """The status of the answer; 0 if there was none."""
        self.detail = detail
        """What the service says, if it says it about no single field."""
        self.fields = dict(fields or {})
        """The invalid fields, each with its messages; empty if no field is invalid."""
        self.code = code
        """The code of a bill payment's error, such as BX0003."""
        self.duplicate = duplicate
        """With 409: what the first request with this key has created."""
        self.request_id = request_id
        """The id of the request in the log of the service."""
        self.retry_after = retry_after
        """How long the service asks to wait, in seconds."""
        self.attempts = 1
        """How often the call was sent."""
        self.is_outcome_unknown = False
        """True if a call that writes may have had its effect although it failed, because an attempt of it got no
        readable answer. Never treat it as failed: repeat it with the same duplicate_check_key, or look for the object."""
        self.duplicate_check_key: str | None = None
        """The Duplicate-Check-Key that the call had."""
        self.body = body
        """The parsed body of the answer, or its text."""

    def __reduce__(self) -> Any:
        # Queues of tasks send errors between processes.
        return KusanyaError.__new__, (KusanyaError, *self.args), self.__dict__


class WaitTimeout(Exception):
    """What was waited for has not ended in time. It goes on, and may still succeed."""

    def __init__(self, message: str, last: Any) -> None:
        super().__init__(message, last)
        self.last = last
        """The object as it was read last."""

    def __str__(self) -> str:
        return str(self.args[0])


class WebhookVerificationError(Exception):
    """A request that is no notification of yours, or is too old: answer 400 or 401, and do nothing."""


def refusal(method: str, path: str, status: int, headers: Mapping[str, str], body: Any) -> KusanyaError:
    """The error that an answer is. `body` is its parsed JSON, or its text; names of headers are in lower case."""
    fields = body if isinstance(body, dict) else {}
    words = [text for text in (fields.get("detail"), fields.get("message")) if isinstance(text, str)]
    detail = words[0] if words else None
    invalid = _invalid_fields(fields)
    kind, id_ = fields.get("type"), fields.get("id")
    is_duplicate = status == 409 and isinstance(kind, str) and isinstance(id_, int)
    code, request_id = fields.get("code"), fields.get("request_id")
    return KusanyaError(
        f"{method} {path}: {status} {_sentence(status, detail, invalid)}",
        method=method,
        path=path,
        status=status,
        detail=detail,
        fields=invalid,
        code=code if isinstance(code, str) else None,
        duplicate=Duplicate(str(kind), int(id_)) if is_duplicate and isinstance(id_, int) else None,
        request_id=request_id if isinstance(request_id, str) else headers.get("x-request-id"),
        retry_after=read_retry_after(headers.get("retry-after")),
        body=body,
    )


def read_retry_after(value: str | None) -> float | None:
    """A Retry-After in seconds: it is a number of them, or a date."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]+", value.strip()):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=timezone.utc)).timestamp() - time.time())


def _sentence(status: int, detail: str | None, invalid: Mapping[str, list[str]]) -> str:
    if invalid:
        return " ".join(f"{name}: {' '.join(messages)}" for name, messages in invalid.items())
    return detail or ("The answer is no JSON." if status < 400 else "The service gave no reason.")


def _invalid_fields(body: Mapping[str, Any]) -> dict[str, list[str]]:
    """Field errors of the core ({"amount": ["…"]}) and of bill payments ({"errors": {"amount": {"message": "…"}}})."""
    invalid = {
        name: messages
        for name, messages in body.items()
        if isinstance(messages, list) and messages and all(isinstance(message, str) for message in messages)
    }
    of_bills = body.get("errors")
    for name, error in of_bills.items() if isinstance(of_bills, dict) else ():
        if isinstance(error, dict) and isinstance(error.get("message"), str):
            invalid[name] = [error["message"]]
    return invalid
