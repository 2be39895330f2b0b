# Made from openapi.json by `npm run clients`; do not edit.
"""The inputs of calls, as types for editors and type checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, TypedDict, Union

Amount = Union[str, int, Decimal]
"""An amount of money, never a float."""


class NewAllocationPart(TypedDict, total=False):
    """A part of money for an invoice, a customer or a payment link."""

    invoice: int
    """An issued invoice."""
    contact: int
    """A customer, who gets credit."""
    payment_link: int
    """A payment link."""
    amount: Amount
    """Default: what the invoice asks for, or all that is left."""


class _NewContactPayer(TypedDict):
    phone_number: str
    """With the country code."""


class NewContactPayer(_NewContactPayer, total=False):
    """Another payer for a customer."""

    name: str
    """Name of the payer."""


class _NewPaymentLinkField(TypedDict):
    name: str
    """The key in the metadata of the request."""
    label: str
    """The text that the customer reads."""


class NewPaymentLinkField(_NewPaymentLinkField, total=False):
    """A further question to a customer."""

    type: Literal["text", "number", "choice"]
    """Default `text`."""
    required: bool
    """True if the customer must answer."""
    choices: Sequence[str]
    """The possible answers."""


class _NewRecipient(TypedDict):
    phonenumber: str


class NewRecipient(_NewRecipient, total=False):
    """A recipient of a payment with many. Missing fields are taken from the payment."""

    amount: Amount
    description: str
    metadata: Mapping[str, Any]
    first_name: str
    last_name: str
    national_id: str
    national_id_type: Literal["national", "passport", "military"]


class _SubscriptionSettings(TypedDict):
    end_date: str
    """DD/MM/YYYY HH:MM:SS in UTC."""


class SubscriptionSettings(_SubscriptionSettings, total=False):
    """A recurrence."""

    start_date: str
    """DD/MM/YYYY HH:MM:SS in UTC. Default: now."""
    weekdays: str
    """A list with commas."""
    months: str
    """A list with commas."""
    frequency: str
    """Of yearly, monthly, weekly, daily, hourly, minutely: a list with commas."""


class _BuyAirtime(TypedDict):
    agentReference: str
    """Unique for all time."""
    amount: Amount
    """Amount in the currency of the service."""
    phone: str
    """Phone number: 11 digits in Nigeria, elsewhere with the country code."""
    service_type: str
    """Provider."""
    plan: str
    """One of the plans of the provider."""


class BuyAirtime(_BuyAirtime, total=False):
    """Buy airtime."""

    agentId: str
    """Id of the integrator."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""


class _BuyCableTv(TypedDict):
    agentReference: str
    """Unique for all time."""
    service_type: str
    """TV service."""
    smartcard_number: str
    """Smartcard or IUC number."""
    total_amount: Amount
    """For a renewal any amount; otherwise the price of bouquet and add-on."""
    product_code: str
    """Code of the new bouquet; `0` renews the current subscription."""
    product_monthsPaidFor: int
    """Number of months to pay."""


class BuyCableTv(_BuyCableTv, total=False):
    """Renew a TV subscription, or change its plan."""

    agentId: str
    """Id of the integrator."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""
    addon_code: str
    """Code of an add-on of the bouquet."""
    addon_monthsPaidFor: int
    """Number of months of the add-on; default: the same as the bouquet."""
    isBoxOffice: bool
    """Passed to the TV service as it is."""
    phone: str
    """Phone number: 11 digits in Nigeria, elsewhere with the country code."""


class _BuyDataBundle(TypedDict):
    agentReference: str
    """Unique for all time."""
    phone: str
    """Phone number: 11 digits in Nigeria, elsewhere with the country code."""
    service_type: str
    """Provider."""
    datacode: str
    """Code of the bundle."""


class BuyDataBundle(_BuyDataBundle, total=False):
    """Buy a data bundle."""

    agentId: str
    """Id of the integrator."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""
    amount: Amount
    """In the currency of the service; it must equal the price."""
    account_number: str
    """Account number; for providers that sell to accounts: smile, spectranet."""
    package: Literal["RENEW", "CHANGE_IMMEDIATE", "CHANGE_AFTER_EXPIRY"]
    """Spectranet only."""


