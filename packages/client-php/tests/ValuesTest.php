<?php

declare(strict_types=1);

use Kusanya\Client;
use Kusanya\Http\ConnectionException;
use Kusanya\Http\Response;
use Kusanya\Internal\EventStream;
use Kusanya\Internal\Json;
use Kusanya\Internal\MoneyFields;
use Kusanya\KusanyaException;
use Kusanya\Model\Account;
use Kusanya\Model\CollectionRequest;
use Kusanya\Model\Contact;
use Kusanya\Model\EventData;
use Kusanya\Model\PaymentEventData;
use Kusanya\WebhookVerificationException;
use Kusanya\WebhookVerifier;

require_once __DIR__ . '/Answers.php';

$secret = 'whsec_' . base64_encode('a secret of thirty-two characters');
$body = '{"hook": {"event": "contact.created"}, "data": {"id": 7}}';
$headersOf = static fn (string $text): array => [
    'Webhook-Id' => 'msg_1',
    'Webhook-Timestamp' => '1000',
    'Webhook-Signature' => 'v1,AAAA v2,x v1,' . base64_encode(hash_hmac('sha256', "msg_1.1000.{$text}", 'a secret of thirty-two characters', true)),
];

return [
    'numbers that are amounts keep their digits, and nothing else changes' => function (): void {
        $text = '{"balance":12345678901234567.8900,"price" : -1e3,"amount":"5","id":7,"note":"\"balance\":1, x","list":[1]}';
        $expected = ['balance' => '12345678901234567.8900', 'price' => '-1e3', 'amount' => '5', 'id' => 7, 'note' => '"balance":1, x', 'list' => [1]];
        same($expected, Json::parse($text, MoneyFields::BILLS));
        same(['amount' => 5], Json::parse('{"amount":5}'));
        $long = str_repeat('a\"', 200_000);
        same(['note' => str_replace('\"', '"', $long), 'price' => '1.50'], Json::parse("{\"note\":\"{$long}\",\"price\":1.50}", MoneyFields::BILLS));
        thrown(JsonException::class, fn () => Json::parse('{"amount":5', MoneyFields::BILLS));
        same('1500', (new Account(['balance' => 1500]))->balance);
    },
    'an older service may send less' => function (): void {
        $request = new CollectionRequest(['id' => 1, 'contact' => ['id' => 2], 'created' => '2030-01-31T12:00:00.123Z']);
        same([1, 2, null], [$request->id, $request->contact->id, $request->collection]);
        same('2030-01-31T12:00:00.123000+00:00', $request->created->format('Y-m-d\TH:i:s.uP'));
        thrown(Error::class, fn () => $request->amount);
    },
    'the data of an event is a model' => function (): void {
        $payment = EventData::read('payment.status.changed', ['state' => 'completed', 'phone_nos' => ['+80000000003']]);
        same([true, ['+80000000003']], [$payment instanceof PaymentEventData, $payment->phone_nos]);
        same(['at' => 1], EventData::read('moon.risen', ['at' => 1]));
    },
    'a stream may come in pieces that end anywhere' => function (): void {
        $text = "retry: 1\nid: 1\n\n: heartbeat\n\nid: 2\nevent: x\ndata: {\"a\":\ndata: 1}\n\nid:3\r\ndata:é\r\n\r\nid: 4\ndata: {\"a\"";
        for ($at = 0; $at <= strlen($text); ++$at) {
            $blocks = iterator_to_array(EventStream::blocks([substr($text, 0, $at), substr($text, $at)]), false);
            same([['1', null], ['2', "{\"a\":\n1}"], ['3', 'é']], $blocks);
        }
    },
    'a stream continues after a break, and ends when it is refused' => function () use ($body): void {
        $cut = (static function () use ($body): Generator {
            yield "id: 5\ndata: {$body}\n\n";
            throw new ConnectionException('gone');
        })();
        $answers = new Answers([new Response(200, [], $cut), new Response(503, [], '{}'), new Response(401, [], '{"detail":"Invalid token."}')]);
        $events = (new Client('https://pay.example.com', 'k', http: $answers))->events->stream(types: ['contact.created']);
        same([5, true], [$events->current()->id, $events->current()->data instanceof Contact]);
        $error = thrown(KusanyaException::class, fn () => $events->next());
        same([401, 'Invalid token.'], [$error->status, $error->detail]);
        same([null, '5', '5'], array_map(fn ($request) => $request->headers['Last-Event-ID'] ?? null, $answers->requests));
        same('https://pay.example.com/api/events/stream?event=contact.created', $answers->requests[0]->url);
    },
    'a stream says that its address is wrong, and waits for the end of a page that takes its place' => function (): void {
        $page = new Response(200, ['content-type' => 'text/html'], '<html>');
        foreach ([new Response(301, [], ''), $page] as $answer) {
            $events = (new Client('https://pay.example.com', 'k', http: new Answers([$answer])))->events->stream();
            same($answer->status, thrown(KusanyaException::class, fn () => $events->current())->status);
        }
        $begun = new Response(200, ['content-type' => 'text/event-stream'], "id: 4\n\n");
        $answers = new Answers([$begun, $page, new Response(401, [], '{}')]);
        $events = (new Client('https://pay.example.com', 'k', http: $answers))->events->stream();
        same(401, thrown(KusanyaException::class, fn () => $events->current())->status);
        same(3, \count($answers->requests));
    },
    'a webhook gives its content' => function () use ($secret, $body, $headersOf): void {
        $verifier = new WebhookVerifier($secret);
        $notification = $verifier->verify($body, $headersOf($body), 1299);
        same(['contact.created', 'msg_1', 1000, 7], [$notification->type, $notification->webhook_id, $notification->sent->getTimestamp(), $notification->data->id]);
        $server = ['REQUEST_METHOD' => 'POST'];
        $lists = [];
        foreach ($headersOf($body) as $name => $value) {
            $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
            $lists[strtolower($name)] = [$value];
        }
        same('msg_1', $verifier->verify($body, $server, 1000)->webhook_id);
        same('msg_1', $verifier->verify($body, $lists, 1000)->webhook_id);
    },
    'all other requests are refused' => function () use ($secret, $body, $headersOf): void {
        $good = $headersOf($body);
        $v2 = str_replace('v1,', 'v2,', $good['Webhook-Signature']);
        foreach ([
            ["{$body} ", $good, 1000],
            [$body, $good, 1301],
            [$body, $good, 699],
            [$body, ['Webhook-Id' => 'msg_2'] + $good, 1000],
            [$body, ['Webhook-Timestamp' => 'NaN'] + $good, 1000],
            [$body, ['Webhook-Timestamp' => "1000\n"] + $good, 1000],
            [$body, ['Webhook-Signature' => 'v1,'] + $good, 1000],
            [$body, ['Webhook-Signature' => $v2] + $good, 1000],
            [$body, ['webhook-id' => 'msg_1'] + $good, 1000],
            [$body, [], 1000],
        ] as [$text, $headers, $now]) {
            thrown(WebhookVerificationException::class, fn () => (new WebhookVerifier($secret))->verify($text, $headers, $now));
        }
        foreach (['', 'whsec_?', []] as $wrong) {
            thrown(InvalidArgumentException::class, fn () => new WebhookVerifier($wrong));
        }
    },
];
