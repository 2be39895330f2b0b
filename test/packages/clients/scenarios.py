"""What the tests do with the Python client: `python3 scenarios.py <scenario> <url> <key>` prints the outcome as JSON."""

import json
import sys
from datetime import datetime
from decimal import Decimal

from kusanya import Kusanya, KusanyaError, WaitTimeout, WebhookVerificationError, verify_webhook
from kusanya.models import CollectionRequest, Contact

NAME, URL, KEY = sys.argv[1:4]
INPUT = json.loads(sys.stdin.read() or "{}")
kusanya = Kusanya(URL, KEY, retries=2, timeout=20)
REQUEST = {"phonenumber": "+80000000003", "amount": "1500", "currency": "BXC", "send_instructions": True}


def error_of(call):
    try:
        call()
    except KusanyaError as error:
        return error
    raise AssertionError("It was not refused.")


def describe(error):
    return {
        "status": error.status,
        "fields": sorted(error.fields),
        "is_outcome_unknown": error.is_outcome_unknown,
        "attempts": error.attempts,
    }


def collect():
    before = kusanya.accounts.list(currency="BXC").first()
    fields = {**REQUEST, "amount": Decimal("1500.25"), "metadata": {"order": 7, "weight": 0.5}}
    created = kusanya.collection_requests.create(**fields)
    request = kusanya.collection_requests.wait(created.id)
    collection = kusanya.collections.get(request.collection)
    after = kusanya.accounts.get(before.id)
    events = kusanya.events.list(type="collection.received").to_list()
    assert isinstance(request.amount, Decimal) and isinstance(request.created, datetime)
    assert request.contact.phone_number == "+80000000003" and request.raw["status"] == "successful"
    assert isinstance(collection.collection_request, CollectionRequest)
    return {
        "created": created.status,
        "status": request.status,
        "amount": str(request.amount),
        "metadata": request.metadata,
        "collection": str(collection.amount),
        "transaction": str(kusanya.transactions.get(collection.transaction.id).amount),
        "gained": str(after.balance - before.balance),
        "event": collection.id in [event.data.id for event in events],
    }


def pay():
    payment = kusanya.payments.create(
        currency="BXC",
        description="Wages",
        recipient_data=[
            {"phonenumber": "+80000000003", "amount": 100},
            {"phonenumber": "+80000000004", "amount": "50.5", "metadata": {}},
        ],
    )
    ended = kusanya.payments.wait(payment.id)
    link = kusanya.payment_links.create(title="Fees", currency="BXC", amounts=["1000", Decimal("2000.5")])
    closed = kusanya.payment_links.update(link.id, state="closed", expiry_date=None)
    return {
        "state": ended.state,
        "amount": str(ended.amount),
        "recipients": [recipient.state for recipient in ended.phone_nos],
        "link": [closed.state, *[str(amount) for amount in link.amounts]],
    }


def remind():
    id = INPUT["request"]
    action = kusanya.collection_requests.remind(id, comment="Friday")
    assert kusanya.collection_requests.actions(id).to_list() == [action]
    again = error_of(lambda: kusanya.collection_requests.remind(id))
    return {"kind": action.kind, "comment": action.comment, "again": describe(again)}


def retry():
    new = kusanya.collection_requests.retry(INPUT["request"])
    action = kusanya.collection_requests.actions(new.id).first()
    return {"amount": str(new.amount), "of": action.collection_request, "new": action.new_request == new.id}


def send_payment_link():
    link = kusanya.collection_requests.send_payment_link(INPUT["request"], expiry_date="2 days")
    assert link == kusanya.payment_links.get(link.id)
    return {"amount": str(link.amount), "single_use": link.single_use}


def refund():
    id = INPUT["request"]
    payment = kusanya.collection_requests.refund(id, amount=Decimal("500.25"), reason="duplicate")
    actions = kusanya.collection_requests.actions(id, limit=1).to_list()
    return {
        "amount": str(payment.amount),
        "actions": [[action.kind, action.reason, action.payment == payment.id] for action in actions],
    }


def key_of_another():
    key = INPUT["key"]
    retried = error_of(lambda: kusanya.collection_requests.retry(INPUT["request"], duplicate_check_key=key))
    return {"error": describe(retried), "duplicate": retried.duplicate.id}