class _BuyElectricity(TypedDict):
    agentReference: str
    """Unique for all time."""
    amount: Amount
    """Amount in the currency of the service."""
    phone: str
    """Phone number: 11 digits in Nigeria, elsewhere with the country code."""
    service_type: str
    """Service type of the bill."""
    account_number: str
    """Meter or account number."""


class BuyElectricity(_BuyElectricity, total=False):
    """Buy electricity."""

    agentId: str
    """Id of the integrator."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""
    sendToken: bool
    """Prepaid: send the token to `phone` by SMS. Default: your setting."""


class _BuyExamPin(TypedDict):
    agentReference: str
    """Unique for all time."""
    phone: str
    """Phone number: 11 digits in Nigeria, elsewhere with the country code."""
    service_type: str
    """Exam."""
    account_number: str
    """Confirmation code of the candidate."""
    product_code: str
    """Code from the list of products."""


class BuyExamPin(_BuyExamPin, total=False):
    """Buy an exam pin for a candidate after the name look-up."""

    agentId: str
    """Id of the integrator."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""
    amount: Amount
    """In the currency of the service; it must equal the price."""


class _BuyPins(TypedDict):
    agentReference: str
    """Unique for all time."""
    service_type: str
    """Provider."""
    pinValue: Amount
    """Value of one pin."""
    numberOfPins: int
    """Number of pins."""


class BuyPins(_BuyPins, total=False):
    """Buy pins."""

    agentId: str
    """Id of the integrator."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""
    amount: Amount
    """In the currency of the service; it must equal the price."""
    phone: str
    """Phone number: 11 digits in Nigeria, elsewhere with the country code."""


class ContactChanges(TypedDict, total=False):
    """Change a contact."""

    first_name: str
    """First name."""
    last_name: str
    """Last name."""
    email: str
    """E-mail address."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""
    type: Literal["employee", "beneficiary", "vendor", "other"]
    """Type of contact."""
    status: Literal["active", "inactive"]
    """Whether the contact is in use."""
    national_id: str
    """Number of an identity document."""
    national_id_type: Literal["passport", "military", "national"]
    """Type of the document."""
    number: str | None
    """The customer number, which payers type; null for none."""
    tags: Sequence[str] | None
    """All tags of the contact; null for none."""
    notes: str | None
    """Your own text about the customer; null for none."""
    payers: Sequence[NewContactPayer] | None
    """All other payers of the customer; null for none."""


class InvoiceChanges(TypedDict, total=False):
    """Change a draft."""

    currency: str
    """One of BXC, UGX, KES."""
    lines: Sequence[Mapping[str, Any]]
    """What is sold: at least one line."""
    contact: int
    """The customer; or a phone number."""
    phonenumber: str
    """Phone number with the country code."""
    first_name: str
    """For a phone number without a contact. Default `Anonymous`."""
    last_name: str
    """For a phone number without a contact. Default `Contact`."""
    account: int
    """The wallet to collect into; needed for a cross-border one."""
    due_date: str
    """The last day to pay: YYYY-MM-DD, DD/MM/YYYY, `28 February`, or a time from now such as `14 days`. Default: 14 days."""
    notes: str
    """Text below the lines."""
    language: Literal["en", "sw", "fr"]
    """The language of the customer: of page, PDF, SMS and mails. Default `en`."""
    min_part: str
    """Smallest part payment that its page accepts. Default, and 0: only the open amount."""
    reminder_days: Sequence[int]
    """When the customer is reminded by SMS, in days after the due date; negative before. Default: never."""
    reminder_prompts: bool
    """Whether a reminder also requests the open amount with a prompt. Default false."""


class InvoiceSelection(TypedDict, total=False):
    """Invoices by their ids, or all that match a filter."""

    invoices: Sequence[int]
    """Ids of the invoices. Give these, or a filter."""
    filter: Mapping[str, Any]
    """All invoices that match these filters of the list and are in a suitable state."""


