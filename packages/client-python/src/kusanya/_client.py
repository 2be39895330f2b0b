"""The client."""

from __future__ import annotations

import urllib.request

from . import models
from ._batches import InvoiceBatches, RequestBatches
from ._bills import Bills
from ._invoices import Invoices
from ._resources import (
    Accounts,
    CollectionRequests,
    Collections,
    Contacts,
    Currencies,
    Events,
    MatchingRules,
    Plans,
    Networks,
    PaymentLinks,
    Payments,
    Receipts,
    Reports,
    SmsMessages,
    Transactions,
    Webhooks,
)
from ._transport import Transport, create_options

DEFAULT_TIMEOUT = 30.0
DEFAULT_RETRIES = 4


class Kusanya:
    """A client of one Kusanya, with one API key. It keeps nothing open, and many threads may use it at once.

    `url` is the address of the service, such as https://pay.example.com. `key` is sent to this address only. `timeout` is how
    long one attempt may take, in seconds; the default is longer than the service waits for a biller. `retries` is how often a
    call is repeated that got no answer or was refused for a time; 0 for never. `opener` replaces urllib's, for example one with
    certificates of your own; it must not follow redirects. Raises ValueError if the address or the key cannot be one."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        opener: urllib.request.OpenerDirector | None = None,
    ) -> None:
        self._use(Transport(create_options(url, key, timeout, retries, opener)))

    def with_options(self, *, timeout: float | None = None, retries: int | None = None) -> Kusanya:
        """The same client with another `timeout` or other `retries`, for some calls."""
        other = object.__new__(Kusanya)
        other._use(self._transport.with_options(timeout, retries))
        return other

    def _use(self, transport: Transport) -> None:
        self._transport = transport
        self.collection_requests = CollectionRequests(
            transport, "/api/collectionrequests", models.CollectionRequest.from_json
        )
        self.request_batches = RequestBatches(
            transport, "/api/collectionrequests/batches", models.RequestBatch.from_json
        )
        self.collections = Collections(transport, "/api/collections", models.Collection.from_json)
        self.payments = Payments(transport, "/api/payments", models.Payment.from_json)
        self.payment_links = PaymentLinks(transport, "/api/paymentlinks", models.PaymentLink.from_json)
        self.receipts = Receipts(transport, "/api/receipts", models.Receipt.from_json)
        self.invoices = Invoices(transport, "/api/invoices", models.Invoice.from_json)
        self.invoice_batches = InvoiceBatches(transport, "/api/invoices/batches", models.InvoiceBatch.from_json)
        self.matching_settings = MatchingRules(transport)
        self.plans = Plans(transport, "/api/plans", models.Plan.from_json)
        self.contacts = Contacts(transport, "/api/contacts", models.ContactDetails.from_json)
        self.reports = Reports(transport)
        self.accounts = Accounts(transport, "/api/accounts", models.Account.from_json)
        self.transactions = Transactions(transport, "/api/transactions", models.Transaction.from_json)
        self.sms = SmsMessages(transport, "/api/sms", models.Sms.from_json)
        self.webhooks = Webhooks(transport, "/api/webhooks", models.Webhook.from_json)
        self.events = Events(transport, "/api/events", models.Event.from_json)
        self.networks = Networks(transport, "/api/networks", models.Network.from_json)
        self.currencies = Currencies(transport, "/api/currencies", models.Currency.from_json)
        self.bills = Bills(transport)