def receipt():
    receipt = kusanya.receipts.issue(collection_request=INPUT["request"])
    assert kusanya.receipts.issue(collection=receipt.collection) == receipt == kusanya.receipts.get(receipt.id)
    assert kusanya.receipts.list(number=receipt.number).to_list() == [receipt]
    return {
        "amount": str(receipt.amount),
        "state": receipt.state,
        "pdf": receipt.pdf_url == receipt.url + ".pdf",
        "sends": receipt.sends,
    }


def send_receipt():
    sent = kusanya.receipts.send(INPUT["receipt"], channel="sms")
    return {"sends": [[send.channel, send.recipient] for send in sent.sends]}


def invoice():
    line = {"text": "School uniform", "quantity": "2", "unit_price": Decimal("750"), "tax_rate": "18"}
    draft = kusanya.invoices.create(phonenumber="+80000000003", currency="BXC", lines=[line])
    other = kusanya.invoices.create(phonenumber="+80000000003", currency="BXC", lines=[line])
    assert kusanya.invoices.delete(other.id).id == other.id
    assert kusanya.invoices.update(draft.id, notes="For Ada").notes == "For Ada"
    issued = kusanya.invoices.issue(draft.id)
    assert kusanya.invoices.list(number=issued.number).to_list() == [issued]
    sent = kusanya.invoices.send(issued.id, channel="sms")
    requested = kusanya.invoices.collect(issued.id, amount="500")
    wrong = kusanya.invoices.issue(kusanya.invoices.create(phonenumber="+80000000003", currency="BXC", lines=[line]).id)
    voided = kusanya.invoices.void(wrong.id, reason="Wrong price")
    return {
        "total": str(issued.total),
        "sends": [[send.channel, send.recipient] for send in sent.sends],
        "requests": [[request.source, str(request.amount)] for request in requested.requests],
        "states": [draft.state, issued.state, voided.state],
    }


def batches():
    tag = INPUT["tag"]
    term = {"tag": tag, "text": "Term 1", "amount": Decimal("850"), "currency": "BXC", "issue": True}
    batch = kusanya.invoice_batches.create(**term, duplicate_check_key=tag)
    assert kusanya.invoice_batches.create(**term, duplicate_check_key=tag) == batch
    assert kusanya.invoice_batches.get(batch.id) == kusanya.invoice_batches.list().first() == batch
    other = {**term, "amount": "900"}
    refused = error_of(lambda: kusanya.invoice_batches.create(**other, duplicate_check_key=tag))
    preview = kusanya.invoice_batches.preview(**term)
    drafts = kusanya.invoice_batches.create(tag=tag, text="Term 2", amount="850", currency="BXC")
    ids = [invoice.id for invoice in kusanya.invoices.list(batch=drafts.id)]
    issued = kusanya.invoices.issue_many(filter={"batch": drafts.id})
    reminded = kusanya.invoices.remind_many(invoices=ids)
    voided = kusanya.invoices.void_many(invoices=ids, reason="Wrong term")
    trip = {"tag": tag, "amount": "500", "currency": "BXC", "reason": "Trip"}
    rows = kusanya.request_batches.preview(**trip).rows
    asked = kusanya.request_batches.create(**trip)
    assert kusanya.request_batches.get(asked.id) == kusanya.request_batches.list().first() == asked
    [total] = kusanya.invoices.sum_by_tag(tag=tag)
    return {
        "made": [batch.made, batch.skipped],
        "other": [refused.status, refused.duplicate.type, refused.duplicate.id == batch.id],
        "preview": [[str(total.total) for total in preview.all], len(preview.duplicates)],
        "done": [issued.done, reminded.done + len(reminded.left_out), voided.done],
        "requests": [[row.state for row in rows], asked.made],
        "open": str(total.open),
        "customers": [[one.name, str(one.open)] for one in kusanya.invoices.customers(tag=tag, limit=1)],
    }


def contacts():
    ids = []
    for number in range(5):
        contact = kusanya.contacts.create(
            phone_number=f"+80000000{INPUT['prefix']}{number}", first_name=f"Jane {number}", last_name=INPUT["name"]
        )
        ids.append(contact.id)
    listing = kusanya.contacts.list(last_name=INPUT["name"], limit=2, ordering="id")
    changed = kusanya.contacts.update(ids[0], email="jane@example.com")
    statement = kusanya.contacts.statement(ids[0], from_day="2030-01-01", to_day="2030-01-31", currency="KES")
    return {
        "same": [contact.id for contact in listing] == ids,
        "count": listing.page().count,
        "pages": [len(page.results) for page in listing.pages()],
        "first": listing.first().id == ids[0],
        "some": len(listing.to_list(3)),
        "none": kusanya.contacts.list(last_name="Nemo").first(),
        "since": kusanya.contacts.list(created_after=changed.created, limit=1).page().count >= 0,
        "email": changed.email,
        "owed": str(statement.closing_balance),
        "open": [total.currency for total in kusanya.reports.ageing(tag=INPUT["name"], limit=1).totals],
        "unmatched": len(kusanya.reports.unmatched(currency="KES", limit=1).rows),
        "claimed": kusanya.collections.claim(amount="77", phonenumber="+80000000003", remote_transaction_id="no"),
    }


