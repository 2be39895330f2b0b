"""The objects of the interface, a class each. All calls raise KusanyaError."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import inputs, models
from ._lists import Listing, Page
from ._poll import DEFAULT_WAIT, poll
from ._stream import DEFAULT_IDLE_TIMEOUT, StreamedEvent, stream_events
from ._transport import Call, Transport
from .errors import Duplicate

if TYPE_CHECKING:
    from typing_extensions import Unpack

Item = TypeVar("Item")
Made = TypeVar("Made")


class Resource(Generic[Item]):
    """Objects that can be read by id and listed."""

    def __init__(self, transport: Transport, path: str, read: Callable[[Any], Item]) -> None:
        self._transport = transport
        self._path = path
        self._read = read

    def get(self, id: int) -> Item:
        """Reads one object."""
        item: Item = self._transport.send(Call("GET", self._path_of(id), read=self._read))
        return item

    def _path_of(self, id: int) -> str:
        # An id is a number: a text could lead to another path.
        return f"{self._path}/{int(id)}"

    def _list(self, filters: Mapping[str, Any]) -> Listing[Item]:
        def load(query: Mapping[str, Any]) -> Page[Item]:
            page: Page[Item] = self._transport.send(Call("GET", self._path, query=query, read=self._read_page))
            return page

        return Listing(load, filters)

    def _read_page(self, body: Any) -> Page[Item]:
        results = [self._read(item) for item in body["results"]]
        return Page(body["count"], body["next"], body["previous"], results)

    def _create(self, creates: str, body: Mapping[str, Any], key: str | None) -> Item:
        """Creates an object once, however often it has to be sent."""
        call = Call(
            "POST",
            self._path,
            body=body,
            creates=creates,
            duplicate_check_key=key,
            read=self._read,
            read_created=lambda duplicate: self.get(duplicate.id),
        )
        item: Item = self._transport.send(call)
        return item

    def _change(self, id: int, changes: Mapping[str, Any]) -> Item:
        call = Call("PATCH", self._path_of(id), body=changes, writes=True, read=self._read)
        item: Item = self._transport.send(call)
        return item


class CollectionRequests(Resource[models.CollectionRequest]):
    """Requests for money from customers."""

    def create(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewCollectionRequest]
    ) -> models.CollectionRequest:
        """Asks a customer for money. With `send_instructions` the customer's phone shows a prompt. With a
        `duplicate_check_key` of your own, such as the id of an order, only one call creates a request for 24 hours, even
        if your program is restarted in between."""
        return self._create("collectionrequest", fields, duplicate_check_key)

    def list(self, **filters: Unpack[inputs.CollectionRequestsFilters]) -> Listing[models.CollectionRequest]:
        """The requests that match all filters, the newest first unless `ordering` says otherwise. Nothing is read
        before it is needed."""
        return self._list(filters)

    def wait(self, id: int, *, wait: float = DEFAULT_WAIT) -> models.CollectionRequest:
        """Reads a request until it has ended: successful, failed, expired or reversed. It waits `wait` seconds, and then
        raises WaitTimeout; the request goes on. In production wait for a webhook instead."""
        return poll(f"Collection request {id}", lambda: self.get(id), _has_request_ended, wait)

    def remind(
        self, id: int, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewRequestAction]
    ) -> models.RequestAction:
        """Sends the instructions of an open request again, and brings its next prompt forward. Refused (KusanyaError with
        `fields["collection_request"]`) at night, too often, and if the request is not open."""
        call = self._action(id, "remind", "requestaction", fields, duplicate_check_key)
        action: models.RequestAction = self._transport.send(
            replace(
                call,
                read=models.RequestAction.from_json,
                read_created=lambda duplicate: self._find_action(id, "id", duplicate.id),
            )
        )
        return action

    def retry(
        self, id: int, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewRequestAction]
    ) -> models.CollectionRequest:
        """Makes a new request with the contents of one that has failed or expired, and gives the new one. Refused while the
        network has not said what became of its last prompt."""
        call = self._action(id, "retry", "collectionrequest", fields, duplicate_check_key)
        return self._make(call, id, "new_request", self)

    def send_payment_link(
        self, id: int, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewSentPaymentLink]
    ) -> models.PaymentLink:
        """Makes a payment link for one use with the amount of a request that has failed or expired, and sends it by SMS."""
        call = self._action(id, "paymentlink", "paymentlink", fields, duplicate_check_key)
        links = Resource(self._transport, "/api/paymentlinks", models.PaymentLink.from_json)
        return self._make(call, id, "payment_link", links)

    def refund(
        self, id: int, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewRefund]
    ) -> models.Payment:
        """Sends the money of a successful request back, all that is left of it or an `amount`. The payment may need an
        approval. Give a `duplicate_check_key` of your own, so that your program may be restarted and still refunds once."""
        call = self._action(id, "refund", "payment", fields, duplicate_check_key)
        return self._make(call, id, "payment", Resource(self._transport, "/api/payments", models.Payment.from_json))

    def actions(self, id: int, **filters: Unpack[inputs.RequestActionsFilters]) -> Listing[models.RequestAction]:
        """What people did about a request, and why: reminders, retries, payment links and refunds."""
        path = f"{self._path_of(id)}/actions"
        return Resource(self._transport, path, models.RequestAction.from_json)._list(filters)

    def unmatched_money(self, id: int) -> models.RequestUnmatchedMoney:
        """Unmatched money from the phone of a request, the nearest amount first."""
        read = models.RequestUnmatchedMoney.from_json
        found: models.RequestUnmatchedMoney = self._transport.send(
            Call("GET", f"{self._path_of(id)}/unmatched-money", read=read)
        )
        return found

    def _action(self, id: int, verb: str, creates: str, body: Mapping[str, Any], key: str | None) -> Call:
        return Call("POST", f"{self._path_of(id)}/{verb}", body=body, creates=creates, duplicate_check_key=key)

    def _make(self, call: Call, id: int, field: str, resource: Resource[Made]) -> Made:
        """Sends an action that makes an object. `field` is the one of the action that names what it made."""

        def read_created(duplicate: Duplicate) -> Made | None:
            return resource.get(duplicate.id) if self._find_action(id, field, duplicate.id) else None

        made: Made = self._transport.send(replace(call, read=resource._read, read_created=read_created))
        return made

    def _find_action(self, id: int, field: str, made: int) -> models.RequestAction | None:
        """The action of this request that made something: the key of a call may have been that of another one."""
        return next((action for action in self.actions(id) if getattr(action, field) == made), None)


class Collections(Resource[models.Collection]):
    """Incoming payments of customers."""

    def list(self, **filters: Unpack[inputs.CollectionsFilters]) -> Listing[models.Collection]:
        return self._list(filters)

    def claim(
        self,
        *,
        amount: str | int | Decimal,
        phonenumber: str,
        remote_transaction_id: str,
        **filters: Any,
    ) -> models.Collection | None:
        """Reserves the one unmatched collection that has these values for the user of the key, for good. None if there is
        none; several are an error with the field `claim`. A repeated call gives the same collection."""
        values = {"phonenumber": phonenumber, "remote_transaction_id": remote_transaction_id}
        query = {**filters, **values, "amount": amount, "claim": "True"}
        call = Call("GET", self._path, query=query, writes=True, read=self._read_page)
        page: Page[models.Collection] = self._transport.send(call)
        return page.results[0] if page.results else None

    def allocations(self, id: int) -> models.CollectionAllocations:
        """What a collection is for, and how much of it is for nothing yet."""
        return self._allocations(Call("GET", f"{self._path_of(id)}/allocations"))

    def suggestions(self, id: int) -> models.CollectionSuggestions:
        """What unmatched money may be for, the likeliest first."""
        read = models.CollectionSuggestions.from_json
        found: models.CollectionSuggestions = self._transport.send(
            Call("GET", f"{self._path_of(id)}/suggestions", read=read)
        )
        return found

    def allocate(
        self, id: int, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewAllocations]
    ) -> models.CollectionAllocations:
        """Matches unmatched money with invoices, customers or payment links; several parts split it. `instead_of` moves
        money."""
        return self._allocations(
            Call(
                "POST",
                f"{self._path_of(id)}/allocations",
                body=fields,
                creates="collection",
                duplicate_check_key=duplicate_check_key,
                read_created=lambda duplicate: self.allocations(id) if duplicate.id == int(id) else None,
            )
        )

    def end_allocation(self, id: int, allocation: int) -> models.CollectionAllocations:
        """Takes an allocation back: its money is unmatched again."""
        return self._allocations(Call("DELETE", f"{self._path_of(id)}/allocations/{int(allocation)}", writes=True))

    def _allocations(self, call: Call) -> models.CollectionAllocations:
        read = models.CollectionAllocations.from_json
        allocations: models.CollectionAllocations = self._transport.send(replace(call, read=read))
        return allocations


class Payments(Resource[models.Payment]):
    """Money and airtime that is sent to phones."""

    def create(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewPayment]
    ) -> models.Payment:
        """Sends money or airtime to one recipient, or to as many as `recipient_data` has. Give a `duplicate_check_key` of
        your own, so that your program may be restarted and still pays once."""
        return self._create("payment", fields, duplicate_check_key)

    def list(self, **filters: Unpack[inputs.PaymentsFilters]) -> Listing[models.Payment]:
        return self._list(filters)

    def wait(self, id: int, *, wait: float = DEFAULT_WAIT) -> models.Payment:
        """Reads a payment until it has ended: processed, processed_with_errors, rejected or cancelled. It waits `wait`
        seconds, and then raises WaitTimeout; the payment goes on."""
        return poll(f"Payment {id}", lambda: self.get(id), _has_payment_ended, wait)


class PaymentLinks(Resource[models.PaymentLink]):
    """Pages on which customers pay."""

    def create(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewPaymentLink]
    ) -> models.PaymentLink:
        return self._create("paymentlink", fields, duplicate_check_key)

    def list(self, **filters: Unpack[inputs.PaymentLinksFilters]) -> Listing[models.PaymentLink]:
        return self._list(filters)

    def update(self, id: int, **changes: Unpack[inputs.PaymentLinkChanges]) -> models.PaymentLink:
        """Changes the given fields. `state="closed"` closes the link, None removes an `expiry_date` or `return_url`."""
        return self._change(id, changes)


class Receipts(Resource[models.Receipt]):
    """Receipts of payments that arrived. `url` is the page for the customer, `pdf_url` the same as PDF."""

    def issue(self, **fields: Unpack[inputs.NewReceipt]) -> models.Receipt:
        """Makes the receipt of a `collection`, or of the payment that fulfilled a `collection_request`. A second call gives
        the same receipt."""
        call = Call("POST", self._path, body=fields, writes=True, read=self._read)
        receipt: models.Receipt = self._transport.send(call)
        return receipt

    def list(self, **filters: Unpack[inputs.ReceiptsFilters]) -> Listing[models.Receipt]:
        return self._list(filters)

    def send(
        self, id: int, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewReceiptSend]
    ) -> models.Receipt:
        """Sends a receipt by SMS to the phone that paid, or by e-mail: to `email`, or to the address of the contact. It is
        sent once, however often the call has to be sent."""
        call = Call(
            "POST",
            f"{self._path_of(id)}/send",
            body=fields,
            creates="receipt",
            duplicate_check_key=duplicate_check_key,
            read=self._read,
            read_created=lambda duplicate: self.get(id) if duplicate.id == int(id) else None,
        )
        receipt: models.Receipt = self._transport.send(call)
        return receipt


class Plans(Resource[models.Plan]):
    """Recurring collection requests. A request with `subscription_settings` starts one."""

    def list(self, **filters: Unpack[inputs.PlansFilters]) -> Listing[models.Plan]:
        return self._list(filters)

    def pause(self, id: int) -> models.Plan:
        """Pauses a plan. Dates that pass meanwhile are not requested afterwards."""
        return self._act(id, "pause")

    def resume(self, id: int) -> models.Plan:
        """Resumes a paused plan at its next date."""
        return self._act(id, "resume")

    def stop(self, id: int) -> models.Plan:
        """Stops a plan permanently."""
        return self._act(id, "stop")

    def _act(self, id: int, verb: str) -> models.Plan:
        call = Call("POST", f"{self._path_of(id)}/{verb}", body={}, writes=True, read=self._read)
        plan: models.Plan = self._transport.send(call)
        return plan


class Contacts(Resource[models.ContactDetails]):
    """Customers and recipients."""

    def create(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewContact]
    ) -> models.ContactDetails:
        return self._create("contact", fields, duplicate_check_key)

    def list(self, **filters: Unpack[inputs.ContactsFilters]) -> Listing[models.ContactDetails]:
        return self._list(filters)

    def update(self, id: int, **changes: Unpack[inputs.ContactChanges]) -> models.ContactDetails:
        """Changes the given fields."""
        return self._change(id, changes)

    def money(self, id: int) -> models.ContactMoney:
        """The credit of a customer, and unmatched money from its phones."""
        read = models.ContactMoney.from_json
        money: models.ContactMoney = self._transport.send(Call("GET", f"{self._path_of(id)}/money", read=read))
        return money

    def statement(
        self, id: int, *, from_day: str | None = None, to_day: str | None = None, currency: str | None = None
    ) -> models.CustomerStatement:
        """What a customer was invoiced and has paid in some days, such as `2030-01-31`, with the balances: this month unless
        given, in the currency of the newest invoice unless given."""
        query = {"from": from_day, "to": to_day, "currency": currency}
        path = f"{self._path_of(id)}/statement"
        statement: models.CustomerStatement = self._transport.send(
            Call("GET", path, query=query, read=models.CustomerStatement.from_json)
        )
        return statement


class Reports:
    """What is open, and what came in and is for nothing yet. Rows come in pages of `limit`; totals are those of all pages."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def ageing(
        self,
        *,
        tag: str | None = None,
        currency: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> models.Ageing:
        """The open amounts of customers by how long they are overdue."""
        query = {"tag": tag, "currency": currency, "limit": limit, "offset": offset}
        report: models.Ageing = self._transport.send(
            Call("GET", "/api/reports/ageing", query=query, read=models.Ageing.from_json)
        )
        return report

    def unmatched(
        self, *, currency: str | None = None, limit: int | None = None, offset: int | None = None
    ) -> models.UnmatchedMoney:
        """Money that came in and is for nothing yet, the oldest first."""
        query = {"currency": currency, "limit": limit, "offset": offset}
        report: models.UnmatchedMoney = self._transport.send(
            Call("GET", "/api/reports/unmatched", query=query, read=models.UnmatchedMoney.from_json)
        )
        return report


