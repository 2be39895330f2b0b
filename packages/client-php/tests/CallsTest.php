<?php

declare(strict_types=1);

use Kusanya\Client;
use Kusanya\Http\ConnectionException;
use Kusanya\Http\Response;
use Kusanya\Input\InvoiceSelectionVoid;
use Kusanya\Input\NewInvoiceBatch;
use Kusanya\Input\NewPayment;
use Kusanya\Input\NewRecipient;
use Kusanya\KusanyaException;
use Kusanya\WaitTimeoutException;

require_once __DIR__ . '/Answers.php';

const SECRET_KEY = 'ksy_secret';

$json = static fn (mixed $body, int $status = 200, array $headers = []): Response => new Response($status, $headers, json_encode($body));
$clientOf = static fn (Answers $answers, int $retries = 4): Client => new Client('https://pay.example.com/gateway/', SECRET_KEY, retries: $retries, http: $answers);
$page = static fn (array $items, ?string $next = null): Response => $json(['count' => 4, 'next' => $next, 'previous' => null, 'results' => $items]);

return [
    'a call is repeated under one key, and gives what the first created' => function () use ($json, $clientOf): void {
        $taken = $json(['detail' => 'Duplicate Request Detected!', 'type' => 'payment', 'id' => 7], 409);
        $answers = new Answers([new ConnectionException('gone'), $taken, $json(['id' => 7, 'amount' => '5.0000'])]);
        $payment = $clientOf($answers)->payments->create(new NewPayment('Wages', '+80000000003', '5', currency: 'BXC'));
        same([7, '5.0000'], [$payment->id, $payment->amount]);
        [$first, $second, $third] = $answers->requests;
        same($first->headers['Duplicate-Check-Key'], $second->headers['Duplicate-Check-Key']);
        same(1, preg_match('/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/', $first->headers['Duplicate-Check-Key']));
        same(['GET', 'https://pay.example.com/gateway/api/payments/7'], [$third->method, $third->url]);
    },
    'another object that has the key is never given' => function () use ($json, $clientOf): void {
        $answers = new Answers([new ConnectionException('gone', true), $json(['detail' => 'x', 'type' => 'contact', 'id' => 7], 409)]);
        $error = thrown(KusanyaException::class, fn () => $clientOf($answers)->payments->create(['description' => 'Wages'], 'mine'));
        same([409, 2, true, 'mine'], [$error->status, $error->attempts, $error->is_outcome_unknown, $error->duplicate_check_key]);
        same('contact', $error->duplicate->type);
        same(['mine', 'mine'], array_map(fn ($request) => $request->headers['Duplicate-Check-Key'], $answers->requests));
    },
    'a call has not failed when its key may not read what it created' => function () use ($json, $clientOf): void {
        $taken = $json(['detail' => 'x', 'type' => 'payment', 'id' => 7], 409);
        $answers = new Answers([new ConnectionException('gone'), $taken, $json(['detail' => 'You may not.'], 403)]);
        $error = thrown(KusanyaException::class, fn () => $clientOf($answers)->payments->create(['description' => 'Wages'], 'mine'));
        same([403, 2, true, 'mine', 7], [$error->status, $error->attempts, $error->is_outcome_unknown, $error->duplicate_check_key, $error->duplicate->id]);
    },
    'another receipt is never counted as sent' => function () use ($json, $clientOf): void {
        $taken = $json(['detail' => 'x', 'type' => 'receipt', 'id' => 7], 409);
        $answers = new Answers([new ConnectionException('gone'), $taken, $json(['id' => 7, 'sends' => []])]);
        same([], $clientOf($answers)->receipts->send(7)->sends);
        same(['https://pay.example.com/gateway/api/receipts/7/send', '{}'], [$answers->requests[1]->url, $answers->requests[1]->body]);
        $answers = new Answers([new ConnectionException('gone'), $taken]);
        $error = thrown(KusanyaException::class, fn () => $clientOf($answers)->receipts->send(8, ['channel' => 'sms']));
        same([409, true], [$error->status, $error->is_outcome_unknown]);
    },
    'what an action of the request made is found' => function () use ($json, $clientOf, $page): void {
        $taken = $json(['detail' => 'x', 'type' => 'payment', 'id' => 7], 409);
        $refund = static fn (int $payment) => $clientOf(new Answers([
            new ConnectionException('gone'),
            $taken,
            $page([['id' => 1, 'payment' => null], ['id' => 2, 'payment' => $payment]]),
            $json(['id' => 7]),
        ]))->collectionRequests->refund(5, ['reason' => 'fraud']);
        same(7, $refund(7)->id);
        $error = thrown(KusanyaException::class, fn () => $refund(6));
        same([409, true], [$error->status, $error->is_outcome_unknown]);
    },
    'a batch is continued, and another one is never given' => function () use ($json, $clientOf): void {
        $answers = new Answers([new ConnectionException('gone'), $json(['id' => 7, 'made' => 2, 'finished' => '2030-01-31T12:00:00Z'], 201)]);
        $made = $clientOf($answers)->invoiceBatches->create(new NewInvoiceBatch('P5', 'BXC', text: 'Term 1', amount: '850'));
        same([7, 2], [$made->id, $made->made]);
        [$first, $second] = $answers->requests;
        same($first->headers['Duplicate-Check-Key'], $second->headers['Duplicate-Check-Key']);
        same('https://pay.example.com/gateway/api/invoices/batches', $second->url);
        $answers = new Answers([new ConnectionException('gone'), $json(['detail' => 'x', 'type' => 'requestbatch', 'id' => 7], 409)]);
        $trip = ['tag' => 'P5', 'amount' => '500', 'currency' => 'BXC'];
        $error = thrown(KusanyaException::class, fn () => $clientOf($answers)->requestBatches->create($trip, 'mine'));
        same([409, 7], [$error->status, $error->duplicate->id]);
    },
    'many invoices need no key' => function () use ($json, $clientOf): void {
        $answers = new Answers([new ConnectionException('gone'), $json(['done' => 2, 'left_out' => []])]);
        same(2, $clientOf($answers)->invoices->voidMany(new InvoiceSelectionVoid(filter: ['batch' => 3], reason: 'Wrong price'))->done);
        $request = $answers->requests[1];
        same(['https://pay.example.com/gateway/api/invoices/void', '{"filter":{"batch":3},"reason":"Wrong price"}'], [$request->url, $request->body]);
        same(false, isset($request->headers['Duplicate-Check-Key']));
    },
    'objects without ids are listed' => function () use ($clientOf, $page): void {
        $answers = new Answers([$page([['contact' => 1, 'open' => '5.0000'], ['contact' => 2, 'open' => '0.0000']])]);
        $customers = $clientOf($answers)->invoices->customers(['tag' => 'P5'])->toArray();
        same([1, 2], array_map(fn ($one) => $one->contact, $customers));
    },
    'rules are read' => function () use ($json, $clientOf): void {
        $answers = new Answers([$json(['overpayment' => 'credit'])]);
        same('credit', $clientOf($answers)->matchingSettings->get()->overpayment);
        same('https://pay.example.com/gateway/api/matching-settings', $answers->requests[0]->url);
    },
    'a key is a text' => function () use ($clientOf): void {
        $kusanya = $clientOf($answers = new Answers([]));
        foreach (['', ' ', "a\r\nX-Other: b", "a\n", 'a ', 'é'] as $key) {
            thrown(InvalidArgumentException::class, fn () => $kusanya->payments->create(['description' => 'Wages'], $key));
        }
        same([], $answers->requests);
    },
    'an answer that cannot be read is an unknown outcome' => function () use ($clientOf): void {
        foreach (['Welcome', '"text"', '{"amount": {}}', '{"created": "never"}'] as $body) {
            $answers = new Answers([new Response(201, [], $body)]);
            $error = thrown(KusanyaException::class, fn () => $clientOf($answers)->payments->create(['description' => 'Wages']));
            same([201, true], [$error->status, $error->is_outcome_unknown]);
        }
    },
    'no refusal and no long wait is repeated' => function () use ($json, $clientOf): void {
        foreach ([$json([], 400), $json([], 429, ['retry-after' => '3600'])] as $answer) {
            $answers = new Answers([$answer]);
            $error = thrown(KusanyaException::class, fn () => $clientOf($answers)->payments->create(['description' => 'Wages']));
            same([false, 1], [$error->is_outcome_unknown, count($answers->requests)]);
        }
    },
    'a call ends after its retries' => function () use ($json, $clientOf): void {
        $answers = new Answers([$json([], 503), $json([], 503)]);
        $error = thrown(KusanyaException::class, fn () => $clientOf($answers, 1)->currencies->get(1));
        same([2, false, null], [$error->attempts, $error->is_outcome_unknown, $error->duplicate_check_key]);
    },
    'a float is no amount' => function () use ($clientOf): void {
        $kusanya = $clientOf($answers = new Answers([]));
        foreach ([
            fn () => $kusanya->payments->create(['description' => 'Wages', 'amount' => 0.1]),
            fn () => $kusanya->payments->create(['description' => 'Wages', 'recipient_data' => [['amount' => 0.1]]]),
            fn () => $kusanya->payments->list(['amount' => 0.1])->first(),
        ] as $call) {
            same('amount is a float. Give an amount as text or int, so that no digit is lost.', thrown(InvalidArgumentException::class, $call)->getMessage());
        }
        thrown(TypeError::class, fn () => new NewPayment('Wages', amount: 0.1));
        same([], $answers->requests);
    },
    'what is given is written, and nothing else' => function () use ($json, $clientOf, $page): void {
        $answers = new Answers([$json(['id' => 1], 201), $json(['id' => 1]), $page([])]);
        $kusanya = $clientOf($answers);
        $recipients = [new NewRecipient('+80000000003', 5, metadata: []), ['phonenumber' => '+80000000004', 'amount' => '6']];
        $kusanya->payments->create(new NewPayment('Wages', metadata: ['weight' => 0.5], recipient_data: $recipients));
        same(
            '{"description":"Wages","metadata":{"weight":0.5},"recipient_data":[{"phonenumber":"+80000000003","amount":5,"metadata":{}},'
            . '{"phonenumber":"+80000000004","amount":"6"}]}',
            $answers->requests[0]->body,
        );
        $kusanya->paymentLinks->update(1, ['expiry_date' => null]);
        same(['PATCH', '{"expiry_date":null}'], [$answers->requests[1]->method, $answers->requests[1]->body]);
        $noon = new DateTimeImmutable('2030-01-31T15:00:00+03:00');
        $kusanya->payments->list(['created_after' => $noon, 'phone_number' => '+8', 'state' => null])->page();
        same(
            'https://pay.example.com/gateway/api/payments?created_after=2030-01-31T12%3A00%3A00.000000Z&phone_number=%2B8&limit=100',
            $answers->requests[2]->url,
        );
    },
    'a list skips nothing when objects leave it while it is read' => function () use ($clientOf, $page): void {
        $begin = $page([['id' => 4], ['id' => 3]], 'https://x.example/?limit=2&offset=2');
        $answers = new Answers([$begin, $page([['id' => 1]]), $page([['id' => 2], ['id' => 1]])]);
        same([4, 3, 2, 1], array_map(fn ($contact) => $contact->id, $clientOf($answers)->contacts->list(['limit' => 2])->toArray()));
        same('https://pay.example.com/gateway/api/contacts?limit=3&offset=0', $answers->requests[2]->url);
    },
    'lists are read over pages, and no address is taken from them' => function () use ($clientOf, $page): void {
        $first = $page([['id' => 3], ['id' => 2]], 'https://evil.example/x?limit=2&offset=2');
        $answers = new Answers([$first, $page([['id' => 2], ['id' => 1]])]);
        $ids = array_map(fn ($contact) => $contact->id, $clientOf($answers)->contacts->list(['limit' => 2])->toArray());
        same([3, 2, 1], $ids);
        same('https://pay.example.com/gateway/api/contacts?limit=3&offset=1', $answers->requests[1]->url);
    },
    'waiting ends in time' => function () use ($json, $clientOf): void {
        $kusanya = $clientOf(new Answers([$json(['id' => 1, 'status' => 'pending'])]));
        $error = thrown(WaitTimeoutException::class, fn () => $kusanya->collectionRequests->wait(1, 0));
        same('pending', $error->last->raw['status']);
    },
    'an error names the fields, and never the key' => function () use ($json, $clientOf): void {
        $kusanya = $clientOf(new Answers([$json(['amount' => ['Too much.']], 400), $json(['code' => 'BX0003', 'message' => 'No.', 'errors' => ['phone' => ['message' => 'Bad.']]], 400)]));
        $error = thrown(KusanyaException::class, fn () => $kusanya->payments->create(['description' => 'Wages']));
        same('POST /api/payments: 400 amount: Too much.', $error->getMessage());
        same(['amount' => ['Too much.']], $error->fields);
        $bill = thrown(KusanyaException::class, fn () => $kusanya->bills->listBouquets('dstv'));
        same([['phone' => ['Bad.']], 'BX0003', false], [$bill->fields, $bill->error_code, $bill->is_outcome_unknown]);
        same(false, str_contains(print_r($kusanya->payments, true), SECRET_KEY));
    },
    'options are checked' => function (): void {
        foreach ([['pay.example.com', 'k'], ['https://a:b@pay.example.com', 'k'], ['ftp://a.example', 'k'], ['https://a.example', "a\n"]] as [$url, $key]) {
            thrown(InvalidArgumentException::class, fn () => new Client($url, $key));
        }
    },
];
