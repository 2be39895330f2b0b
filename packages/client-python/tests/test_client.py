"""The client without a service: `python3 -m unittest discover -s tests` in the folder of the package."""

import base64
import hashlib
import hmac
import io
import json
import pickle
import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from unittest import mock

from kusanya import Kusanya, KusanyaError, WaitTimeout, WebhookVerificationError, verify_webhook
from kusanya._stream import read_blocks
from kusanya._transport import wait_before
from kusanya._values import parse_json
from kusanya.errors import read_retry_after
from kusanya.models import Account, CollectionRequest, Contact, Invoice, PaymentEventData, read_event_data

KEY = "ksy_secret"


class Answer(io.BytesIO):
    """What urllib gives."""

    def __init__(self, status=200, body="{}", headers=None):
        super().__init__(body.encode() if isinstance(body, str) else json.dumps(body).encode())
        self.status = status
        self.headers = headers or {}


class Opener:
    """Answers in the place of urllib, and remembers what was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def open(self, request, timeout):
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def client_of(*answers, **options):
    opener = Opener(*answers)
    return Kusanya("https://pay.example.com/gateway/", KEY, opener=opener, **options), opener


def page(*items, next_page=None, count=None):
    return Answer(body={"count": count or len(items), "next": next_page, "previous": None, "results": list(items)})


@mock.patch("time.sleep")
class Calls(unittest.TestCase):
    def test_repeats_under_one_key_and_gives_what_the_first_created(self, sleep):
        refusal = {"detail": "Duplicate Request Detected!", "type": "payment", "id": 7}
        kusanya, opener = client_of(ConnectionResetError(), Answer(409, refusal), Answer(body={"id": 7, "amount": "5.0000"}))
        payment = kusanya.payments.create(phonenumber="+80000000003", amount="5", currency="BXC", description="Wages")
        self.assertEqual((payment.id, payment.amount), (7, Decimal("5.0000")))
        first, second, third = opener.requests
        self.assertEqual(first.get_header("Duplicate-check-key"), second.get_header("Duplicate-check-key"))
        self.assertEqual(third.full_url, "https://pay.example.com/gateway/api/payments/7")
        self.assertEqual(sleep.call_count, 1)

    def test_never_gives_another_object_that_has_the_key(self, _sleep):
        kusanya, _ = client_of(TimeoutError(), Answer(409, {"detail": "Duplicate", "type": "contact", "id": 7}))
        with self.assertRaises(KusanyaError) as caught:
            kusanya.payments.create(description="Wages", duplicate_check_key="mine")
        error = caught.exception
        self.assertEqual((error.status, error.attempts, error.is_outcome_unknown), (409, 2, True))
        self.assertEqual((error.duplicate.type, error.duplicate_check_key), ("contact", "mine"))

    def test_has_not_failed_when_its_key_may_not_read_what_it_created(self, _sleep):
        taken = {"detail": "Duplicate", "type": "payment", "id": 7}
        kusanya, _ = client_of(TimeoutError(), Answer(409, taken), Answer(403, {"detail": "You may not."}))
        with self.assertRaises(KusanyaError) as caught:
            kusanya.payments.create(description="Wages", duplicate_check_key="mine")
        error = caught.exception
        self.assertEqual((error.status, error.attempts, error.is_outcome_unknown), (403, 2, True))
        self.assertEqual((error.duplicate.id, error.duplicate_check_key), (7, "mine"))

    def test_has_failed_when_the_purchase_that_it_made_has_failed(self, _sleep):
        taken = {"code": "BX0023", "message": "x", "type": "billpayment", "id": 7}
        failed = {"code": "BX0024", "message": "x", "data": {"transactionStatus": "failed"}}
        kusanya, _ = client_of(TimeoutError(), Answer(409, taken), Answer(400, failed))
        with self.assertRaises(KusanyaError) as caught:
            kusanya.bills.buy_airtime(agentReference="1", phone="08012345678", amount="100", service_type="mtn")
        self.assertEqual((caught.exception.code, caught.exception.is_outcome_unknown), ("BX0024", False))

    def test_never_counts_another_receipt_as_sent(self, _sleep):
        taken = {"detail": "Duplicate", "type": "receipt", "id": 7}
        kusanya, opener = client_of(TimeoutError(), Answer(409, taken), Answer(body={"id": 7, "sends": []}))
        self.assertEqual(kusanya.receipts.send(7, channel="sms").sends, [])
        self.assertEqual(json.loads(opener.requests[1].data), {"channel": "sms"})
        kusanya, opener = client_of(TimeoutError(), Answer(409, taken))
        with self.assertRaises(KusanyaError) as caught:
            kusanya.receipts.send(8)
        self.assertEqual((caught.exception.status, caught.exception.is_outcome_unknown), (409, True))
        self.assertEqual(opener.requests[1].full_url, "https://pay.example.com/gateway/api/receipts/8/send")

    def test_finds_what_an_action_of_the_request_made(self, _sleep):
        taken = {"detail": "Duplicate", "type": "payment", "id": 7}
        for payment, found in ((7, 7), (6, None)):
            actions = page({"id": 1, "payment": None}, {"id": 2, "payment": payment})
            kusanya, _ = client_of(TimeoutError(), Answer(409, taken), actions, Answer(body={"id": 7}))
            try:
                refund = kusanya.collection_requests.refund(5, reason="fraud").id
            except KusanyaError as error:
                refund = None
                self.assertEqual((error.status, error.is_outcome_unknown), (409, True))
            self.assertEqual(refund, found)

    def test_continues_a_batch_and_never_gives_another_one(self, _sleep):
        batch = {"id": 7, "made": 2, "finished": "2030-01-31T12:00:00Z"}
        kusanya, opener = client_of(TimeoutError(), Answer(201, batch))
        made = kusanya.invoice_batches.create(tag="P5", text="Term 1", amount=Decimal("850"), currency="BXC")
        self.assertEqual((made.id, made.made), (7, 2))
        first, second = opener.requests
        self.assertEqual(first.get_header("Duplicate-check-key"), second.get_header("Duplicate-check-key"))
        self.assertEqual(second.full_url, "https://pay.example.com/gateway/api/invoices/batches")
        taken = {"detail": "Duplicate", "type": "requestbatch", "id": 7}
        kusanya, opener = client_of(TimeoutError(), Answer(409, taken))
        with self.assertRaises(KusanyaError) as caught:
            kusanya.request_batches.create(tag="P5", amount="500", currency="BXC", duplicate_check_key="mine")
        self.assertEqual((caught.exception.status, caught.exception.duplicate.id), (409, 7))

    def test_acts_on_many_invoices_without_a_key(self, _sleep):
        kusanya, opener = client_of(TimeoutError(), Answer(body={"done": 2, "left_out": []}))
        self.assertEqual(kusanya.invoices.void_many(filter={"batch": 3}, reason="Wrong price").done, 2)
        request = opener.requests[1]
        self.assertEqual(request.full_url, "https://pay.example.com/gateway/api/invoices/void")
        self.assertIsNone(request.get_header("Duplicate-check-key"))

    def test_a_key_is_a_text(self, _sleep):
        kusanya, opener = client_of()
        for key in ("", " ", "a\r\nX-Other: b", "a ", "é", 7):
            with self.assertRaisesRegex(ValueError, "duplicate_check_key"):
                kusanya.payments.create(description="Wages", duplicate_check_key=key)
        self.assertEqual(opener.requests, [])

    def test_an_answer_that_cannot_be_read_is_an_unknown_outcome(self, _sleep):
        for body in ("Welcome", "[]", '{"amount": "many"}'):
            kusanya, opener = client_of(Answer(201, body))
            with self.assertRaises(KusanyaError) as caught:
                kusanya.payments.create(description="Wages")
            self.assertTrue(caught.exception.is_outcome_unknown, body)
            self.assertEqual(len(opener.requests), 1)

    def test_repeats_no_refusal_and_no_long_wait(self, sleep):
        for answer in (Answer(400), Answer(429, headers={"Retry-After": "3600"})):
            kusanya, opener = client_of(answer)
            with self.assertRaises(KusanyaError) as caught:
                kusanya.payments.create(description="Wages")
            self.assertFalse(caught.exception.is_outcome_unknown)
            self.assertEqual(len(opener.requests), 1)
        sleep.assert_not_called()

    def test_ends_after_its_retries(self, sleep):
        kusanya, opener = client_of(*[Answer(503) for _ in range(3)], retries=2)
        with self.assertRaises(KusanyaError) as caught:
            kusanya.currencies.get(1)
        self.assertEqual((caught.exception.attempts, sleep.call_count), (3, 2))

    def test_a_float_is_no_amount(self, _sleep):
        kusanya, opener = client_of()
        with self.assertRaisesRegex(TypeError, "amount is a float"):
            kusanya.payments.create(description="Wages", amount=0.1)
        with self.assertRaisesRegex(TypeError, "amount is a float"):
            kusanya.payments.create(description="Wages", recipient_data=[{"phonenumber": "+80000000003", "amount": 0.1}])
        with self.assertRaisesRegex(TypeError, "amount is a float"):
            kusanya.payments.list(amount=0.1).first()
        with self.assertRaises(ValueError):
            kusanya.payments.create(description="Wages", amount=Decimal("NaN"))
        self.assertEqual(opener.requests, [])

    def test_writes_amounts_and_times(self, _sleep):
        kusanya, opener = client_of(Answer(201, {"id": 1}), page())
        kusanya.payments.create(description="Wages", amount=Decimal("1E+3"), metadata={"weight": 0.5})
        sent = json.loads(opener.requests[0].data)
        self.assertEqual(sent, {"description": "Wages", "amount": "1000", "metadata": {"weight": 0.5}})
        noon = datetime(2030, 1, 31, 15, tzinfo=timezone(timedelta(hours=3)))
        kusanya.payments.list(created_after=noon, phone_number="+8", state=None).page()
        query = "?limit=100&created_after=2030-01-31T12%3A00%3A00Z&phone_number=%2B8"
        self.assertEqual(opener.requests[1].full_url, f"https://pay.example.com/gateway/api/payments{query}")

    def test_reads_lists_over_pages_and_takes_no_address_from_them(self, _sleep):
        first = page({"id": 3}, {"id": 2}, next_page="https://evil.example/x?limit=2&offset=2", count=4)
        kusanya, opener = client_of(first, page({"id": 2}, {"id": 1}, count=4))
        self.assertEqual([one.id for one in kusanya.contacts.list(limit=2)], [3, 2, 1])
        self.assertEqual(opener.requests[1].full_url, "https://pay.example.com/gateway/api/contacts?limit=3&offset=1")

    def test_a_list_skips_nothing_when_objects_leave_it_while_it_is_read(self, _sleep):
        rest = page({"id": 2}, {"id": 1}, count=2)
        begin = page({"id": 4}, {"id": 3}, next_page="https://x.example/?limit=2&offset=2", count=4)
        kusanya, opener = client_of(begin, page({"id": 1}, count=2), rest)
        self.assertEqual([one.id for one in kusanya.contacts.list(limit=2)], [4, 3, 2, 1])
        self.assertTrue(opener.requests[2].full_url.endswith("limit=3&offset=0"))

    def test_lists_objects_without_ids(self, _sleep):
        kusanya, _ = client_of(page({"contact": 1, "open": "5.0000"}, {"contact": 2, "open": "0.0000"}))
        self.assertEqual([one.contact for one in kusanya.invoices.customers(tag="P5")], [1, 2])

    def test_an_id_is_a_number(self, _sleep):
        kusanya, _ = client_of()
        with self.assertRaises(ValueError):
            kusanya.payments.get("1/../../accounts")

    def test_waits_no_longer_than_it_may(self, _sleep):
        kusanya, _ = client_of(Answer(body={"id": 1, "status": "pending"}))
        with self.assertRaises(WaitTimeout) as caught:
            kusanya.collection_requests.wait(1, wait=0)
        self.assertEqual(caught.exception.last.status, "pending")
        self.assertIn("It goes on", str(pickle.loads(pickle.dumps(caught.exception))))

    def test_an_error_survives_a_queue_and_has_no_key(self, _sleep):
        kusanya, _ = client_of(Answer(400, {"amount": ["Too much."]}))
        with self.assertRaises(KusanyaError) as caught:
            kusanya.payments.create(description="Wages")
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(error), error.fields), ("POST /api/payments: 400 amount: Too much.", {"amount": ["Too much."]}))
        self.assertNotIn(KEY, repr(vars(error)) + repr(vars(kusanya)) + repr(kusanya._transport._options))

    def test_options_are_checked(self, _sleep):
        for url, key in (("pay.example.com", "k"), ("https://a:b@pay.example.com", "k"), ("https://a.example", "a b")):
            with self.assertRaises(ValueError):
                Kusanya(url, key)


class Values(unittest.TestCase):
    def test_numbers_keep_their_digits(self):
        account = Account.from_json(parse_json('{"balance": 12345678901234567.8900, "new": 0.5}'))
        self.assertEqual(str(account.balance), "12345678901234567.8900")
        self.assertEqual(type(account.raw["new"]), float)

    def test_amounts_of_invoices_are_decimals(self):
        line = {"text": "Uniform", "quantity": "2.0000", "unit_price": "750.0000", "amount": "1500.0000"}
        data = {"lines": [line], "amount_open": "1500.0000", "min_part": None, "paid": "2030-01-31T12:00:00Z"}
        invoice = Invoice.from_json(parse_json(json.dumps(data)))
        self.assertEqual(invoice.lines[0].quantity * invoice.lines[0].unit_price, invoice.amount_open)
        self.assertEqual((invoice.min_part, invoice.paid.year), (None, 2030))

    def test_an_older_service_may_send_less(self):
        request = CollectionRequest.from_json({"id": 1, "contact": {"id": 2}, "created": "2030-01-31T12:00:00.123Z"})
        self.assertEqual((request.contact.id, request.amount, request.metadata), (2, None, None))
        self.assertEqual(request.created, datetime(2030, 1, 31, 12, 0, 0, 123000, timezone.utc))

    def test_data_of_events(self):
        payment = read_event_data("payment.status.changed", {"state": "completed", "phone_nos": ["+80000000003"]})
        self.assertIsInstance(payment, PaymentEventData)
        self.assertEqual(payment.phone_nos, ["+80000000003"])
        self.assertEqual(read_event_data("moon.risen", {"at": 1}), {"at": 1})

    def test_waits(self):
        self.assertEqual(read_retry_after(" 7 "), 7)
        self.assertEqual(read_retry_after("Thu, 01 Jan 1970 00:00:00 GMT"), 0)
        self.assertIsNone(read_retry_after("soon"))
        self.assertGreaterEqual(wait_before(1, 30), 30)
        self.assertLessEqual(wait_before(1_000_000, None), 8)

    def test_blocks_of_a_stream(self):
        text = 'retry: 1\nid: 1\n\n: heartbeat\n\nid: 2\nevent: x\ndata: {"a":\ndata: 1}\n\nid:3\r\ndata:é\r\n\r\nid: 4\ndata: {"a"'
        blocks = list(read_blocks(io.BytesIO(text.encode())))
        self.assertEqual(blocks, [("1", None), ("2", '{"a":\n1}'), ("3", "é")])

    def test_a_stream_says_that_its_address_is_wrong(self):
        page = Answer(200, "<html>", {"Content-Type": "text/html"})
        for answer in (Answer(301, ""), page):
            kusanya, _ = client_of(answer)
            with self.assertRaises(KusanyaError) as caught:
                next(kusanya.events.stream())
            self.assertEqual(caught.exception.status, answer.status)

    @mock.patch("time.sleep")
    def test_a_stream_waits_for_the_end_of_a_page_that_takes_its_place(self, _sleep):
        begun = Answer(200, "id: 4\n\n", {"Content-Type": "text/event-stream"})
        page = Answer(200, "<html>", {"Content-Type": "text/html"})
        kusanya, opener = client_of(begun, page, Answer(401))
        with self.assertRaises(KusanyaError) as caught:
            next(kusanya.events.stream())
        self.assertEqual((caught.exception.status, len(opener.requests)), (401, 3))


class Webhooks(unittest.TestCase):
    secret = "whsec_" + base64.b64encode(b"a secret of thirty-two characters").decode()
    body = '{"hook": {"event": "contact.created"}, "data": {"id": 7}}'

    def headers(self, sent=1000, body=body):
        key = base64.b64decode(self.secret[6:])
        digest = hmac.new(key, f"msg_1.{sent}.{body}".encode(), hashlib.sha256).digest()
        signature = "v1,AAAA v2,x v1," + base64.b64encode(digest).decode()
        return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(sent), "Webhook-Signature": signature}

    def test_gives_the_content(self):
        notification = verify_webhook(self.body, self.headers(), self.secret, now=1299)
        self.assertIsInstance(notification.data, Contact)
        self.assertEqual((notification.type, notification.webhook_id), ("contact.created", "msg_1"))
        self.assertEqual(notification.sent.timestamp(), 1000)

    def test_takes_the_environ_of_wsgi(self):
        environ = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in self.headers().items()}
        verify_webhook(self.body.encode(), {"wsgi.url_scheme": "https", **environ}, self.secret, now=1000)

    def test_refuses_all_others(self):
        good = self.headers()
        for body, headers, now in (
            (self.body + " ", good, 1000),
            (self.body, good, 1301),
            (self.body, good, 699),
            (self.body, {**good, "Webhook-Id": "msg_2"}, 1000),
            (self.body, {**good, "Webhook-Timestamp": "NaN"}, 1000),
            (self.body, {**good, "Webhook-Signature": "v1,"}, 1000),
            (self.body, {**good, "Webhook-Signature": good["Webhook-Signature"].replace("v1,", "v2,")}, 1000),
            (self.body, {**good, "webhook-id": "msg_1"}, 1000),
            (self.body, {}, 1000),
        ):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, headers, self.secret, now=now)

    def test_says_what_a_program_does_wrong(self):
        with self.assertRaisesRegex(TypeError, "Parsed JSON"):
            verify_webhook(json.loads(self.body), self.headers(), self.secret)
        for secret in ("", "whsec_?", []):
            with self.assertRaises(ValueError):
                verify_webhook(self.body, self.headers(), secret)


if __name__ == "__main__":
    unittest.main()