class MatchingRules:
    """The rules about money that nobody asked for."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> models.MatchingSettings:
        return self._send(Call("GET", _MATCHING_SETTINGS))

    def update(self, **changes: Unpack[inputs.MatchingSettingsChanges]) -> models.MatchingSettings:
        """Changes the given rules."""
        return self._send(Call("PATCH", _MATCHING_SETTINGS, body=changes, writes=True))

    def _send(self, call: Call) -> models.MatchingSettings:
        settings: models.MatchingSettings = self._transport.send(replace(call, read=models.MatchingSettings.from_json))
        return settings


_MATCHING_SETTINGS = "/api/matching-settings"


class Webhooks(Resource[models.Webhook]):
    """Addresses that get a notification for each event of a type. They are deleted in the console, or by answering 410."""

    def create(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewWebhook]
    ) -> models.Webhook:
        return self._create("webhook", fields, duplicate_check_key)

    def list(self, **filters: Unpack[inputs.WebhooksFilters]) -> Listing[models.Webhook]:
        return self._list(filters)


class Accounts(Resource[models.Account]):
    """Wallets and their balances."""

    def list(self, **filters: Unpack[inputs.AccountsFilters]) -> Listing[models.Account]:
        return self._list(filters)


class Transactions(Resource[models.Transaction]):
    """Changes of balances."""

    def list(self, **filters: Unpack[inputs.TransactionsFilters]) -> Listing[models.Transaction]:
        return self._list(filters)


class SmsMessages(Resource[models.Sms]):
    """Messages to customers, and whether they arrived."""

    def list(self, **filters: Unpack[inputs.SmsFilters]) -> Listing[models.Sms]:
        return self._list(filters)


class Networks(Resource[models.Network]):
    """Mobile-money networks."""

    def list(self, **filters: Unpack[inputs.NetworksFilters]) -> Listing[models.Network]:
        return self._list(filters)


class Currencies(Resource[models.Currency]):
    """Currencies of wallets."""

    def list(self, **filters: Unpack[inputs.CurrenciesFilters]) -> Listing[models.Currency]:
        return self._list(filters)


class Events(Resource[models.Event]):
    """The records of changes in the organization."""

    def stream(
        self,
        *,
        last_event_id: int | None = None,
        since: int | str | None = None,
        types: Iterable[str] = (),
        idle_timeout: float = DEFAULT_IDLE_TIMEOUT,
    ) -> Iterator[StreamedEvent]:
        """The events as they happen, over breaks of the connection: `for event in kusanya.events.stream()`.

        It begins after the event `last_event_id`. Keep the id of the last event that you have processed to miss none over
        restarts. Else it begins at the event or time `since` (`2030-01-31T12:00:00Z`, `10 minutes ago`), or with the next
        event. The connection is made anew when nothing came for `idle_timeout` seconds; the service says something every
        15 seconds. Raises KusanyaError when the service refuses the stream."""
        return stream_events(self._transport, last_event_id, since, tuple(types), idle_timeout)

    def list(self, **filters: Unpack[inputs.EventsFilters]) -> Listing[models.Event]:
        return self._list(filters)


def _has_request_ended(request: models.CollectionRequest) -> bool:
    """New states may be added: every other state means that the request is in progress."""
    return request.status in ("successful", "failed", "expired", "reversed")


def _has_payment_ended(payment: models.Payment) -> bool:
    return payment.state in ("processed", "processed_with_errors", "rejected", "cancelled")