def lost_answer():
    request = kusanya.collection_requests.create(**REQUEST, metadata={"order": "cut"})
    return {"id": request.id, "metadata": request.metadata}


def unknown():
    error = error_of(lambda: kusanya.with_options(retries=0).collection_requests.create(**REQUEST))
    again = error_of(
        lambda: kusanya.collection_requests.create(**REQUEST, duplicate_check_key=error.duplicate_check_key)
    )
    found = kusanya.collection_requests.get(again.duplicate.id)
    return {"first": describe(error), "again": describe(again), "type": again.duplicate.type, "amount": str(found.amount)}


def late():
    return describe(error_of(lambda: kusanya.with_options(timeout=0.2, retries=0).currencies.get(1)))


def refusals():
    wrong = error_of(lambda: kusanya.collection_requests.create(phonenumber="x", amount="-1", currency="BXC"))
    stranger = error_of(lambda: Kusanya(URL, "ksy_wrong").accounts.list().first())
    assert "ksy_wrong" not in repr(vars(stranger)) + str(stranger)
    return {
        "wrong": describe(wrong),
        "request_id": isinstance(wrong.request_id, str),
        "message": "POST /api/collectionrequests: 400" in str(wrong),
        "stranger": [stranger.status, stranger.detail],
        "missing": error_of(lambda: kusanya.payments.get(999_999_999)).status,
    }


def refused_thrice():
    return [describe(error_of(lambda: kusanya.collection_requests.create(**REQUEST))) for _ in range(3)]


def first_currency():
    return {"id": kusanya.currencies.list().first().id}


def waits():
    request = kusanya.collection_requests.create(**{**REQUEST, "phonenumber": "+80000000009"})
    try:
        kusanya.collection_requests.wait(request.id, wait=0.001)
    except WaitTimeout as timeout:
        return {"last": timeout.last.id == request.id}


def bills():
    meter = {"service_type": "abuja_electric_prepaid", "account_number": "45060582249"}
    purchase = {**meter, "amount": "5000", "phone": "08012345678", "agentReference": INPUT["reference"]}
    result = kusanya.bills.buy_electricity(**purchase)
    again = error_of(lambda: kusanya.bills.buy_electricity(**purchase))
    assert isinstance(kusanya.bills.get_balance().balance, Decimal)
    return {
        "name": isinstance(kusanya.bills.verify_meter(**meter).name, str),
        "status": result.transactionStatus,
        "token": str(result.tokenAmount),
        "same": kusanya.bills.wait(agentReference=INPUT["reference"]) == result,
        "again": [again.status, again.code, again.is_outcome_unknown],
        "airtime": "mtn" in [one.service_type for one in kusanya.bills.list_airtime_providers()],
        "services": len(kusanya.bills.list_services(country="NG")) > 0,
        "prices": all(isinstance(bundle.price, Decimal) for bundle in kusanya.bills.list_data_bundles("mtn")),
    }


def follow():
    ids = []
    for event in kusanya.events.stream(since=1, types=["contact.created"]):
        assert isinstance(event.data, Contact) and event.hook.id == 0
        ids.append(event.id)
        if len(ids) == INPUT["count"]:
            break
    return {"ids": ids}


def verify():
    body, headers, secret = INPUT["body"], INPUT["headers"], INPUT["secret"]
    notification = verify_webhook(body.encode(), headers, [INPUT["another"], secret])
    refused = []
    for body_, secret_, now in (
        (body + " ", secret, None),
        (body, INPUT["another"], None),
        (body, secret, notification.sent.timestamp() + 301),
    ):
        try:
            verify_webhook(body_, headers, secret_, now=now)
        except WebhookVerificationError as error:
            refused.append(str(error))
    return {
        "type": notification.type,
        "hook": notification.hook.event,
        "data": [notification.data.id, notification.data.status, str(notification.data.amount)],
        "metadata": notification.data.metadata,
        "webhook_id": notification.webhook_id,
        "refused": refused,
    }


print(json.dumps(globals()[NAME]()))
