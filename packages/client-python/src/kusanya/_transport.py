"""Sends calls, and repeats them."""

from __future__ import annotations

import http.client
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ._values import parse_json, write_json, write_query
from ._version import VERSION
from .errors import Duplicate, KusanyaError, refusal

FIRST_WAIT = 0.5
MAX_WAIT = 8.0
MAX_RETRY_AFTER = 65.0
"""A longer Retry-After is left to the caller. That of throttled reads is up to a minute."""
RETRIED_STATUSES = (0, 429, 502, 503, 504)
"""Statuses after which another attempt may succeed: of the service, and of proxies in front of it."""
USER_AGENT = f"kusanya-python/{VERSION}"
CONNECTION_ERRORS = (OSError, http.client.HTTPException)
_PIECE = 64 * 1024


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would be followed as a GET, would lose the body of a POST, and would get the key."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


@dataclass(frozen=True)
class Options:
    """How a client reaches the service, and how long it tries."""

    url: str
    key: str
    timeout: float
    retries: int
    opener: urllib.request.OpenerDirector

    def __repr__(self) -> str:
        return f"Options(url={self.url!r})"


@dataclass(frozen=True)
class Call:
    """One call of the service."""

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    query: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    creates: str | None = None
    """The type of object that it creates, under a Duplicate-Check-Key. All other calls may be repeated as they are."""
    duplicate_check_key: str | None = None
    writes: bool = False
    """Whether its effect is unknown when no answer comes."""
    read: Callable[[Any], Any] = lambda body: body
    """Makes the parsed answer into what the caller gets."""
    read_created: Callable[[Duplicate], Any] | None = None
    """Reads what an attempt of this call has created whose answer was lost. None if another call has created it."""


def create_options(
    url: str, key: str, timeout: float, retries: int, opener: urllib.request.OpenerDirector | None
) -> Options:
    """Checks the options of a client. Raises ValueError."""
    parts = urllib.parse.urlsplit(url if isinstance(url, str) else "")
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("url must be the address of the service, such as https://pay.example.com.")
    if not isinstance(key, str) or not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ValueError("key must be an API key: a text without blanks.")
    return Options(url.rstrip("/"), key, timeout, retries, opener or urllib.request.build_opener(_NoRedirect))


class Transport:
    """Sends calls to one service with one key. It keeps nothing open, and many threads may use it at once."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def with_options(self, timeout: float | None, retries: int | None) -> Transport:
        changes: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
        return Transport(replace(self._options, **changes, **({} if retries is None else {"retries": retries})))

    def send(self, call: Call) -> Any:
        """Sends a call until it is answered. Raises KusanyaError."""
        key = _key_of(call)
        # What cannot be sent is found out before the first attempt.
        body = None if call.body is None else write_json(call.body)
        is_outcome_unknown = False
        attempts = 0
        while True:
            attempts += 1
            try:
                return self._attempt(call, key, body)
            except KusanyaError as error:
                duplicate = error.duplicate
                # An attempt got no answer, and the key is taken: what has it is what this call was to create.
                if is_outcome_unknown and duplicate and duplicate.type == call.creates and call.read_created:
                    try:
                        created = call.read_created(duplicate)
                    except KusanyaError as unread:
                        # It exists, although this key may not read it or no answer came: the call has not failed. Only
                        # the error of a purchase that has failed has the result.
                        if not (isinstance(unread.body, dict) and "data" in unread.body):
                            unread.attempts = attempts
                            unread.duplicate = duplicate
                            unread.is_outcome_unknown = True
                            unread.duplicate_check_key = key
                        raise
                    if created is not None:
                        return created
                is_outcome_unknown |= bool(call.creates or call.writes) and not 400 <= error.status < 500
                error.attempts = attempts
                error.is_outcome_unknown = is_outcome_unknown
                error.duplicate_check_key = key
                if attempts > self._options.retries or not _is_worth_repeating(error):
                    raise
                time.sleep(wait_before(attempts, error.retry_after))

    def open(self, path: str, query: Mapping[str, Any], headers: Mapping[str, str], timeout: float) -> Any:
        """Sends one GET without repeating it or reading its body. `timeout` is that of each read. Raises OSError or
        http.client.HTTPException when no answer comes."""
        return self._open("GET", path, query, headers, None, timeout)

    def _open(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout: float,
    ) -> Any:
        search = urllib.parse.urlencode(write_query(query or {}))
        request = urllib.request.Request(
            self._options.url + path + (f"?{search}" if search else ""),
            data=body,
            method=method,
            headers={"Authorization": f"Token {self._options.key}", "User-Agent": USER_AGENT, **headers},
        )
        try:
            return self._options.opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as answer:
            return answer

    def _attempt(self, call: Call, key: str | None, body: bytes | None) -> Any:
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Duplicate-Check-Key"] = key
        deadline = time.monotonic() + self._options.timeout
        try:
            answer = self._open(call.method, call.path, call.query, headers, body, self._options.timeout)
            with answer:
                text = _read_until(answer, deadline)
        except CONNECTION_ERRORS as error:
            raise self._no_answer(call, error) from error
        parsed, is_json = _parse(text)
        if is_json and 200 <= answer.status < 300:
            return self._read(call, answer.status, parsed)
        raise refusal(call.method, call.path, answer.status, lower_names(answer.headers), parsed)

    def _read(self, call: Call, status: int, parsed: Any) -> Any:
        try:
            return call.read(parsed)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            message = f"{call.method} {call.path}: {status} The answer is not what this version of the client knows."
            raise KusanyaError(message, method=call.method, path=call.path, status=status, body=parsed) from error

    def _no_answer(self, call: Call, error: BaseException) -> KusanyaError:
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        is_late = isinstance(cause, TimeoutError)
        sentence = "did not answer in time" if is_late else "did not answer"
        message = f"{call.method} {call.path}: {self._options.url} {sentence}."
        return KusanyaError(message, method=call.method, path=call.path)


def lower_names(headers: Any) -> dict[str, str]:
    """Headers by their names in lower case."""
    return {name.lower(): value for name, value in headers.items()}


def wait_before(attempts: int, retry_after: float | None) -> float:
    """Seconds to wait. Waits grow and are spread, so that many clients do not come back at once; never shorter than the
    service asks."""
    growing = min(MAX_WAIT, FIRST_WAIT * 2.0 ** min(attempts - 1, 10))
    return max(retry_after or 0.0, growing * (0.5 + random.random() / 2))


def _key_of(call: Call) -> str | None:
    if call.creates is None:
        return None
    key = call.duplicate_check_key
    if key is None:
        return str(uuid.uuid4())
    # An empty key would protect from nothing.
    if not isinstance(key, str) or not re.fullmatch(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?", key):
        raise ValueError("duplicate_check_key must be a text of ASCII characters without blanks around it.")
    return key


def _is_worth_repeating(error: KusanyaError) -> bool:
    return error.status in RETRIED_STATUSES and (error.retry_after or 0) <= MAX_RETRY_AFTER


def _read_until(answer: Any, deadline: float) -> bytes:
    """The body of an answer. One that comes in small pieces for too long is no answer in time."""
    pieces = []
    while piece := answer.read1(_PIECE):
        pieces.append(piece)
        if time.monotonic() > deadline:
            raise TimeoutError
    missing = getattr(answer, "length", None)
    if missing:
        raise http.client.IncompleteRead(b"".join(pieces), missing)
    return b"".join(pieces)


def _parse(text: bytes) -> tuple[Any, bool]:
    try:
        return parse_json(text), True
    except ValueError:
        return text.decode("utf-8", "replace"), False
