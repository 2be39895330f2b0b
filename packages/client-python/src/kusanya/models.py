# Made from openapi.json by `npm run clients`; do not edit.
"""The answers of the service. Amounts are Decimal, times are datetime, and `raw` has the whole answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Union

from ._values import read_list, read_money, read_plain, read_record, read_time

__all__ = [
    "Account",
    "Ageing",
    "AgeingRow",
    "AgeingTotal",
    "AirtimeProvider",
    "Allocation",
    "BillAccountHolder",
    "BillBalance",
    "BillCategory",
    "BillProvider",
    "BillService",
    "Bouquet",
    "Collection",
    "CollectionAllocations",
    "CollectionRequest",
    "CollectionSuggestions",
    "CollectionTransaction",
    "Contact",
    "ContactDetails",
    "ContactMoney",
    "ContactPayer",
    "Country",
    "Credit",
    "CreditChange",
    "Currency",
    "CustomerStatement",
    "DataBundle",
    "Event",
    "EventData",
    "ExamProduct",
    "Invoice",
    "InvoiceAllocation",
    "InvoiceBatch",
    "InvoiceBatchDuplicate",
    "InvoiceBatchPreview",
    "InvoiceBatchSum",
    "InvoiceCustomerSum",
    "InvoiceLeftOut",
    "InvoiceLine",
    "InvoiceReminder",
    "InvoiceRequest",
    "InvoiceSend",
    "InvoiceTagSum",
    "InvoiceTax",
    "InvoiceWaitingMoney",
    "InvoicesDone",
    "Key",
    "MatchSuggestion",
    "MatchingSettings",
    "NearMoney",
    "Network",
    "Payment",
    "PaymentEventData",
    "PaymentLink",
    "PaymentLinkField",
    "PaymentRecipient",
    "PendingMatch",
    "PhoneMoney",
    "PinBundle",
    "Plan",
    "PricingOption",
    "PurchaseEventData",
    "PurchaseResult",
    "Receipt",
    "ReceiptSend",
    "RequestAction",
    "RequestBatch",
    "RequestBatchPreview",
    "RequestBatchProblem",
    "RequestBatchRow",
    "RequestBatchSum",
    "RequestUnmatchedMoney",
    "Sms",
    "StatementEntry",
    "SuggestedPart",
    "Transaction",
    "TransactionAccount",
    "UnmatchedMoney",
    "UnmatchedRow",
    "UnmatchedSum",
    "Webhook",
]


@dataclass(frozen=True, kw_only=True)
class Account:
    """A wallet."""

    id: int
    organization: int
    """Your organization."""
    name: str
    """What you call it."""
    kind: str
    """Whether it collects from other countries. One of local, cross_border; new values may be added."""
    balance: Decimal
    """Its balance."""
    currency: str
    """Three-letter code."""
    status: str
    """Whether it is in use. One of active, inactive; new values may be added."""
    created: datetime
    author: int
    """The user who opened it."""
    modified: datetime
    updated_by: str | None
    """The user who changed it last."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Account:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            name=get("name"),
            kind=get("kind"),
            balance=read_money(get("balance")),
            currency=get("currency"),
            status=get("status"),
            created=read_time(get("created")),
            author=get("author"),
            modified=read_time(get("modified")),
            updated_by=get("updated_by"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Ageing:
    """The open amounts of customers by how long they are overdue."""

    day: str
    """The day of the report, in the time zone of the organization."""
    zone: str
    """The time zone of the organization."""
    count: int
    """Total number of rows on all pages."""
    rows: list[AgeingRow]
    """One row per customer and currency, highest overdue amount first."""
    totals: list[AgeingTotal]
    """Totals of all rows, one per currency."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ageing:
        get: Callable[[str], Any] = data.get
        return cls(
            day=get("day"),
            zone=get("zone"),
            count=get("count"),
            rows=read_list(get("rows"), AgeingRow.from_json),
            totals=read_list(get("totals"), AgeingTotal.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class AgeingRow:
    """The open amounts of a customer in one currency."""

    contact: int
    """The customer."""
    customer_number: str | None
    """The customer number."""
    customer_name: str
    """The name of the customer; empty if it is not known."""
    phonenumber: str
    """The phone number of the customer; empty without one."""
    tags: list[str]
    """The tags of the customer."""
    currency: str
    """Three-letter code."""
    invoices: int
    """How many invoices are open."""
    oldest_due_date: str
    """The due date of the oldest of them."""
    not_due_amount: Decimal
    """Open amount, not overdue."""
    days_1_30_amount: Decimal
    """Open amount, 1 to 30 days overdue."""
    days_31_60_amount: Decimal
    """Open amount, 31 to 60 days overdue."""
    days_61_90_amount: Decimal
    """Open amount, 61 to 90 days overdue."""
    days_over_90_amount: Decimal
    """Open amount, more than 90 days overdue."""
    overdue_amount: Decimal
    """Total overdue amount."""
    open_amount: Decimal
    """Total open amount."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AgeingRow:
        get: Callable[[str], Any] = data.get
        return cls(
            contact=get("contact"),
            customer_number=get("customer_number"),
            customer_name=get("customer_name"),
            phonenumber=get("phonenumber"),
            tags=get("tags"),
            currency=get("currency"),
            invoices=get("invoices"),
            oldest_due_date=get("oldest_due_date"),
            not_due_amount=read_money(get("not_due_amount")),
            days_1_30_amount=read_money(get("days_1_30_amount")),
            days_31_60_amount=read_money(get("days_31_60_amount")),
            days_61_90_amount=read_money(get("days_61_90_amount")),
            days_over_90_amount=read_money(get("days_over_90_amount")),
            overdue_amount=read_money(get("overdue_amount")),
            open_amount=read_money(get("open_amount")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class AgeingTotal:
    """The open amounts of all customers in one currency."""

    currency: str
    """Three-letter code."""
    customers: int
    """How many customers have open invoices."""
    invoices: int
    """How many invoices are open."""
    not_due_amount: Decimal
    """Open amount, not overdue."""
    days_1_30_amount: Decimal
    """Open amount, 1 to 30 days overdue."""
    days_31_60_amount: Decimal
    """Open amount, 31 to 60 days overdue."""
    days_61_90_amount: Decimal
    """Open amount, 61 to 90 days overdue."""
    days_over_90_amount: Decimal
    """Open amount, more than 90 days overdue."""
    overdue_amount: Decimal
    """Total overdue amount."""
    open_amount: Decimal
    """Total open amount."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AgeingTotal:
        get: Callable[[str], Any] = data.get
        return cls(
            currency=get("currency"),
            customers=get("customers"),
            invoices=get("invoices"),
            not_due_amount=read_money(get("not_due_amount")),
            days_1_30_amount=read_money(get("days_1_30_amount")),
            days_31_60_amount=read_money(get("days_31_60_amount")),
            days_61_90_amount=read_money(get("days_61_90_amount")),
            days_over_90_amount=read_money(get("days_over_90_amount")),
            overdue_amount=read_money(get("overdue_amount")),
            open_amount=read_money(get("open_amount")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class AirtimeProvider:
    """A provider of airtime."""

    service_type: str
    """Code of the service."""
    shortname: str
    """Abbreviation."""
    name: str
    """Full name."""
    plans: list[str]
    """Plans that can be bought."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AirtimeProvider:
        get: Callable[[str], Any] = data.get
        return cls(
            service_type=get("service_type"),
            shortname=get("shortname"),
            name=get("name"),
            plans=get("plans"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Allocation:
    """The allocation of a part of a collection."""

    id: int
    collection: int
    """The collection."""
    invoice: int | None
    """The invoice that it pays."""
    payment_link: int | None
    """The payment link that it pays."""
    contact: int | None
    """The customer whose credit it is."""
    amount: Decimal
    """Amount of the allocation."""
    reason: str
    """Why: `invoice_number`, `link_number`, `customer_number`: the payer typed it. `same_amount`: the only open invoice of the customer with this amount. `only_customer`: the phone pays for this customer only. `surplus`: more than was open. `credit`: credit of the customer. `person`: a person chose it. One of invoice_number, link_number, customer_number, same_amount, only_customer, surplus, credit, person; new values may be added."""
    note: str
    """Note of this person."""
    author: int | None
    """The person; null for the service."""
    created: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Allocation:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            collection=get("collection"),
            invoice=get("invoice"),
            payment_link=get("payment_link"),
            contact=get("contact"),
            amount=read_money(get("amount")),
            reason=get("reason"),
            note=get("note"),
            author=get("author"),
            created=read_time(get("created")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class BillAccountHolder:
    """The holder of an account, for example of a meter."""

    name: str
    """Name of the holder."""
    address: str | None
    """Address of the meter."""
    outstandingBalance: Decimal | None
    """What the holder owes the biller."""
    dueDate: str | None
    """End of the subscription."""
    district: str | None
    """District of the electricity company."""
    accountNumber: str | None
    """Account number in the form that the biller uses."""
    minimumAmount: Decimal | None
    """The smallest amount that can be paid."""
    rawOutput: dict[str, Any]
    """Data of the biller, unchanged."""
    errorMessage: str | None
    """Null when a holder was found."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BillAccountHolder:
        get: Callable[[str], Any] = data.get
        return cls(
            name=get("name"),
            address=get("address"),
            outstandingBalance=read_money(get("outstandingBalance")),
            dueDate=get("dueDate"),
            district=get("district"),
            accountNumber=get("accountNumber"),
            minimumAmount=read_money(get("minimumAmount")),
            rawOutput=read_plain(get("rawOutput")),
            errorMessage=get("errorMessage"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class BillBalance:
    """The balance of the wallet that pays bills."""

    balance: Decimal
    """The amount that can be spent."""
    lastDeposit: datetime | None
    """When money was last added; null for never."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BillBalance:
        get: Callable[[str], Any] = data.get
        return cls(
            balance=read_money(get("balance")),
            lastDeposit=read_time(get("lastDeposit")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class BillCategory:
    """A category of services."""

    name: str
    """Full name."""
    service_type: str
    """Code of the service."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BillCategory:
        get: Callable[[str], Any] = data.get
        return cls(
            name=get("name"),
            service_type=get("service_type"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class BillProvider:
    """A seller of a service."""

    service_type: str
    """Code of the service."""
    shortname: str
    """Abbreviation."""
    biller_id: int
    """Id of the biller."""
    product_id: int
    """Id of the product."""
    name: str
    """Full name."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BillProvider:
        get: Callable[[str], Any] = data.get
        return cls(
            service_type=get("service_type"),
            shortname=get("shortname"),
            biller_id=get("biller_id"),
            product_id=get("product_id"),
            name=get("name"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class BillService:
    """A service on sale."""

    id: int
    """Id of the service."""
    serviceId: int
    """Id of the product."""
    serviceCode: str
    """The service type in capitals."""
    serviceCategory: str
    """Code of the category."""
    biller_id: int
    """Id of the biller."""
    serviceBiller: str
    """Short name of the biller."""
    serviceType: str
    """The `service_type` of other calls."""
    serviceName: str
    """Full name."""
    serviceDescription: str
    """The same as the name."""
    serviceHandler: str
    """Code of the category."""
    serviceProvider: str
    """Short name of the provider."""
    serviceEnabled: bool
    """Whether it can be bought now."""
    serviceStatus: str
    """The same as `serviceEnabled`, as a word."""
    serviceCountry: str
    """ISO 3166-1: where it is sold."""
    serviceCurrency: str
    """ISO 4217: of its prices, and of the account that pays."""
    serviceLogo: str | None
    """Always null."""
    deployed: bool
    """Whether it can be bought now."""
    b2b_deployed: bool
    """Whether it can be bought now."""
    created_at: datetime
    updated_at: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BillService:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            serviceId=get("serviceId"),
            serviceCode=get("serviceCode"),
            serviceCategory=get("serviceCategory"),
            biller_id=get("biller_id"),
            serviceBiller=get("serviceBiller"),
            serviceType=get("serviceType"),
            serviceName=get("serviceName"),
            serviceDescription=get("serviceDescription"),
            serviceHandler=get("serviceHandler"),
            serviceProvider=get("serviceProvider"),
            serviceEnabled=get("serviceEnabled"),
            serviceStatus=get("serviceStatus"),
            serviceCountry=get("serviceCountry"),
            serviceCurrency=get("serviceCurrency"),
            serviceLogo=get("serviceLogo"),
            deployed=get("deployed"),
            b2b_deployed=get("b2b_deployed"),
            created_at=read_time(get("created_at")),
            updated_at=read_time(get("updated_at")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Bouquet:
    """A bouquet of TV channels, or an add-on."""

    availablePricingOptions: list[PricingOption]
    """The prices by number of months."""
    code: str
    """Code in a purchase."""
    name: str
    """Display name."""
    description: str
    """Further description, or a space."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Bouquet:
        get: Callable[[str], Any] = data.get
        return cls(
            availablePricingOptions=read_list(get("availablePricingOptions"), PricingOption.from_json),
            code=get("code"),
            name=get("name"),
            description=get("description"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Money that came from a customer."""

    id: int
    organization: int
    """Your organization."""
    remote_transaction_id: str
    """The network operator's id of the payment; until it is known, our reference or the network's id of the order."""
    amount: Decimal
    """The amount that was received."""
    reversed_amount: Decimal
    """Amount reversed by the network: the full amount when the status is `reversed`."""
    currency: str
    """Three-letter code."""
    account: int
    """The wallet that the money is for."""
    phonenumber: str
    """The phone number that paid."""
    payment_date: datetime
    """When the customer paid."""
    reference: str | None
    """The reference that the customer typed."""
    status: str
    """`pending` until your acceptance URL has answered, `failed` if it rejected the money, `reversed` if the network took it all back. New values may be added. One of pending, successful, failed, reversed."""
    created: datetime
    author: int
    """The user who recorded it, usually the service user."""
    modified: datetime
    updated_by: str | None
    """The user who changed it last."""
    contact: Contact
    collection_request: CollectionRequest | None
    """The request that it fulfilled, if any."""
    transaction: CollectionTransaction | None
    """The transaction that credited it to the wallet; null until then."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Collection:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            remote_transaction_id=get("remote_transaction_id"),
            amount=read_money(get("amount")),
            reversed_amount=read_money(get("reversed_amount")),
            currency=get("currency"),
            account=get("account"),
            phonenumber=get("phonenumber"),
            payment_date=read_time(get("payment_date")),
            reference=get("reference"),
            status=get("status"),
            created=read_time(get("created")),
            author=get("author"),
            modified=read_time(get("modified")),
            updated_by=get("updated_by"),
            contact=read_record(get("contact"), Contact.from_json),
            collection_request=read_record(get("collection_request"), CollectionRequest.from_json),
            transaction=read_record(get("transaction"), CollectionTransaction.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class CollectionAllocations:
    """The allocations of a collection, and its unallocated rest."""

    allocations: list[Allocation]
    """Its allocations."""
    amount_unmatched: Decimal
    """Unmatched part of the amount."""
    pending: list[PendingMatch]
    """Changes that wait for a second manager, because the amount is large."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CollectionAllocations:
        get: Callable[[str], Any] = data.get
        return cls(
            allocations=read_list(get("allocations"), Allocation.from_json),
            amount_unmatched=read_money(get("amount_unmatched")),
            pending=read_list(get("pending"), PendingMatch.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class CollectionRequest:
    """A request for money."""

    id: int
    organization: int
    """Your organization."""
    amount: Decimal
    """The amount that the customer is asked to pay."""
    currency: str
    """Three-letter code."""
    account: int | None
    """The wallet that receives the money."""
    phonenumber: str
    """The phone number of the customer, in E.164."""
    contact: Contact
    reason: str
    """The reason; empty when none was given."""
    metadata: dict[str, Any]
    """Your own attributes, as you gave them."""
    created: datetime
    author: int
    """The user whose key made the request."""
    modified: datetime
    updated_by: str | None
    """The user who changed it last."""
    collection: int | None
    """The collection that fulfilled the request."""
    success_message: str
    """Text of the SMS on success. Empty: the default text with `send_instructions`, else no SMS."""
    send_instructions: bool
    """Whether the customer gets a prompt or instructions."""
    instructions: str | None
    """Text that replaces the usual instructions; `skip` for no SMS."""
    status: str
    """The state of the request. New values may be added. One of pending, processing_started, instructions_sent, successful, failed, expired, reversed."""
    error_message: str | None
    """Why the request failed."""
    expiry_date: str | None
    """When the request expires if it has not been paid."""
    start_date: str | None
    """When the request starts; null if it starts at once."""
    retry_interval_minutes: int | None
    """Minutes between prompts."""
    max_attempts: int
    """The maximum number of further prompts."""
    subscription_settings: str | None
    """The recurrence, as a JSON text of an object; null for a single request."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CollectionRequest:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            amount=read_money(get("amount")),
            currency=get("currency"),
            account=get("account"),
            phonenumber=get("phonenumber"),
            contact=read_record(get("contact"), Contact.from_json),
            reason=get("reason"),
            metadata=read_plain(get("metadata")),
            created=read_time(get("created")),
            author=get("author"),
            modified=read_time(get("modified")),
            updated_by=get("updated_by"),
            collection=get("collection"),
            success_message=get("success_message"),
            send_instructions=get("send_instructions"),
            instructions=get("instructions"),
            status=get("status"),
            error_message=get("error_message"),
            expiry_date=get("expiry_date"),
            start_date=get("start_date"),
            retry_interval_minutes=get("retry_interval_minutes"),
            max_attempts=get("max_attempts"),
            subscription_settings=get("subscription_settings"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class CollectionSuggestions:
    """Suggested allocations of a collection."""

    suggestions: list[MatchSuggestion]
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CollectionSuggestions:
        get: Callable[[str], Any] = data.get
        return cls(
            suggestions=read_list(get("suggestions"), MatchSuggestion.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class CollectionTransaction:
    """The booking of a collection."""

    id: int
    amount: Decimal
    """The amount that was credited."""
    type: str
    """The type of the transaction."""
    currency: str
    """Three-letter code."""
    created: datetime
    description: str
    """A description in words."""
    account: TransactionAccount
    """The wallet."""
    fee_transaction: int | None
    """The transaction that charged the fee, if there was one."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CollectionTransaction:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            amount=read_money(get("amount")),
            type=get("type"),
            currency=get("currency"),
            created=read_time(get("created")),
            description=get("description"),
            account=read_record(get("account"), TransactionAccount.from_json),
            fee_transaction=get("fee_transaction"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Contact:
    """A customer or recipient."""

    id: int
    organization: int
    """Your organization."""
    first_name: str
    """`Anonymous` until a name is given."""
    last_name: str
    """`Contact` until a name is given."""
    email: str | None
    """E-mail address."""
    phone_number: str
    """E.164; one contact for each number."""
    type: str
    """`employee`, `beneficiary`, `vendor` or `other`."""
    status: str
    """`active` or `inactive`."""
    metadata: dict[str, Any] | None
    """Your own attributes."""
    phone_is_supported: str
    """`yes` when a network serves the number."""
    phone_is_mm_registered: str
    """Whether it has mobile money: `yes`, `no`, or `unknown` until the network responds."""
    name_on_network: str
    """The name that the network knows; empty until the network responds."""
    name_matches_network_status: str
    """`checked` after the two names were compared, else `unchecked`."""
    name_matches_network_score: float
    """How similar the two names are, 0 to 100."""
    network_name: str
    """The network that serves the number."""
    created: datetime
    modified: datetime
    author: int
    """The user who created the contact."""
    updated_by: int | None
    """The user who changed it last."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Contact:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            first_name=get("first_name"),
            last_name=get("last_name"),
            email=get("email"),
            phone_number=get("phone_number"),
            type=get("type"),
            status=get("status"),
            metadata=read_plain(get("metadata")),
            phone_is_supported=get("phone_is_supported"),
            phone_is_mm_registered=get("phone_is_mm_registered"),
            name_on_network=get("name_on_network"),
            name_matches_network_status=get("name_matches_network_status"),
            name_matches_network_score=get("name_matches_network_score"),
            network_name=get("network_name"),
            created=read_time(get("created")),
            modified=read_time(get("modified")),
            author=get("author"),
            updated_by=get("updated_by"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class ContactDetails:
    """A customer or recipient, with the document of identity, customer number, tags, notes and payers."""

    id: int
    organization: int
    """Your organization."""
    first_name: str
    """`Anonymous` until a name is given."""
    last_name: str
    """`Contact` until a name is given."""
    email: str | None
    """E-mail address."""
    phone_number: str
    """E.164; empty for a customer without a phone."""
    type: str
    """`employee`, `beneficiary`, `vendor` or `other`."""
    status: str
    """`active` or `inactive`."""
    metadata: dict[str, Any] | None
    """Your own attributes."""
    phone_is_supported: str
    """`yes` when a network serves the number."""
    phone_is_mm_registered: str
    """Whether it has mobile money: `yes`, `no`, or `unknown` until the network responds."""
    name_on_network: str
    """The name that the network knows; empty until the network responds."""
    name_matches_network_status: str
    """`checked` after the two names were compared, else `unchecked`."""
    name_matches_network_score: float
    """How similar the two names are, 0 to 100."""
    network_name: str
    """The network that serves the number."""
    created: datetime
    modified: datetime
    author: int
    """The user who created the contact."""
    updated_by: int | None
    """The user who changed it last."""
    national_id: str | None
    """Number of an identity document."""
    national_id_type: str | None
    """Type of the document. One of passport, military, national; new values may be added."""
    number: str | None
    """The customer number, which payers type; unique."""
    tags: list[str]
    """Groups of customers, such as a class or a route."""
    notes: str
    """Your own text about the customer."""
    payers: list[ContactPayer]
    """Other payers of the customer. The first one is asked if the customer has no phone."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ContactDetails:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            first_name=get("first_name"),
            last_name=get("last_name"),
            email=get("email"),
            phone_number=get("phone_number"),
            type=get("type"),
            status=get("status"),
            metadata=read_plain(get("metadata")),
            phone_is_supported=get("phone_is_supported"),
            phone_is_mm_registered=get("phone_is_mm_registered"),
            name_on_network=get("name_on_network"),
            name_matches_network_status=get("name_matches_network_status"),
            name_matches_network_score=get("name_matches_network_score"),
            network_name=get("network_name"),
            created=read_time(get("created")),
            modified=read_time(get("modified")),
            author=get("author"),
            updated_by=get("updated_by"),
            national_id=get("national_id"),
            national_id_type=get("national_id_type"),
            number=get("number"),
            tags=get("tags"),
            notes=get("notes"),
            payers=read_list(get("payers"), ContactPayer.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class ContactMoney:
    """The credit and the unmatched money of a customer."""

    credit: list[Credit]
    """Credit of the customer, the oldest first. It pays the next invoice."""
    unmatched: list[PhoneMoney]
    """Unmatched money from the phones of the customer, newest first."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ContactMoney:
        get: Callable[[str], Any] = data.get
        return cls(
            credit=read_list(get("credit"), Credit.from_json),
            unmatched=read_list(get("unmatched"), PhoneMoney.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class ContactPayer:
    """Another payer for a customer."""

    phone_number: str
    """E.164."""
    name: str
    """Name of the payer; may be empty."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ContactPayer:
        get: Callable[[str], Any] = data.get
        return cls(
            phone_number=get("phone_number"),
            name=get("name"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Country:
    """A country."""

    iso: str
    """ISO 3166-1, two letters."""
    iso3: str
    """ISO 3166-1, three letters."""
    iso_numeric: int
    """ISO 3166-1, numeric."""
    name: str
    """Name in capitals."""
    printable_name: str
    """Name in ordinary spelling."""
    phone_prefix: str
    """Calling code without the plus sign."""
    supported: bool
    """Whether money can be collected here."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Country:
        get: Callable[[str], Any] = data.get
        return cls(
            iso=get("iso"),
            iso3=get("iso3"),
            iso_numeric=get("iso_numeric"),
            name=get("name"),
            printable_name=get("printable_name"),
            phone_prefix=get("phone_prefix"),
            supported=get("supported"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Credit:
    """Credit of a customer."""

    allocation: int
    """The allocation that created the credit."""
    collection: int
    """The payment."""
    currency: str
    """Three-letter code."""
    amount: Decimal
    """Remaining amount."""
    created: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Credit:
        get: Callable[[str], Any] = data.get
        return cls(
            allocation=get("allocation"),
            collection=get("collection"),
            currency=get("currency"),
            amount=read_money(get("amount")),
            created=read_time(get("created")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class CreditChange:
    """A change of the credit of a customer, and the credit afterwards."""

    id: int
    """The customer."""
    customer_number: str | None
    currency: str
    amount: Decimal
    """The change of the credit. Negative: used, moved, refunded or taken back."""
    balance: Decimal
    """The credit of the customer in this currency afterwards."""
    collection: int
    """The payment whose money it is."""
    invoice: int | None
    """The invoice that was paid, or that the money was for before."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CreditChange:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            customer_number=get("customer_number"),
            currency=get("currency"),
            amount=read_money(get("amount")),
            balance=read_money(get("balance")),
            collection=get("collection"),
            invoice=get("invoice"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Currency:
    """A currency of wallets."""

    id: int
    name: str
    """Name of the currency."""
    code: str
    """Three-letter code."""
    country: Country
    usd_rate: float
    """Units of the currency for one US dollar."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Currency:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            name=get("name"),
            code=get("code"),
            country=read_record(get("country"), Country.from_json),
            usd_rate=get("usd_rate"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class CustomerStatement:
    """The invoices and payments of a customer in a period."""

    contact: int
    """The customer."""
    customer_number: str | None
    """The customer number."""
    customer_name: str
    """The name of the customer; empty if it is not known."""
    currency: str
    """Three-letter code."""
    currencies: list[str]
    """The currencies in which the customer has an account."""
    first_day: str
    """The first day, in the time zone of the organization."""
    last_day: str
    """The last day."""
    zone: str
    """The time zone of the organization."""
    opening_balance: Decimal
    """Balance before the first day; negative for credit."""
    entries: list[StatementEntry]
    """Entries, oldest first."""
    charged_amount: Decimal
    """Total charged in the period."""
    credited_amount: Decimal
    """Total paid or credited in the period."""
    closing_balance: Decimal
    """Balance after the last day; negative for credit."""
    open_amount: Decimal
    """Open amount of invoices after the last day."""
    credit_amount: Decimal
    """Credit and overpayments after the last day."""
    unmatched_amount: Decimal
    """Unmatched money from the phones of the customer, now. It is not a part of the balance."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CustomerStatement:
        get: Callable[[str], Any] = data.get
        return cls(
            contact=get("contact"),
            customer_number=get("customer_number"),
            customer_name=get("customer_name"),
            currency=get("currency"),
            currencies=get("currencies"),
            first_day=get("first_day"),
            last_day=get("last_day"),
            zone=get("zone"),
            opening_balance=read_money(get("opening_balance")),
            entries=read_list(get("entries"), StatementEntry.from_json),
            charged_amount=read_money(get("charged_amount")),
            credited_amount=read_money(get("credited_amount")),
            closing_balance=read_money(get("closing_balance")),
            open_amount=read_money(get("open_amount")),
            credit_amount=read_money(get("credit_amount")),
            unmatched_amount=read_money(get("unmatched_amount")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class DataBundle:
    """A data bundle."""

    name: str
    """Display name."""
    allowance: str | None
    """Amount of data."""
    price: Decimal
    """Price of the bundle."""
    validity: str | None
    """Period of validity."""
    datacode: str
    """Code of the bundle in a purchase."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DataBundle:
        get: Callable[[str], Any] = data.get
        return cls(
            name=get("name"),
            allowance=get("allowance"),
            price=read_money(get("price")),
            validity=get("validity"),
            datacode=get("datacode"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Event:
    """A record of a change."""

    id: int
    organization: int
    """Your organization."""
    type: str
    """What happened."""
    data: EventData | Mapping[str, Any]
    """The object as it was when it happened."""
    created: datetime
    author: int
    """The user who caused it."""
    modified: datetime
    updated_by: str | None
    """The user who changed it last."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Event:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            type=get("type"),
            data=read_event_data(get("type"), get("data")),
            created=read_time(get("created")),
            author=get("author"),
            modified=read_time(get("modified")),
            updated_by=get("updated_by"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class ExamProduct:
    """A product of an exam."""

    id: int
    """Id of the product."""
    amount: Decimal
    """Price of the product."""
    product_code: str
    """Code in a purchase."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ExamProduct:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            amount=read_money(get("amount")),
            product_code=get("product_code"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Invoice:
    """An invoice for a customer."""

    id: int
    organization: int
    """Your organization."""
    number: str | None
    """Without gaps for each organization; null for a draft."""
    url: str | None
    """The page for the customer; null for a draft."""
    pdf_url: str | None
    """The page as a PDF; null for a draft."""
    state: str
    """Drafts can be changed; issued ones can only be voided. One of draft, issued, paid, void; new values may be added."""
    overdue: bool
    """Whether it is issued and past its due date."""
    contact: int
    """The customer."""
    customer_name: str
    """The name of the customer; empty if it is not known."""
    customer_number: str | None
    """The number of the customer; null for none."""
    tags: list[str]
    """The tags of the customer, such as a class."""
    phonenumber: str
    """Phone number of the customer or its first payer; empty for none."""
    currency: str
    """Three-letter code."""
    account: int | None
    """The wallet that receives the money; null for the local one."""
    lines: list[InvoiceLine]
    """What is sold."""
    taxes: list[InvoiceTax]
    """The tax of each rate."""
    subtotal: Decimal
    """The sum of the lines, without tax."""
    total: Decimal
    """Amount to pay: the subtotal and the taxes."""
    amount_paid: Decimal
    """Amount received and not reversed by the network."""
    amount_open: Decimal
    """Open amount; zero for drafts and void invoices."""
    amount_reversed: Decimal
    """Amount reversed by networks."""
    amount_refunded: Decimal
    """Amount refunded. It is no longer due."""
    min_part: Decimal | None
    """Smallest part payment that its page accepts; null: only the open amount."""
    due_date: str
    """The last day to pay, in the time zone of the organization."""
    notes: str
    """Text below the lines."""
    language: str
    """The language of the customer. One of en, sw, fr; new values may be added."""
    reminder_days: list[int]
    """Reminders, in days after the due date; negative before."""
    reminder_prompts: bool
    """Whether reminders also request the open amount."""
    next_reminder: datetime | None
    """When the next reminder is due; null for none."""
    sends: list[InvoiceSend]
    """To whom it was sent, newest first."""
    reminders: list[InvoiceReminder]
    """The reminders, newest first."""
    requests: list[InvoiceRequest]
    """Its collection requests, newest first."""
    allocations: list[InvoiceAllocation]
    """Unrequested money allocated to it, newest first."""
    waiting_money: list[InvoiceWaitingMoney]
    """Unmatched money of the customer. While there is any, no reminder and no prompt is sent."""
    issued: datetime | None
    """When it was issued."""
    paid: datetime | None
    """When it was last paid in full."""
    voided: datetime | None
    """When it was voided."""
    void_reason: str
    """Why it was voided."""
    created: datetime
    author: int
    """The user who made it, and the author of its requests."""
    modified: datetime
    updated_by: str | None
    """The user who changed it last."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Invoice:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            number=get("number"),
            url=get("url"),
            pdf_url=get("pdf_url"),
            state=get("state"),
            overdue=get("overdue"),
            contact=get("contact"),
            customer_name=get("customer_name"),
            customer_number=get("customer_number"),
            tags=get("tags"),
            phonenumber=get("phonenumber"),
            currency=get("currency"),
            account=get("account"),
            lines=read_list(get("lines"), InvoiceLine.from_json),
            taxes=read_list(get("taxes"), InvoiceTax.from_json),
            subtotal=read_money(get("subtotal")),
            total=read_money(get("total")),
            amount_paid=read_money(get("amount_paid")),
            amount_open=read_money(get("amount_open")),
            amount_reversed=read_money(get("amount_reversed")),
            amount_refunded=read_money(get("amount_refunded")),
            min_part=read_money(get("min_part")),
            due_date=get("due_date"),
            notes=get("notes"),
            language=get("language"),
            reminder_days=get("reminder_days"),
            reminder_prompts=get("reminder_prompts"),
            next_reminder=read_time(get("next_reminder")),
            sends=read_list(get("sends"), InvoiceSend.from_json),
            reminders=read_list(get("reminders"), InvoiceReminder.from_json),
            requests=read_list(get("requests"), InvoiceRequest.from_json),
            allocations=read_list(get("allocations"), InvoiceAllocation.from_json),
            waiting_money=read_list(get("waiting_money"), InvoiceWaitingMoney.from_json),
            issued=read_time(get("issued")),
            paid=read_time(get("paid")),
            voided=read_time(get("voided")),
            void_reason=get("void_reason"),
            created=read_time(get("created")),
            author=get("author"),
            modified=read_time(get("modified")),
            updated_by=get("updated_by"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceAllocation:
    """Money of an invoice that no request asked for."""

    id: int
    collection: int
    """The collection."""
    reason: str
    """Why: `invoice_number`, `link_number`, `customer_number`: the payer typed it. `same_amount`: the only open invoice of the customer with this amount. `only_customer`: the phone pays for this customer only. `surplus`: more than was open. `credit`: credit of the customer. `person`: a person chose it. One of invoice_number, link_number, customer_number, same_amount, only_customer, surplus, credit, person; new values may be added."""
    note: str
    """Note of this person."""
    author: int | None
    """The person; null for the service."""
    created: datetime
    amount_paid: Decimal
    """Amount received and not reversed by the network."""
    amount_reversed: Decimal
    """Amount reversed by the network."""
    amount_refunded: Decimal
    """Amount refunded or being refunded."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceAllocation:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            collection=get("collection"),
            reason=get("reason"),
            note=get("note"),
            author=get("author"),
            created=read_time(get("created")),
            amount_paid=read_money(get("amount_paid")),
            amount_reversed=read_money(get("amount_reversed")),
            amount_refunded=read_money(get("amount_refunded")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceBatch:
    """Invoices that were made together, from a file or for a tag."""

    id: int
    source: str
    """`file`: from a file. `tag`: for all customers with a tag. One of file, tag; new values may be added."""
    name: str
    """The name of the file, or the tag."""
    duplicates: str
    """Treatment of customers with an invoice with the same text and amount, unless it is paid and due. One of skip, create; new values may be added."""
    issue: bool
    """Whether its invoices were issued at once; otherwise they are drafts."""
    rows: int
    """Rows of the file, or customers with the tag."""
    refused: int
    """Rows of the file that were refused."""
    skipped: int
    """Invoices skipped, because the customer already has the same."""
    made: int
    """Invoices created."""
    created: datetime
    author: int
    """The user who made it."""
    author_name: str
    """The name of this user."""
    finished: datetime | None
    """When its last invoice was created. Null while it runs, and after an interruption: the same call continues it."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceBatch:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            source=get("source"),
            name=get("name"),
            duplicates=get("duplicates"),
            issue=get("issue"),
            rows=get("rows"),
            refused=get("refused"),
            skipped=get("skipped"),
            made=get("made"),
            created=read_time(get("created")),
            author=get("author"),
            author_name=get("author_name"),
            finished=read_time(get("finished")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceBatchDuplicate:
    """A customer who has the same invoice already."""

    contact: int
    """The customer."""
    customer_number: str | None
    """The number of the customer."""
    name: str
    """The name of the customer."""
    invoice: int
    """The invoice with the same text and amount."""
    number: str | None
    """Its number; null for a draft."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceBatchDuplicate:
        get: Callable[[str], Any] = data.get
        return cls(
            contact=get("contact"),
            customer_number=get("customer_number"),
            name=get("name"),
            invoice=get("invoice"),
            number=get("number"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceBatchPreview:
    """A preview of a batch of invoices."""

    tag: str
    """The tag."""
    due_date: str
    """The last day to pay."""
    customers: int
    """How many customers have the tag."""
    without_phone: int
    """How many of them cannot be reminded, because neither they nor a payer has a phone."""
    all: list[InvoiceBatchSum]
    """Sums if every customer gets an invoice."""
    without_duplicates: list[InvoiceBatchSum]
    """Sums if customers with the same invoice are skipped."""
    duplicates: list[InvoiceBatchDuplicate]
    """Customers who already have the same invoice."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceBatchPreview:
        get: Callable[[str], Any] = data.get
        return cls(
            tag=get("tag"),
            due_date=get("due_date"),
            customers=get("customers"),
            without_phone=get("without_phone"),
            all=read_list(get("all"), InvoiceBatchSum.from_json),
            without_duplicates=read_list(get("without_duplicates"), InvoiceBatchSum.from_json),
            duplicates=read_list(get("duplicates"), InvoiceBatchDuplicate.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceBatchSum:
    """The number of invoices and their sum."""

    currency: str
    """Three-letter code."""
    invoices: int
    """How many."""
    total: Decimal
    """Their totals together."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceBatchSum:
        get: Callable[[str], Any] = data.get
        return cls(
            currency=get("currency"),
            invoices=get("invoices"),
            total=read_money(get("total")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceCustomerSum:
    """The open and paid amounts of a customer."""

    contact: int
    """The customer."""
    customer_number: str | None
    """The number of the customer."""
    name: str
    """The name of the customer."""
    phonenumber: str
    """Phone number of the customer or its first payer; empty for none."""
    currency: str | None
    """Three-letter code; null without invoices."""
    invoiced: Decimal
    """Total of issued invoices, without void ones."""
    paid: Decimal
    """Amount received for them."""
    open: Decimal
    """Open amount."""
    invoices: int
    """Issued invoices, without void ones."""
    state: str
    """`none`: no issued invoice. `part`: something is paid, and not all. One of none, unpaid, part, paid; new values may be added."""
    overdue: bool
    """Whether one of them is overdue."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceCustomerSum:
        get: Callable[[str], Any] = data.get
        return cls(
            contact=get("contact"),
            customer_number=get("customer_number"),
            name=get("name"),
            phonenumber=get("phonenumber"),
            currency=get("currency"),
            invoiced=read_money(get("invoiced")),
            paid=read_money(get("paid")),
            open=read_money(get("open")),
            invoices=get("invoices"),
            state=get("state"),
            overdue=get("overdue"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceLeftOut:
    """An invoice with which nothing was done, and the reason."""

    invoice: int
    """The invoice."""
    number: str | None
    """Its number; null for a draft."""
    message: str
    """Why it was skipped."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceLeftOut:
        get: Callable[[str], Any] = data.get
        return cls(
            invoice=get("invoice"),
            number=get("number"),
            message=get("message"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceLine:
    """A line of an invoice."""

    text: str
    """What is sold."""
    quantity: Decimal
    """How much of it."""
    unit_price: Decimal
    """The price of one, without tax; negative for a discount."""
    tax_rate: Decimal | None
    """In percent; null for none."""
    amount: Decimal
    """Quantity times price, without tax."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceLine:
        get: Callable[[str], Any] = data.get
        return cls(
            text=get("text"),
            quantity=read_money(get("quantity")),
            unit_price=read_money(get("unit_price")),
            tax_rate=read_money(get("tax_rate")),
            amount=read_money(get("amount")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceReminder:
    """A reminder of an invoice."""

    day: str
    """The day in the time zone of the organization."""
    sms_message: int | None
    """The SMS; null for none."""
    collection_request: int | None
    """The request for the open amount; null for none."""
    problem: str | None
    """Why no SMS or no request was created; null for no problem."""
    created: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceReminder:
        get: Callable[[str], Any] = data.get
        return cls(
            day=get("day"),
            sms_message=get("sms_message"),
            collection_request=get("collection_request"),
            problem=get("problem"),
            created=read_time(get("created")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceRequest:
    """A collection request of an invoice, and what became of it."""

    id: int
    source: str
    """`page`: the customer paid on the page. `reminder`: a reminder. `manual`: you asked for it. One of page, reminder, manual; new values may be added."""
    status: str
    """The status of the collection request."""
    phonenumber: str
    """The phone number that is asked."""
    amount: Decimal
    """Amount requested."""
    collection: int | None
    """The payment; null until it arrives."""
    amount_paid: Decimal
    """Amount received and not reversed by the network."""
    amount_reversed: Decimal
    """Amount reversed by the network."""
    amount_refunded: Decimal
    """Amount refunded or being refunded."""
    paid: datetime | None
    """When the money arrived; null until it does."""
    created: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceRequest:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            source=get("source"),
            status=get("status"),
            phonenumber=get("phonenumber"),
            amount=read_money(get("amount")),
            collection=get("collection"),
            amount_paid=read_money(get("amount_paid")),
            amount_reversed=read_money(get("amount_reversed")),
            amount_refunded=read_money(get("amount_refunded")),
            paid=read_time(get("paid")),
            created=read_time(get("created")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceSend:
    """To whom an invoice was sent, and what became of it."""

    channel: str
    """How it was sent. One of sms, email; new values may be added."""
    recipient: str
    """The phone number or e-mail address."""
    state: str
    """`delivered`: the phone has it. For e-mail, `sent`: the mail server has taken it. One of waiting, sent, delivered, failed, unknown; new values may be added."""
    created: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceSend:
        get: Callable[[str], Any] = data.get
        return cls(
            channel=get("channel"),
            recipient=get("recipient"),
            state=get("state"),
            created=read_time(get("created")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceTagSum:
    """The invoiced, paid and open sums of a tag."""

    tag: str | None
    """The tag, such as a class; null for customers without one."""
    currency: str | None
    """Three-letter code; null without invoices."""
    invoiced: Decimal
    """Total of issued invoices, without void ones."""
    paid: Decimal
    """Amount received for them."""
    open: Decimal
    """Open amount."""
    invoices: int
    """Issued invoices, without void ones."""
    drafts: int
    """Drafts; no other figure includes them."""
    unpaid_invoices: int
    """Issued invoices without a payment."""
    part_invoices: int
    """Partly paid invoices."""
    paid_invoices: int
    """Fully paid invoices."""
    overdue_invoices: int
    """Unpaid invoices past their due date."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceTagSum:
        get: Callable[[str], Any] = data.get
        return cls(
            tag=get("tag"),
            currency=get("currency"),
            invoiced=read_money(get("invoiced")),
            paid=read_money(get("paid")),
            open=read_money(get("open")),
            invoices=get("invoices"),
            drafts=get("drafts"),
            unpaid_invoices=get("unpaid_invoices"),
            part_invoices=get("part_invoices"),
            paid_invoices=get("paid_invoices"),
            overdue_invoices=get("overdue_invoices"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceTax:
    """The tax of one rate of an invoice."""

    rate: Decimal
    """In percent."""
    net: Decimal
    """The sum of the lines with this rate."""
    amount: Decimal
    """The tax."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceTax:
        get: Callable[[str], Any] = data.get
        return cls(
            rate=read_money(get("rate")),
            net=read_money(get("net")),
            amount=read_money(get("amount")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoiceWaitingMoney:
    """Unmatched money that may be for an invoice."""

    collection: int
    """The payment."""
    phonenumber: str
    """The phone number that paid."""
    reference: str | None
    """What the payer typed."""
    amount: Decimal
    """Unmatched part of the amount."""
    paid: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoiceWaitingMoney:
        get: Callable[[str], Any] = data.get
        return cls(
            collection=get("collection"),
            phonenumber=get("phonenumber"),
            reference=get("reference"),
            amount=read_money(get("amount")),
            paid=read_time(get("paid")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class InvoicesDone:
    """The results for many invoices."""

    done: int
    """Number of invoices processed."""
    left_out: list[InvoiceLeftOut]
    """Skipped invoices, each with the reason."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> InvoicesDone:
        get: Callable[[str], Any] = data.get
        return cls(
            done=get("done"),
            left_out=read_list(get("left_out"), InvoiceLeftOut.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Key:
    """"""

    organization: int
    """Your organization."""
    mode: str
    """Sandbox or live. One of sandbox, live; new values may be added."""
    permissions: list[str]
    """Permissions of the key."""
    read_only: bool
    """True if the key can only read."""
    expires: datetime | None
    """Null if it never expires."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Key:
        get: Callable[[str], Any] = data.get
        return cls(
            organization=get("organization"),
            mode=get("mode"),
            permissions=get("permissions"),
            read_only=get("read_only"),
            expires=read_time(get("expires")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class MatchSuggestion:
    """A suggestion for unmatched money."""

    reason: str
    """`named`: the payer typed its number, and others, or the money does not fit. `near_number`: the number differs by one digit. `same_phone`: the phone pays for this customer. `same_name`: payer and customer have one name. `same_amount`: an open invoice has this amount. `adds_up`: the open amounts make this sum. `near_amount`: an open request of the phone asks for another amount. One of named, near_number, same_phone, same_name, same_amount, adds_up, near_amount; new values may be added."""
    parts: list[SuggestedPart]
    """Suggested allocations; several parts split the money."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MatchSuggestion:
        get: Callable[[str], Any] = data.get
        return cls(
            reason=get("reason"),
            parts=read_list(get("parts"), SuggestedPart.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class MatchingSettings:
    """The rules about unrequested money."""

    overpayment: str
    """Rule for overpayments: `keep` leaves the surplus unmatched, `credit` makes it credit for the next invoice, `return` sends it back. One of keep, credit, return; new values may be added."""
    unknown_number: str
    """Answer to a network that validates payments in advance, when the payer typed an unknown number. One of accept, reject; new values may be added."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MatchingSettings:
        get: Callable[[str], Any] = data.get
        return cls(
            overpayment=get("overpayment"),
            unknown_number=get("unknown_number"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class NearMoney:
    """Unmatched money that may be for a request."""

    collection: int
    """The payment."""
    phonenumber: str
    """The phone number that paid."""
    reference: str | None
    """What the payer typed."""
    currency: str
    """Three-letter code."""
    amount: Decimal
    """Unmatched part of the amount."""
    paid: datetime
    difference: Decimal
    """How much more it is than the request asks for; negative: less."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NearMoney:
        get: Callable[[str], Any] = data.get
        return cls(
            collection=get("collection"),
            phonenumber=get("phonenumber"),
            reference=get("reference"),
            currency=get("currency"),
            amount=read_money(get("amount")),
            paid=read_time(get("paid")),
            difference=read_money(get("difference")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Network:
    """A mobile-money network."""

    id: int
    code: str
    """Value for the filter `network` of the lists."""
    name: str
    """Name of the network."""
    country: Country
    phone_regex: str
    """Pattern of its phone numbers, in E.164."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Network:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            code=get("code"),
            name=get("name"),
            country=read_record(get("country"), Country.from_json),
            phone_regex=get("phone_regex"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Payment:
    """Money or airtime that is sent to phones."""

    id: int
    organization: int
    """Your organization."""
    payment_type: str
    """What is sent. One of money, airtime; new values may be added."""
    amount: Decimal
    """The sum of what all recipients get."""
    currency: str
    """Three-letter code."""
    account: int
    """The wallet that pays."""
    description: str
    """Purpose of the payment."""
    phone_nos: list[PaymentRecipient]
    """The recipients."""
    start_date: datetime
    """When the payment is sent. Default: when it was made."""
    metadata: dict[str, Any]
    """Your own attributes, as you sent them."""
    state: str
    """State of the payment. New values may be added. One of new, validated, approval_needed, approval_requested, approved, rejected, scheduled, processed, processed_with_errors, cancelled."""
    last_error: str | None
    """The last error."""
    approvals_required: int
    """Number of approvals needed, besides the initiator; 0: none."""
    approvals: int
    """How many users have approved it."""
    approved_by: int | None
    """The user who gave the last approval that it needed."""
    approved_time: datetime | None
    """When it got its last approval."""
    rejected_reason: str | None
    """Why it was rejected."""
    rejected_by: int | None
    """The user who did it."""
    rejected_time: datetime | None
    """When it happened."""
    cancelled_reason: str | None
    """Why it was cancelled."""
    cancelled_by: int | None
    """The user who did it."""
    cancelled_time: datetime | None
    """When it happened."""
    created: datetime
    author: int
    """The user who initiated it."""
    modified: datetime
    updated_by: str | None
    """Who changed it last."""
    remote_transaction_id: str | None
    """The id that the network operator gave the transaction, if there is one recipient."""
    send_sms_message: bool
    """Whether each recipient gets an SMS when the money has arrived. The network may send one of its own."""
    charged_fee: Decimal
    """The fees that the service has charged for it."""
    transactions: list[Transaction]
    """The transactions of the wallet for this payment, oldest first."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Payment:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            payment_type=get("payment_type"),
            amount=read_money(get("amount")),
            currency=get("currency"),
            account=get("account"),
            description=get("description"),
            phone_nos=read_list(get("phone_nos"), PaymentRecipient.from_json),
            start_date=read_time(get("start_date")),
            metadata=read_plain(get("metadata")),
            state=get("state"),
            last_error=get("last_error"),
            approvals_required=get("approvals_required"),
            approvals=get("approvals"),
            approved_by=get("approved_by"),
            approved_time=read_time(get("approved_time")),
            rejected_reason=get("rejected_reason"),
            rejected_by=get("rejected_by"),
            rejected_time=read_time(get("rejected_time")),
            cancelled_reason=get("cancelled_reason"),
            cancelled_by=get("cancelled_by"),
            cancelled_time=read_time(get("cancelled_time")),
            created=read_time(get("created")),
            author=get("author"),
            modified=read_time(get("modified")),
            updated_by=get("updated_by"),
            remote_transaction_id=get("remote_transaction_id"),
            send_sms_message=get("send_sms_message"),
            charged_fee=read_money(get("charged_fee")),
            transactions=read_list(get("transactions"), Transaction.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentEventData:
    """A payment in events and notifications, where it has another form than in the API."""

    id: int
    organization: int
    """Your organization."""
    payment_type: str
    """What is sent. One of money, airtime; new values may be added."""
    amount: Decimal
    """The sum of what all recipients get."""
    currency: str
    """Three-letter code."""
    description: str
    """Purpose of the payment."""
    phone_nos: list[str]
    """The numbers of the recipients."""
    start_date: datetime
    """When the payment is sent. Default: when it was made."""
    metadata: dict[str, Any]
    """Your own attributes, as you sent them."""
    state: str
    """As in the API, but `completed` for `processed`."""
    last_error: str | None
    """The last error."""
    rejected_reason: str | None
    """Why it was rejected."""
    rejected_by: int | None
    """The user who did it."""
    rejected_time: datetime | None
    """When it happened."""
    cancelled_reason: str | None
    """Why it was cancelled."""
    cancelled_by: int | None
    """The user who did it."""
    cancelled_time: datetime | None
    """When it happened."""
    created: datetime
    author: int
    """The user who initiated it."""
    modified: datetime
    updated_by: str | None
    """Who changed it last."""
    send_sms_message: bool
    """Whether each recipient gets an SMS when the money has arrived. The network may send one of its own."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PaymentEventData:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            payment_type=get("payment_type"),
            amount=read_money(get("amount")),
            currency=get("currency"),
            description=get("description"),
            phone_nos=get("phone_nos"),
            start_date=read_time(get("start_date")),
            metadata=read_plain(get("metadata")),
            state=get("state"),
            last_error=get("last_error"),
            rejected_reason=get("rejected_reason"),
            rejected_by=get("rejected_by"),
            rejected_time=read_time(get("rejected_time")),
            cancelled_reason=get("cancelled_reason"),
            cancelled_by=get("cancelled_by"),
            cancelled_time=read_time(get("cancelled_time")),
            created=read_time(get("created")),
            author=get("author"),
            modified=read_time(get("modified")),
            updated_by=get("updated_by"),
            send_sms_message=get("send_sms_message"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentLink:
    """A page on which customers pay."""

    id: int
    organization: int
    """Your organization."""
    url: str
    """The page for customers."""
    number: str | None
    """Number that payers to the till type; null for the link of an invoice or a request."""
    state: str
    """Only an active link takes payments. One of active, paid, closed, expired; new values may be added."""
    title: str
    """What is paid; the reason of the requests."""
    description: str
    """Text below the title."""
    currency: str
    """Three-letter code."""
    account: int | None
    """The wallet that receives the money; null for the local one."""
    country: str
    """Country whose phone numbers need no country code (ISO 3166-1)."""
    amount: Decimal | None
    """The amount, if it is fixed."""
    min_amount: Decimal | None
    """The smallest amount, if the customer chooses."""
    max_amount: Decimal | None
    """The largest amount, if the customer chooses."""
    amounts: list[Decimal] | None
    """The amounts to choose from."""
    single_use: bool
    """Whether it can be paid only once."""
    expiry_date: datetime | None
    """When it stops taking payments."""
    fields: list[PaymentLinkField]
    """Further fields for the customer."""
    success_message: str
    """Text on the receipt and of the SMS."""
    return_url: str | None
    """URL that the customer returns to."""
    frame_ancestors: list[str]
    """Origins whose pages may show the page in a frame."""
    created: datetime
    author: int
    """The user who made the link, and the author of its requests."""
    modified: datetime
    updated_by: str | None
    """The user who changed it last."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PaymentLink:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            url=get("url"),
            number=get("number"),
            state=get("state"),
            title=get("title"),
            description=get("description"),
            currency=get("currency"),
            account=get("account"),
            country=get("country"),
            amount=read_money(get("amount")),
            min_amount=read_money(get("min_amount")),
            max_amount=read_money(get("max_amount")),
            amounts=None if get("amounts") is None else read_list(get("amounts"), read_money),
            single_use=get("single_use"),
            expiry_date=read_time(get("expiry_date")),
            fields=read_list(get("fields"), PaymentLinkField.from_json),
            success_message=get("success_message"),
            return_url=get("return_url"),
            frame_ancestors=get("frame_ancestors"),
            created=read_time(get("created")),
            author=get("author"),
            modified=read_time(get("modified")),
            updated_by=get("updated_by"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentLinkField:
    """A further question to a customer."""

    name: str
    """The key in the metadata of the request."""
    label: str
    """What the customer reads."""
    type: str
    """Text, a number, or one of `choices`. One of text, number, choice; new values may be added."""
    required: bool
    """Whether the customer must answer."""
    choices: list[str]
    """What can be chosen; empty for the other types."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PaymentLinkField:
        get: Callable[[str], Any] = data.get
        return cls(
            name=get("name"),
            label=get("label"),
            type=get("type"),
            required=get("required"),
            choices=get("choices"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PaymentRecipient:
    """A recipient of a payment."""

    phonenumber: str
    """Phone number of the recipient, in E.164."""
    amount: Decimal
    """What this recipient gets."""
    reversed_amount: Decimal
    """Amount that the network returned to the wallet. If it is the full amount, the state is `error`."""
    state: str
    """State of this recipient. New values may be added. One of new, queued, processing, pending_confirmation, complete, error, paused, parked, aborted."""
    last_error: str | None
    """The last error."""
    contact: int
    """The contact with this number."""
    batch_id: int | None
    """Id of the payment, if it has several recipients."""
    description: str
    """Purpose of the payment."""
    payment_id: int
    """Id of the payment."""
    remote_transaction_id: str | None
    """The id that the network operator gave the transaction."""
    metadata: dict[str, Any]
    """Your own attributes of this recipient."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PaymentRecipient:
        get: Callable[[str], Any] = data.get
        return cls(
            phonenumber=get("phonenumber"),
            amount=read_money(get("amount")),
            reversed_amount=read_money(get("reversed_amount")),
            state=get("state"),
            last_error=get("last_error"),
            contact=get("contact"),
            batch_id=get("batch_id"),
            description=get("description"),
            payment_id=get("payment_id"),
            remote_transaction_id=get("remote_transaction_id"),
            metadata=read_plain(get("metadata")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PendingMatch:
    """"""

    id: int
    """The change, as managers find it in the console."""
    description: str
    """The change in words."""
    author: int | None
    """The user who asks for it."""
    author_name: str | None
    """The name of this user."""
    created: datetime
    expires: datetime
    """When it expires, unless a manager confirms it."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PendingMatch:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            description=get("description"),
            author=get("author"),
            author_name=get("author_name"),
            created=read_time(get("created")),
            expires=read_time(get("expires")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PhoneMoney:
    """Unallocated money of a phone."""

    collection: int
    """The payment."""
    phonenumber: str
    """The phone number that paid."""
    reference: str | None
    """What the payer typed."""
    currency: str
    """Three-letter code."""
    amount: Decimal
    """Unmatched part of the amount."""
    paid: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PhoneMoney:
        get: Callable[[str], Any] = data.get
        return cls(
            collection=get("collection"),
            phonenumber=get("phonenumber"),
            reference=get("reference"),
            currency=get("currency"),
            amount=read_money(get("amount")),
            paid=read_time(get("paid")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PinBundle:
    """Pins of one value."""

    amount: Decimal
    """Value and price of one pin."""
    available: int
    """Maximum number that can be bought."""
    description: str
    """Display name."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PinBundle:
        get: Callable[[str], Any] = data.get
        return cls(
            amount=read_money(get("amount")),
            available=get("available"),
            description=get("description"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A recurring collection request."""

    id: int
    organization: int
    """Your organization."""
    state: str
    """`active`, `paused`, `ended` when no date is left, or `stopped` when a user ended it. One of active, paused, ended, stopped; new values may be added."""
    collection_request: int
    """The first request, which the later ones copy."""
    contact: int
    """The contact of the customer."""
    phonenumber: str
    """The phone number of the customer, in E.164."""
    customer_name: str
    """First and last name of the contact."""
    amount: Decimal
    """The amount of each request."""
    currency: str
    """Three-letter code."""
    reason: str
    """The reason; empty when none was given."""
    frequencies: list[str]
    """How often it recurs."""
    weekdays: list[int]
    """The weekdays, 0 is Monday; empty: no choice of weekdays."""
    months: list[int]
    """The months, 1 is January; empty: every month."""
    start_date: datetime
    """When it starts."""
    end_date: datetime
    """The latest possible date."""
    paused: datetime | None
    """When it was paused; null if it is not paused."""
    stopped: datetime | None
    """When it was stopped; null if it was not."""
    next_date: datetime | None
    """The next date; null when there is none."""
    next_dates: list[datetime]
    """At most 5 of the next dates."""
    occurrence_count: int
    """How many requests there are, including the first."""
    collected_count: int
    """How many of its requests were paid."""
    collected_amount: Decimal
    """What they collected; reversed payments are not counted."""
    failed_count: int
    """How many of its requests failed or expired."""
    open_count: int
    """How many of its requests are open."""
    reversed_count: int
    """How many of its requests were paid and then reversed."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            state=get("state"),
            collection_request=get("collection_request"),
            contact=get("contact"),
            phonenumber=get("phonenumber"),
            customer_name=get("customer_name"),
            amount=read_money(get("amount")),
            currency=get("currency"),
            reason=get("reason"),
            frequencies=get("frequencies"),
            weekdays=get("weekdays"),
            months=get("months"),
            start_date=read_time(get("start_date")),
            end_date=read_time(get("end_date")),
            paused=read_time(get("paused")),
            stopped=read_time(get("stopped")),
            next_date=read_time(get("next_date")),
            next_dates=read_list(get("next_dates"), read_time),
            occurrence_count=get("occurrence_count"),
            collected_count=get("collected_count"),
            collected_amount=read_money(get("collected_amount")),
            failed_count=get("failed_count"),
            open_count=get("open_count"),
            reversed_count=get("reversed_count"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PricingOption:
    """The price of some months."""

    monthsPaidFor: int
    """Number of months."""
    price: Decimal
    """Price of all these months together."""
    invoicePeriod: int
    """Number of months of an invoice of the biller."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PricingOption:
        get: Callable[[str], Any] = data.get
        return cls(
            monthsPaidFor=get("monthsPaidFor"),
            price=read_money(get("price")),
            invoicePeriod=get("invoicePeriod"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PurchaseEventData:
    """The result of a purchase, with the purchased service."""

    statusCode: str | None
    """`0` on success."""
    transactionStatus: str
    """`success`, `pending` or `failed`."""
    transactionReference: int
    """Id of the purchase."""
    transactionMessage: str | None
    """Result as a text for people."""
    tokenCode: str | None
    """Prepaid electricity: the token, 20 digits."""
    amountOfPower: str | None
    """Prepaid electricity: the quantity in kWh."""
    tokenAmount: Decimal | None
    """Prepaid electricity: the amount paid."""
    id: int
    organization: int
    agentReference: str
    kind: str
    service_type: str
    account_number: str | None
    phone: str | None
    amount: Decimal
    currency: str
    metadata: dict[str, Any]
    status: str
    """`success`, `pending` or `failed`."""
    error_code: str | None
    created: datetime
    modified: datetime
    author: int
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PurchaseEventData:
        get: Callable[[str], Any] = data.get
        return cls(
            statusCode=get("statusCode"),
            transactionStatus=get("transactionStatus"),
            transactionReference=get("transactionReference"),
            transactionMessage=get("transactionMessage"),
            tokenCode=get("tokenCode"),
            amountOfPower=get("amountOfPower"),
            tokenAmount=read_money(get("tokenAmount")),
            id=get("id"),
            organization=get("organization"),
            agentReference=get("agentReference"),
            kind=get("kind"),
            service_type=get("service_type"),
            account_number=get("account_number"),
            phone=get("phone"),
            amount=read_money(get("amount")),
            currency=get("currency"),
            metadata=read_plain(get("metadata")),
            status=get("status"),
            error_code=get("error_code"),
            created=read_time(get("created")),
            modified=read_time(get("modified")),
            author=get("author"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class PurchaseResult:
    """The result of a purchase."""

    statusCode: str | None
    """`0` on success."""
    transactionStatus: str
    """`success`, `pending` or `failed`."""
    transactionReference: int
    """Id of the purchase."""
    transactionMessage: str | None
    """Result as a text for people."""
    tokenCode: str | None
    """Prepaid electricity: the token, 20 digits."""
    amountOfPower: str | None
    """Prepaid electricity: the quantity in kWh."""
    tokenAmount: Decimal | None
    """Prepaid electricity: the amount paid."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PurchaseResult:
        get: Callable[[str], Any] = data.get
        return cls(
            statusCode=get("statusCode"),
            transactionStatus=get("transactionStatus"),
            transactionReference=get("transactionReference"),
            transactionMessage=get("transactionMessage"),
            tokenCode=get("tokenCode"),
            amountOfPower=get("amountOfPower"),
            tokenAmount=read_money(get("tokenAmount")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """The receipt of a payment that arrived."""

    id: int
    organization: int
    """Your organization."""
    number: str
    """Without gaps for each organization."""
    url: str
    """The page for the customer."""
    pdf_url: str
    """The page as a PDF."""
    state: str
    """`paid`; `partly_returned` or `returned`: a part or all of the money was reversed or refunded. One of paid, partly_returned, returned; new values may be added."""
    issuer: str
    """Your name when the receipt was made."""
    collection: int
    """The payment."""
    collection_request: int | None
    """The request that the payment fulfilled, or null."""
    amount: Decimal
    """What was paid."""
    reversed_amount: Decimal
    """Amount reversed by the network."""
    refunded_amount: Decimal
    """Amount refunded or being refunded."""
    currency: str
    """Three-letter code."""
    phonenumber: str
    """The phone number that paid."""
    reason: str
    """What was paid."""
    invoice: str | None
    """The number of the invoice that was paid, or null."""
    remote_transaction_id: str
    """The network operator's own id of the payment."""
    payment_date: datetime
    sends: list[ReceiptSend]
    """To whom it was sent, newest first."""
    created: datetime
    modified: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Receipt:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            number=get("number"),
            url=get("url"),
            pdf_url=get("pdf_url"),
            state=get("state"),
            issuer=get("issuer"),
            collection=get("collection"),
            collection_request=get("collection_request"),
            amount=read_money(get("amount")),
            reversed_amount=read_money(get("reversed_amount")),
            refunded_amount=read_money(get("refunded_amount")),
            currency=get("currency"),
            phonenumber=get("phonenumber"),
            reason=get("reason"),
            invoice=get("invoice"),
            remote_transaction_id=get("remote_transaction_id"),
            payment_date=read_time(get("payment_date")),
            sends=read_list(get("sends"), ReceiptSend.from_json),
            created=read_time(get("created")),
            modified=read_time(get("modified")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class ReceiptSend:
    """To whom a receipt was sent, and what became of it."""

    channel: str
    """How it was sent. One of sms, email; new values may be added."""
    recipient: str
    """The phone number or e-mail address."""
    state: str
    """`delivered`: the phone has it. For e-mail, `sent`: the mail server has taken it. One of waiting, sent, delivered, failed, unknown; new values may be added."""
    created: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReceiptSend:
        get: Callable[[str], Any] = data.get
        return cls(
            channel=get("channel"),
            recipient=get("recipient"),
            state=get("state"),
            created=read_time(get("created")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class RequestAction:
    """An action of a person on a collection request."""

    id: int
    kind: str
    """`reminder`: the customer was asked again. `retry`: a new request asks for the same money. `payment_link`: a link was sent. `refund`: the money was sent back. New values may be added. One of reminder, retry, payment_link, refund."""
    collection_request: int | None
    """The request that it was done about; null for an unsolicited payment."""
    created: datetime
    author: int
    """The user who did it."""
    author_name: str
    """The name of that user."""
    reason: str | None
    """Why the money was refunded. One of customer_request, duplicate, wrong_amount, not_delivered, fraud, other; new values may be added."""
    comment: str
    """Comment of the user."""
    sms: int | None
    """The SMS that was sent."""
    prompt: bool
    """Whether the next prompt was brought forward."""
    new_request: int | None
    """The request that asks for the same money again."""
    payment_link: int | None
    """The payment link that was sent."""
    payment: int | None
    """The payment that refunds the money."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RequestAction:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            kind=get("kind"),
            collection_request=get("collection_request"),
            created=read_time(get("created")),
            author=get("author"),
            author_name=get("author_name"),
            reason=get("reason"),
            comment=get("comment"),
            sms=get("sms"),
            prompt=get("prompt"),
            new_request=get("new_request"),
            payment_link=get("payment_link"),
            payment=get("payment"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class RequestBatch:
    """Collection requests that were made together, from a file or for a tag."""

    id: int
    source: str
    """`file`: from a file. `tag`: for all customers with a tag. One of file, tag; new values may be added."""
    name: str
    """The name of the file, or the tag."""
    duplicates: str
    """Treatment of customers with an open or recent request for the same amount and reason. One of skip, create; new values may be added."""
    rows: int
    """Rows of the file, or customers with the tag."""
    refused: int
    """Rows of the file that were refused."""
    skipped: int
    """Requests skipped, because the customer already has the same."""
    made: int
    """Requests created."""
    created: datetime
    author: int
    """The user who made it."""
    author_name: str
    """The name of this user."""
    finished: datetime | None
    """When its last request was created. Null while it runs, and after an interruption: the same call continues it."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RequestBatch:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            source=get("source"),
            name=get("name"),
            duplicates=get("duplicates"),
            rows=get("rows"),
            refused=get("refused"),
            skipped=get("skipped"),
            made=get("made"),
            created=read_time(get("created")),
            author=get("author"),
            author_name=get("author_name"),
            finished=read_time(get("finished")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class RequestBatchPreview:
    """The requests that a batch would make."""

    rows: list[RequestBatchRow]
    """Each row of the file, or each customer with the tag."""
    all: list[RequestBatchSum]
    """Sums of all requests that can be made."""
    without_duplicates: list[RequestBatchSum]
    """Sums without duplicates in the file and requests made earlier."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RequestBatchPreview:
        get: Callable[[str], Any] = data.get
        return cls(
            rows=read_list(get("rows"), RequestBatchRow.from_json),
            all=read_list(get("all"), RequestBatchSum.from_json),
            without_duplicates=read_list(get("without_duplicates"), RequestBatchSum.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class RequestBatchProblem:
    """Why no request can be made for a customer."""

    column: str
    """The column with the problem. One of customer_number, phone_number, amount, currency, reason, first_name, last_name, expiry, send_instructions, name; new values may be added."""
    message: str
    """The reason."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RequestBatchProblem:
        get: Callable[[str], Any] = data.get
        return cls(
            column=get("column"),
            message=get("message"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class RequestBatchRow:
    """The request to one customer, checked."""

    number: int
    """Number of the row in the file, where the first line is 1; or the id of the customer."""
    customer_number: str
    """The number of the customer; empty if the row has none."""
    phone_number: str
    """Phone number in E.164, or the text of the file if it is not a phone number."""
    name: str
    """The name of the customer."""
    reason: str
    """What the money is for."""
    amount: Decimal | None
    """Null if the row has no readable amount."""
    currency: str
    """ISO 4217."""
    network: str | None
    """The network that prompts the customer; null for a refused row."""
    expiry_date: str | None
    """ISO 8601; null for the default of 24 hours."""
    state: str
    """`refused`: no request can be made; see `problems`. One of ready, refused; new values may be added."""
    problems: list[RequestBatchProblem]
    """Why the row is refused, with the column."""
    warnings: list[Any]
    """`twice`: another row has the same phone, amount and reason. `asked_already`: an open or recent request has them."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RequestBatchRow:
        get: Callable[[str], Any] = data.get
        return cls(
            number=get("number"),
            customer_number=get("customer_number"),
            phone_number=get("phone_number"),
            name=get("name"),
            reason=get("reason"),
            amount=read_money(get("amount")),
            currency=get("currency"),
            network=get("network"),
            expiry_date=get("expiry_date"),
            state=get("state"),
            problems=read_list(get("problems"), RequestBatchProblem.from_json),
            warnings=read_list(get("warnings"), read_plain),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class RequestBatchSum:
    """The number of requests and their sum, in a currency through a network."""

    currency: str
    """Three-letter code."""
    network: str
    """The network that prompts the customers."""
    requests: int
    """How many."""
    total: Decimal
    """Their amounts together."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RequestBatchSum:
        get: Callable[[str], Any] = data.get
        return cls(
            currency=get("currency"),
            network=get("network"),
            requests=get("requests"),
            total=read_money(get("total")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class RequestUnmatchedMoney:
    """Unmatched money of the phone of a request."""

    unmatched: list[NearMoney]
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RequestUnmatchedMoney:
        get: Callable[[str], Any] = data.get
        return cls(
            unmatched=read_list(get("unmatched"), NearMoney.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Sms:
    """A message to a customer, and whether it arrived."""

    id: int
    collection_request: int | None
    """The collection request that caused it, or null."""
    bill_purchase: int | None
    """The bill purchase that caused it, or null."""
    payment: int | None
    """The payment that it announces to the recipient, or null."""
    purpose: str
    """`instructions`: how to pay. `reminder`: the same again. `payment_link`: the address of a page to pay on. `success`: the money has arrived. `goods`: what was bought. `message`: a person wrote it. `reply`: the answer to a word such as STOP. One of instructions, reminder, payment_link, success, goods, message, reply; new values may be added."""
    phonenumber: str
    """E.164."""
    body: str
    """The whole text, as it is sent."""
    state: str
    """`waiting`, then `sent` (a provider has it), then `delivered` or `failed`. `unknown`: no provider said whether it has it. One of waiting, sent, delivered, failed, unknown; new values may be added."""
    reason: str | None
    """Reason for the failure, in one word, such as `unreachable`."""
    last_error: str | None
    """The last error, for people."""
    sender_id: str | None
    """Sender that the phone shows; null for the provider’s own."""
    parts: int | None
    """Number of SMS parts; null before it is sent."""
    encoding: str | None
    """Encoding: GSM fits twice as much text. One of gsm, ucs-2; new values may be added."""
    cost: Decimal | None
    """Cost, if the provider reported it."""
    currency: str | None
    """The currency of the cost."""
    created: datetime
    sent_at: datetime | None
    delivered_at: datetime | None
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Sms:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            collection_request=get("collection_request"),
            bill_purchase=get("bill_purchase"),
            payment=get("payment"),
            purpose=get("purpose"),
            phonenumber=get("phonenumber"),
            body=get("body"),
            state=get("state"),
            reason=get("reason"),
            last_error=get("last_error"),
            sender_id=get("sender_id"),
            parts=get("parts"),
            encoding=get("encoding"),
            cost=read_money(get("cost")),
            currency=get("currency"),
            created=read_time(get("created")),
            sent_at=read_time(get("sent_at")),
            delivered_at=read_time(get("delivered_at")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class StatementEntry:
    """An entry on the statement of a customer."""

    at: datetime
    kind: str
    """`invoice`, `void`: an invoice was issued or voided. `payment`: money arrived for an invoice or as credit. `moved`: money was reallocated, such as used credit. `reversal`: reversed by the network. `refund`: refunded. `adjustment`: refunded money is no longer due. One of invoice, void, payment, moved, reversal, refund, adjustment; new values may be added."""
    invoice: int | None
    """The invoice; null for credit."""
    invoice_number: str | None
    """Its number."""
    due_date: str | None
    """Its last day to pay."""
    collection: int | None
    """The payment of the customer."""
    remote_transaction_id: str | None
    """The network's own id of the payment."""
    phonenumber: str | None
    """The phone number that paid."""
    payment_date: datetime | None
    """When it was paid."""
    receipt: str | None
    """The number of its receipt, if it has one."""
    refund: int | None
    """The payment that refunded the money."""
    charged_amount: Decimal
    """Amount by which the customer owes more."""
    credited_amount: Decimal
    """Amount by which the customer owes less."""
    balance: Decimal
    """Balance after this entry; negative for credit."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StatementEntry:
        get: Callable[[str], Any] = data.get
        return cls(
            at=read_time(get("at")),
            kind=get("kind"),
            invoice=get("invoice"),
            invoice_number=get("invoice_number"),
            due_date=get("due_date"),
            collection=get("collection"),
            remote_transaction_id=get("remote_transaction_id"),
            phonenumber=get("phonenumber"),
            payment_date=read_time(get("payment_date")),
            receipt=get("receipt"),
            refund=get("refund"),
            charged_amount=read_money(get("charged_amount")),
            credited_amount=read_money(get("credited_amount")),
            balance=read_money(get("balance")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class SuggestedPart:
    """An object that money may be for."""

    invoice: int | None
    """The invoice."""
    contact: int | None
    """The customer: owner of the invoice, or whose credit it would be."""
    collection_request: int | None
    """The open request."""
    number: str
    """The number of the invoice, or of the customer; empty for a request."""
    name: str
    """The name of the customer."""
    customer_number: str | None
    """The number of the customer; null for none."""
    amount: Decimal
    """Amount that it would get."""
    asked: Decimal | None
    """What is asked for; null for a customer."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SuggestedPart:
        get: Callable[[str], Any] = data.get
        return cls(
            invoice=get("invoice"),
            contact=get("contact"),
            collection_request=get("collection_request"),
            number=get("number"),
            name=get("name"),
            customer_number=get("customer_number"),
            amount=read_money(get("amount")),
            asked=read_money(get("asked")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Transaction:
    """A change of a balance."""

    id: int
    account: int
    """The wallet."""
    amount: Decimal
    """Negative if money left the wallet."""
    currency: str
    """Three-letter code."""
    description: str
    """The reason for the transaction."""
    created: datetime
    type: str
    """Why the balance changed. One of mobile_collection, mobile_payment, airtime_topup, bill_payment, service_charge, admin_funds_update; new values may be added."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Transaction:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            account=get("account"),
            amount=read_money(get("amount")),
            currency=get("currency"),
            description=get("description"),
            created=read_time(get("created")),
            type=get("type"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class TransactionAccount:
    """The wallet."""

    id: int
    organization: int
    currency: str
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TransactionAccount:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            organization=get("organization"),
            currency=get("currency"),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class UnmatchedMoney:
    """Incoming money that is not allocated."""

    day: str
    """The day of the report, in the time zone of the organization."""
    zone: str
    """The time zone of the organization."""
    count: int
    """Total number of rows on all pages."""
    rows: list[UnmatchedRow]
    """One row per payment, oldest first."""
    totals: list[UnmatchedSum]
    """Totals of all rows, one per currency."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> UnmatchedMoney:
        get: Callable[[str], Any] = data.get
        return cls(
            day=get("day"),
            zone=get("zone"),
            count=get("count"),
            rows=read_list(get("rows"), UnmatchedRow.from_json),
            totals=read_list(get("totals"), UnmatchedSum.from_json),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class UnmatchedRow:
    """A payment with an unallocated rest."""

    collection: int
    """The payment."""
    payment_date: datetime
    days: int
    """Days since the payment; 0 for today."""
    phonenumber: str
    """The phone number that paid."""
    contact: int
    """The contact with this number."""
    payer_name: str
    """The name of the payer; empty if it is not known."""
    reference: str | None
    """The reference that the customer typed."""
    network: str
    """The code of the network."""
    remote_transaction_id: str
    """The network's own id of the payment."""
    status: str
    """`failed`: you rejected it, and it waits to be returned. One of successful, failed; new values may be added."""
    account: int
    """The wallet."""
    currency: str
    """Three-letter code."""
    amount: Decimal
    """What was received."""
    left_amount: Decimal
    """Unmatched part of the amount."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> UnmatchedRow:
        get: Callable[[str], Any] = data.get
        return cls(
            collection=get("collection"),
            payment_date=read_time(get("payment_date")),
            days=get("days"),
            phonenumber=get("phonenumber"),
            contact=get("contact"),
            payer_name=get("payer_name"),
            reference=get("reference"),
            network=get("network"),
            remote_transaction_id=get("remote_transaction_id"),
            status=get("status"),
            account=get("account"),
            currency=get("currency"),
            amount=read_money(get("amount")),
            left_amount=read_money(get("left_amount")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class UnmatchedSum:
    """The unallocated money in one currency."""

    currency: str
    """Three-letter code."""
    payments: int
    """Number of payments."""
    days_0_7_amount: Decimal
    """Unmatched amount from today and the last 7 days."""
    days_8_30_amount: Decimal
    """Unmatched amount, 8 to 30 days old."""
    days_31_90_amount: Decimal
    """Unmatched amount, 31 to 90 days old."""
    days_over_90_amount: Decimal
    """Unmatched amount, more than 90 days old."""
    left_amount: Decimal
    """Total unmatched amount."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> UnmatchedSum:
        get: Callable[[str], Any] = data.get
        return cls(
            currency=get("currency"),
            payments=get("payments"),
            days_0_7_amount=read_money(get("days_0_7_amount")),
            days_8_30_amount=read_money(get("days_8_30_amount")),
            days_31_90_amount=read_money(get("days_31_90_amount")),
            days_over_90_amount=read_money(get("days_over_90_amount")),
            left_amount=read_money(get("left_amount")),
            raw=read_plain(data),
        )


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """An address that gets a notification for each event of a type."""

    id: int
    user: int
    """The user who created it."""
    event: str
    """The event type that it receives."""
    created: datetime
    updated: datetime
    target: str
    """The URL that notifications are sent to."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole answer, with fields that this version of the client does not know."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Webhook:
        get: Callable[[str], Any] = data.get
        return cls(
            id=get("id"),
            user=get("user"),
            event=get("event"),
            created=read_time(get("created")),
            updated=read_time(get("updated")),
            target=get("target"),
            raw=read_plain(data),
        )


EventData = Union[CollectionRequest, Collection, Contact, CreditChange, PaymentEventData, PurchaseEventData, Invoice]
"""The object that an event is about."""

EVENT_DATA: Mapping[str, Any] = {
    "collectionrequest.status.changed": CollectionRequest,
    "collection.received": Collection,
    "collection.reversed": Collection,
    "contact.created": Contact,
    "contact.credit_changed": CreditChange,
    "payment.status.changed": PaymentEventData,
    "billpayment.status.changed": PurchaseEventData,
    "invoice.issued": Invoice,
    "invoice.paid": Invoice,
    "invoice.partly_paid": Invoice,
    "invoice.reopened": Invoice,
    "invoice.voided": Invoice,
}
"""The data of an event, by its type."""


def read_event_data(event_type: Any, data: Any) -> EventData | Mapping[str, Any]:
    """The data of an event as its model. An unknown type, which is new, gives the JSON object."""
    model = EVENT_DATA.get(event_type)
    read: EventData | Mapping[str, Any] = model.from_json(data) if model else read_plain(data)
    return read