class InvoiceSelectionVoid(TypedDict, total=False):
    """Invoices to void, by their ids or all that match a filter, and the reason."""

    invoices: Sequence[int]
    """Ids of the invoices. Give these, or a filter."""
    filter: Mapping[str, Any]
    """All invoices that match these filters of the list and are in a suitable state."""
    reason: str
    """Reason in your own words, kept on record."""


class MatchingSettingsChanges(TypedDict, total=False):
    """Change the rules for unrequested money."""

    overpayment: Literal["keep", "credit", "return"]
    """Rule for overpayments: `keep` leaves the surplus unmatched, `credit` makes it credit for the next invoice, `return` sends it back."""
    unknown_number: Literal["accept", "reject"]
    """Answer to a network that validates payments in advance, when the payer typed an unknown number."""


class _NewAllocations(TypedDict):
    parts: Sequence[NewAllocationPart]
    """What the money is for. Several parts split it."""


class NewAllocations(_NewAllocations, total=False):
    """Allocate unmatched money to invoices, customers or payment links."""

    instead_of: int
    """Allocation of this collection to reverse first, so that its money moves."""
    note: str
    """Reason in your own words, kept on record."""


class _NewCollectionRequest(TypedDict):
    phonenumber: str
    """Phone number with the country code."""
    amount: Amount
    """Decimal without thousands separators; a string keeps all digits."""
    currency: str
    """One of BXC, UGX, KES."""


class NewCollectionRequest(_NewCollectionRequest, total=False):
    """Request money from a customer."""

    first_name: str
    """Default `Anonymous`."""
    last_name: str
    """Default `Contact`."""
    account: int
    """The wallet to collect into; needed for a cross-border one."""
    reason: str
    """The reason; networks show about 20 characters."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""
    success_message: str
    """Text of the SMS on success; `{amount}` and `{customer}` are replaced. Default: a standard text with `send_instructions`, else no SMS."""
    send_instructions: bool
    """Whether the customer gets a prompt or instructions. Default false."""
    instructions: str
    """Text that replaces the usual instructions; `skip` for no SMS."""
    expiry_date: str
    """A time from now such as `24 hours`, `tomorrow`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601."""
    start_date: str
    """A time from now such as `24 hours`, `tomorrow`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601."""
    retry_interval_minutes: int
    """Minutes between prompts. Default 10."""
    max_attempts: int
    """The maximum number of further prompts. Default 3; 0 for none."""
    subscription_settings: SubscriptionSettings
    """A recurrence."""


class _NewContact(TypedDict):
    first_name: str
    """First name."""
    last_name: str
    """Last name."""


class NewContact(_NewContact, total=False):
    """Create a contact."""

    phone_number: str
    """With the country code. A customer with a number may have none."""
    email: str
    """E-mail address."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""
    type: Literal["employee", "beneficiary", "vendor", "other"]
    """Type of contact."""
    status: Literal["active", "inactive"]
    """Whether the contact is in use."""
    national_id: str
    """Number of an identity document."""
    national_id_type: Literal["passport", "military", "national"]
    """Type of the document."""
    number: str
    """The customer number, which payers type. Unique, ignoring case, blanks, dashes and leading zeros."""
    tags: Sequence[str]
    """Groups of customers, such as a class, a branch or a route: at most 20."""
    notes: str
    """Your own text about the customer."""
    payers: Sequence[NewContactPayer]
    """Other payers of the customer, such as a parent or a sponsor: at most 10."""


class _NewInvoice(TypedDict):
    currency: str
    """One of BXC, UGX, KES."""
    lines: Sequence[Mapping[str, Any]]
    """What is sold: at least one line."""


class NewInvoice(_NewInvoice, total=False):
    """Create a draft invoice."""

    contact: int
    """The customer; or a phone number."""
    phonenumber: str
    """Phone number with the country code."""
    first_name: str
    """For a phone number without a contact. Default `Anonymous`."""
    last_name: str
    """For a phone number without a contact. Default `Contact`."""
    account: int
    """The wallet to collect into; needed for a cross-border one."""
    due_date: str
    """The last day to pay: YYYY-MM-DD, DD/MM/YYYY, `28 February`, or a time from now such as `14 days`. Default: 14 days."""
    notes: str
    """Text below the lines."""
    language: Literal["en", "sw", "fr"]
    """The language of the customer: of page, PDF, SMS and mails. Default `en`."""
    min_part: str
    """Smallest part payment that its page accepts. Default, and 0: only the open amount."""
    reminder_days: Sequence[int]
    """When the customer is reminded by SMS, in days after the due date; negative before. Default: never."""
    reminder_prompts: bool
    """Whether a reminder also requests the open amount with a prompt. Default false."""


class _NewInvoiceBatch(TypedDict):
    tag: str
    """The tag of the customers, such as a class."""
    currency: str
    """One of BXC, UGX, KES."""


class NewInvoiceBatch(_NewInvoiceBatch, total=False):
    """An invoice for each customer with a tag."""

    text: str
    """What is sold, if it is one thing."""
    amount: Amount
    """What it costs."""
    lines: Sequence[Mapping[str, Any]]
    """What is sold; or a text and an amount."""
    account: int
    """The wallet to collect into; needed for a cross-border one."""
    due_date: str
    """The last day to pay: YYYY-MM-DD, DD/MM/YYYY, `28 February`, or a time from now such as `14 days`. Default: 14 days."""
    notes: str
    """Text below the lines."""
    language: Literal["en", "sw", "fr"]
    """The language of the customer: of page, PDF, SMS and mails. Default `en`."""
    min_part: str
    """Smallest part payment that its page accepts. Default, and 0: only the open amount."""
    reminder_days: Sequence[int]
    """When the customer is reminded by SMS, in days after the due date; negative before. Default: never."""
    reminder_prompts: bool
    """Whether a reminder also requests the open amount with a prompt. Default false."""
    duplicates: Literal["skip", "create"]
    """`skip`: none for a customer who has one with the same text and amount, unless it is paid and due; `create`: one more. Default `skip`."""
    issue: bool
    """Whether they are issued at once. Default: they stay drafts."""


class NewInvoiceCollection(TypedDict, total=False):
    """Collect the open amount, or part of it, from the customer now."""

    amount: Amount
    """At most what is open. Default: all of it."""
    phonenumber: str
    """Who is asked. Default: the customer."""


class NewInvoiceSend(TypedDict, total=False):
    """Send an issued invoice by SMS or e-mail."""

    channel: Literal["sms", "email"]
    """Default: e-mail if `email` is given, otherwise SMS. An SMS goes to the phone of the customer."""
    email: str
    """Where an e-mail goes; default: the address of the contact."""


class NewInvoiceVoid(TypedDict, total=False):
    """Void an issued invoice; it keeps its number."""

    reason: str
    """Reason in your own words, kept on record."""


class _NewPayment(TypedDict):
    description: str
    """Purpose of the payment. Networks show a part of it to the recipient."""


class NewPayment(_NewPayment, total=False):
    """Send money or airtime to one or more phones."""

    phonenumber: str
    """Phone number of the recipient. Required without `recipient_data`."""
    amount: Amount
    """What the recipient gets; with `recipient_data` each recipient without its own amount."""
    payment_type: Literal["money", "airtime"]
    """What is sent. Default `money`."""
    currency: str
    """Three-letter code. Not required if `account` is given."""
    account: int
    """The wallet that pays. Default: the oldest wallet in the currency."""
    metadata: Mapping[str, Any]
    """Your own attributes. Numbers stay numbers."""
    recipient_data: Sequence[NewRecipient]
    """The recipients of a payment with many recipients. One invalid recipient makes the whole request invalid."""
    start_date: str
    """When to send it, if not at once: `tomorrow`, a time span from now, DD/MM/YYYY[ HH:MM:SS] or ISO 8601."""
    send_sms_message: bool
    """Whether each recipient gets an SMS (from whom, how much, reference) when the money has arrived. Default false."""
    first_name: str
    """Default `Anonymous`."""
    last_name: str
    """Default `Contact`."""
    national_id: str
    """Number of an identity document of the recipient."""
    national_id_type: Literal["national", "passport", "military"]
    """Type of the identity document."""


class _NewPaymentLink(TypedDict):
    title: str
    """What is paid; networks show about 20 characters."""
    currency: str
    """One of BXC, UGX, KES."""


class NewPaymentLink(_NewPaymentLink, total=False):
    """Create a payment link."""

    description: str
    """Text below the title."""
    account: int
    """The wallet to collect into; needed for a cross-border one."""
    country: Literal["XX", "UG", "KE", "NG"]
    """Country whose phone numbers need no country code. Default: the one of the currency."""
    amount: Amount
    """The amount, if it is fixed."""
    min_amount: Amount
    """The smallest amount, if the customer chooses."""
    max_amount: Amount
    """The largest amount, if the customer chooses."""
    amounts: Sequence[Amount]
    """The amounts to choose from."""
    single_use: bool
    """Whether it can be paid only once. Default false."""
    expiry_date: str
    """When the link stops taking payments: a time from now such as `24 hours`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601."""
    fields: Sequence[NewPaymentLinkField]
    """Further fields for the customer: `name`, `label`, `type` (text, number, choice), `required`, `choices`."""
    success_message: str
    """Text on the receipt and of the SMS; `{amount}` and `{customer}` are replaced."""
    return_url: str
    """An https URL of yours; the signed result is added to its query."""
    frame_ancestors: Sequence[str]
    """Origins whose pages may show the page in a frame; none unless given."""


class NewReceipt(TypedDict, total=False):
    """Issue the receipt of a payment, or get the existing one."""

    collection: int
    """The payment."""
    collection_request: int
    """Or the request that it fulfilled."""


class NewReceiptSend(TypedDict, total=False):
    """Send a receipt by SMS or e-mail."""

    channel: Literal["sms", "email"]
    """Default: e-mail if `email` is given, otherwise SMS. An SMS goes to the phone that paid."""
    email: str
    """Where an e-mail goes; default: the address of the contact."""


class _NewRefund(TypedDict):
    reason: Literal["customer_request", "duplicate", "wrong_amount", "not_delivered", "fraud", "other"]
    """Reason for the refund. `other` needs a comment."""


class NewRefund(_NewRefund, total=False):
    """Refund a request, in full or in part."""

    amount: Amount
    """Part of the money. Default: all that is left."""
    comment: str
    """Reason in your own words, kept on record."""


class NewRequestAction(TypedDict, total=False):
    """Remind a customer of a request, or retry a failed or expired request."""

    comment: str
    """Reason in your own words, kept on record."""


class _NewRequestBatch(TypedDict):
    tag: str
    """The tag of the customers, such as a class."""
    amount: Amount
    """Amount requested from each customer."""
    currency: str
    """One of BXC, UGX, KES."""


class NewRequestBatch(_NewRequestBatch, total=False):
    """A request for the same amount to each customer with a tag."""

    reason: str
    """Reason for the payment."""
    expiry_date: str
    """A date such as 31/12/2030, or a time from now. Default: 24 hours."""
    send_instructions: bool
    """Whether the phones of the customers show a prompt. Default true."""
    duplicates: Literal["skip", "create"]
    """`skip`: none for a customer who has an open or recent request for the same amount and reason; `create`: one more. Default `skip`."""


class NewSentPaymentLink(TypedDict, total=False):
    """Send a payment link for a failed or expired request."""

    comment: str
    """Reason in your own words, kept on record."""
    expiry_date: str
    """When the link stops taking payments: a time from now such as `24 hours`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601."""


class NewWebhook(TypedDict):
    """Create a webhook."""

    event: str
    """One of payment.status.changed, collection.received, contact.created, collectionrequest.status.changed."""
    target: str
    """An https URL."""


class PaymentLinkChanges(TypedDict, total=False):
    """Change, close or open a payment link."""

    title: str
    """What is paid; networks show about 20 characters."""
    description: str
    """Text below the title; empty for none."""
    success_message: str
    """Text on the receipt; empty for the default."""
    state: Literal["active", "closed"]
    """Closes the link, or opens it again."""
    expiry_date: str | None
    """When it stops taking payments; null for never."""
    return_url: str | None
    """An https URL of yours; null for none."""
    frame_ancestors: Sequence[str]
    """Origins whose pages may show the page in a frame; none unless given."""


class AccountsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    currency: str
    """Currency code."""
    status: str
    """Status; an unknown status finds nothing."""
    created_after: str | datetime
    """Created after this time."""
    created_before: str | datetime
    """Created before this time."""


class CollectionRequestsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    amount: Amount
    """Exact amount; `100` finds `100.0000`."""
    currency: str
    """Currency code."""
    collection: int
    """Id of the collection that fulfilled the request."""
    phonenumber: str
    """International format; a missing `+` is added. A literal plus is sent as `%2B`."""
    remote_transaction_id: str
    """The network operator's id of the collection that fulfilled it, or the id or reference of its order."""
    created_after: str | datetime
    """Created after this time."""
    created_before: str | datetime
    """Created before this time."""
    modified_after: str | datetime
    """Modified after this time."""
    modified_before: str | datetime
    """Modified before this time."""
    status: str
    """Status; an unknown status finds nothing."""
    reason: str
    """Reason, exact."""
    contact_first_name: str
    """First name of the contact."""
    contact_last_name: str
    """Last name of the contact."""
    network: str
    """Code of the network that serves the phone number."""
    payment_link: int
    """Id of the payment link on whose page the request was made."""
    plan: int
    """Id of the plan whose first or later request it is."""


class CollectionsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    amount: Amount
    """Exact amount; `100` finds `100.0000`."""
    currency: str
    """Currency code."""
    phonenumber: str
    """International format; a missing `+` is added. A literal plus is sent as `%2B`."""
    reference: str
    """The reference that the customer typed."""
    remote_transaction_id: str
    """The network operator's own id of the payment."""
    collection_request: int
    """Id of the request that the collection fulfilled."""
    created_after: str | datetime
    """Created after this time."""
    created_before: str | datetime
    """Created before this time."""
    modified_after: str | datetime
    """Modified after this time."""
    modified_before: str | datetime
    """Modified before this time."""
    status: str
    """Status; an unknown status finds nothing."""
    network: str
    """Code of the network that the money came through."""
    contact_first_name: str
    """First name of the contact."""
    contact_last_name: str
    """Last name of the contact."""


class ContactsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    first_name: str
    """First name."""
    last_name: str
    """Last name."""
    email: str
    """E-mail address."""
    phone_number: str
    """International format; a missing `+` is added. A literal plus is sent as `%2B`."""
    number: str
    """Customer number, ignoring case, blanks, dashes and leading zeros."""
    tag: str
    """Tag, ignoring case."""
    payer: str
    """Phone of another payer of the contact."""
    created_after: str | datetime
    """Created after this time."""
    created_before: str | datetime
    """Created before this time."""


class CurrenciesFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""


class EventsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    type: str
    """Event type, exact."""


class InvoiceBatchesFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""


class _InvoiceCustomersFilters(TypedDict):
    tag: str
    """The tag, such as a class."""


class InvoiceCustomersFilters(_InvoiceCustomersFilters, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    currency: str
    """Currency code."""
    batch: int
    """Id of the batch that made it."""
    due_after: str | datetime
    """Due after this day."""
    due_before: str | datetime
    """Due before this day."""


class InvoicesByTagFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    tag: str
    """A tag of the customer, such as a class."""
    currency: str
    """Currency code."""
    batch: int
    """Id of the batch that made it."""
    due_after: str | datetime
    """Due after this day."""
    due_before: str | datetime
    """Due before this day."""


class InvoicesFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    number: str
    """The number, with or without its letters and zeros."""
    state: str
    """State. `part`: partly paid. `unpaid`: issued, without a payment. An unknown state finds nothing."""
    overdue: str
    """`true`: only overdue ones; `false`: only others."""
    contact: int
    """Id of the customer."""
    customer_number: str
    """The number of the customer, as payers type it."""
    tag: str
    """A tag of the customer, such as a class."""
    batch: int
    """Id of the batch that made it."""
    phonenumber: str
    """International format; a missing `+` is added. A literal plus is sent as `%2B`."""
    collection_request: int
    """Id of one of its requests."""
    collection: int
    """Id of one of its payments."""
    currency: str
    """Currency code."""
    total: Amount
    """Exact amount; `100` finds `100.0000`."""
    due_after: str | datetime
    """Due after this day."""
    due_before: str | datetime
    """Due before this day."""
    created_after: str | datetime
    """Created after this time."""
    created_before: str | datetime
    """Created before this time."""
    modified_after: str | datetime
    """Modified after this time."""
    modified_before: str | datetime
    """Modified before this time."""


class NetworksFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""


class PaymentLinksFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    currency: str
    """Currency code."""
    state: str
    """State; an unknown state finds nothing."""
    title: str
    """Title, exact."""
    created_after: str | datetime
    """Created after this time."""
    created_before: str | datetime
    """Created before this time."""
    modified_after: str | datetime
    """Modified after this time."""
    modified_before: str | datetime
    """Modified before this time."""


class PaymentsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    amount: Amount
    """Exact amount; `100` finds `100.0000`."""
    currency: str
    """Currency code."""
    payment_type: str
    """`money` or `airtime`."""
    payment_id: int
    """Id of the payment."""
    phone_number: str
    """International format; a missing `+` is added. A literal plus is sent as `%2B`."""
    remote_transaction_id: str
    """The id that the network operator gave the transaction."""
    created_after: str | datetime
    """Created after this time."""
    created_before: str | datetime
    """Created before this time."""
    modified_after: str | datetime
    """Modified after this time."""
    modified_before: str | datetime
    """Modified before this time."""
    payment_state: str
    """State of the payment. An unknown state matches no payment."""
    state: str
    """State of the payment or of one of its recipients."""
    network: str
    """Code of the network of a recipient."""
    first_name: str
    """First name of a recipient."""
    last_name: str
    """Last name of a recipient."""


class PlansFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    state: Literal["active", "paused", "ended", "stopped"]
    """State."""
    phonenumber: str
    """International format; a missing `+` is added. A literal plus is sent as `%2B`."""
    contact: int
    """Id of the customer."""
    currency: str
    """Currency code."""
    collection_request: int
    """Id of one of its requests, the first or a later one."""


class ReceiptsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    number: str
    """The number, with or without its letter and zeros."""
    collection: int
    """Id of the payment."""
    collection_request: int
    """Id of the request that the payment fulfilled."""
    amount: Amount
    """Exact amount; `100` finds `100.0000`."""
    currency: str
    """Currency code."""
    phonenumber: str
    """International format; a missing `+` is added. A literal plus is sent as `%2B`."""
    remote_transaction_id: str
    """The network operator's own id of the payment."""
    created_after: str | datetime
    """Created after this time."""
    created_before: str | datetime
    """Created before this time."""
    modified_after: str | datetime
    """Modified after this time."""
    modified_before: str | datetime
    """Modified before this time."""


class RequestActionsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""


class RequestBatchesFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""


class SmsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    state: Literal["waiting", "sent", "delivered", "failed", "unknown"]
    """SMS in this state."""
    purpose: Literal["instructions", "reminder", "payment_link", "success", "goods", "message", "reply"]
    """SMS for this purpose."""
    phonenumber: str
    """International format; a missing `+` is added. A literal plus is sent as `%2B`."""
    collection_request: int
    """SMS of this collection request."""
    bill_purchase: int
    """SMS of this bill purchase."""
    payment: int
    """SMS to the recipients of this payment."""


class TransactionsFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    account: int
    """Id of the wallet."""
    type: str
    """Type; an unknown type finds nothing."""
    created_after: str | datetime
    """After this time."""
    created_before: str | datetime
    """Before this time."""
    start_date: str | datetime
    """On this day or later, or at this time or later."""
    end_date: str | datetime
    """On this day or earlier, or at this time or earlier."""


class WebhooksFilters(TypedDict, total=False):
    """Filters match exactly, and all of them."""

    limit: int
    """Page size; default 10, at most 1000."""
    offset: int
    """Number of items to skip."""
    ordering: Literal["id", "-id", "created", "-created", "modified", "-modified", "amount", "-amount"]
    """Field to sort by, with `-` in front for descending order; default: newest first."""
    user: int
    """Id of the user who created the webhook, exact."""
    event: str
    """Event type, exact."""
