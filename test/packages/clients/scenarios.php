<?php

// Scenarios of the tests with the PHP client: `php scenarios.php <scenario> <url> <key>` prints the outcome as JSON.

declare(strict_types=1);

use Kusanya\Client;
use Kusanya\Input\BuyElectricity;
use Kusanya\Input\InvoiceSelection;
use Kusanya\Input\InvoiceSelectionVoid;
use Kusanya\Input\NewCollectionRequest;
use Kusanya\Input\NewContact;
use Kusanya\Input\NewPayment;
use Kusanya\Input\NewInvoice;
use Kusanya\Input\NewInvoiceBatch;
use Kusanya\Input\NewInvoiceCollection;
use Kusanya\Input\NewInvoiceSend;
use Kusanya\Input\NewInvoiceVoid;
use Kusanya\Input\NewPaymentLink;
use Kusanya\Input\NewReceipt;
use Kusanya\Input\NewReceiptSend;
use Kusanya\Input\NewRecipient;
use Kusanya\Input\NewRefund;
use Kusanya\Input\NewRequestAction;
use Kusanya\Input\NewRequestBatch;
use Kusanya\Input\NewSentPaymentLink;
use Kusanya\KusanyaException;
use Kusanya\Model\CollectionRequest;
use Kusanya\Model\Contact;
use Kusanya\WaitTimeoutException;
use Kusanya\WebhookVerificationException;
use Kusanya\WebhookVerifier;

error_reporting(\E_ALL);
set_error_handler(static fn (int $level, string $message, string $file, int $line) => throw new ErrorException($message, 0, $level, $file, $line));
spl_autoload_register(static function (string $class): void {
    require getenv('KUSANYA_CLIENT') . '/src/' . str_replace(['Kusanya\\', '\\'], ['', '/'], $class) . '.php';
});

const REQUEST = ['phonenumber' => '+80000000003', 'amount' => '1500', 'currency' => 'BXC', 'send_instructions' => true];

[, $name, $url, $key] = $argv;
$input = json_decode(stream_get_contents(\STDIN) ?: '{}', true, 512, \JSON_THROW_ON_ERROR);
echo json_encode(scenarios(new Client($url, $key, timeout: 20, retries: 2), $url, $input)[$name](), \JSON_THROW_ON_ERROR);

function errorOf(Closure $call): KusanyaException
{
    try {
        $call();
    } catch (KusanyaException $error) {
        return $error;
    }
    throw new LogicException('It was not refused.');
}

/** @return array<string, mixed> */
function describe(KusanyaException $error): array
{
    $fields = array_keys($error->fields);
    sort($fields);

    return [
        'status' => $error->status,
        'fields' => $fields,
        'is_outcome_unknown' => $error->is_outcome_unknown,
        'attempts' => $error->attempts,
    ];
}

function check(bool $is_so, string $what): void
{
    $is_so || throw new LogicException($what);
}

/** The difference of two amounts with four decimals. */
function difference(string $one, string $other): string
{
    return sprintf('%.4F', ((int) str_replace('.', '', $one) - (int) str_replace('.', '', $other)) / 10_000);
}

/**
 * @param array<string, mixed> $input
 *
 * @return array<string, Closure(): mixed>
 */
function scenarios(Client $kusanya, string $url, array $input): array
{
    return [
        'collect' => fn () => collect($kusanya),
        'pay' => fn () => pay($kusanya),
        'remind' => fn () => remind($kusanya, $input['request']),
        'refund' => fn () => refund($kusanya, $input['request']),
        'receipt' => fn () => receipt($kusanya, $input['request']),
        'retry' => function () use ($kusanya, $input) {
            $new = $kusanya->collectionRequests->retry($input['request']);
            $action = $kusanya->collectionRequests->actions($new->id)->first();

            return ['amount' => $new->amount, 'of' => $action->collection_request, 'new' => $action->new_request === $new->id];
        },
        'send_payment_link' => function () use ($kusanya, $input) {
            $link = $kusanya->collectionRequests->sendPaymentLink($input['request'], new NewSentPaymentLink(expiry_date: '2 days'));
            check($link == $kusanya->paymentLinks->get($link->id), 'The link is another.');

            return ['amount' => $link->amount, 'single_use' => $link->single_use];
        },
        'key_of_another' => function () use ($kusanya, $input) {
            $retried = errorOf(fn () => $kusanya->collectionRequests->retry($input['request'], duplicate_check_key: $input['key']));

            return ['error' => describe($retried), 'duplicate' => $retried->duplicate->id];
        },
        'send_receipt' => function () use ($kusanya, $input) {
            $sent = $kusanya->receipts->send($input['receipt'], new NewReceiptSend('sms'));

            return ['sends' => array_map(fn ($send) => [$send->channel, $send->recipient], $sent->sends)];
        },
        'invoice' => fn () => invoice($kusanya),
        'batches' => fn () => batches($kusanya, $input['tag']),
        'contacts' => fn () => contacts($kusanya, $input),
        'bills' => fn () => bills($kusanya, $input),
        'refusals' => fn () => refusals($kusanya, $url),
        'verify' => fn () => verify($input),
        'lost_answer' => function () use ($kusanya) {
            $request = $kusanya->collectionRequests->create(REQUEST + ['metadata' => ['order' => 'cut']]);

            return ['id' => $request->id, 'metadata' => $request->metadata];
        },
        'unknown' => function () use ($kusanya) {
            $error = errorOf(fn () => $kusanya->withOptions(retries: 0)->collectionRequests->create(REQUEST));
            $again = errorOf(fn () => $kusanya->collectionRequests->create(REQUEST, $error->duplicate_check_key));
            $found = $kusanya->collectionRequests->get($again->duplicate->id);

            return [
                'first' => describe($error),
                'again' => describe($again),
                'type' => $again->duplicate->type,
                'amount' => $found->amount,
            ];
        },
        'late' => fn () => describe(errorOf(fn () => $kusanya->withOptions(timeout: 0.2, retries: 0)->currencies->get(1))),
        'refused_thrice' => fn () => array_map(
            fn () => describe(errorOf(fn () => $kusanya->collectionRequests->create(REQUEST))),
            range(1, 3),
        ),
        'first_currency' => fn () => ['id' => $kusanya->currencies->list()->first()?->id],
        'waits' => function () use ($kusanya) {
            $request = $kusanya->collectionRequests->create(['phonenumber' => '+80000000009'] + REQUEST);
            try {
                $kusanya->collectionRequests->wait($request->id, 0.001);
            } catch (WaitTimeoutException $timeout) {
                return ['last' => $timeout->last->raw['id'] === $request->id];
            }
        },
        'follow' => function () use ($kusanya, $input) {
            $ids = [];
            foreach ($kusanya->events->stream(since: 1, types: ['contact.created']) as $event) {
                check($event->data instanceof Contact && $event->hook->id === 0, 'An event is not as it should be.');
                $ids[] = $event->id;
                if (count($ids) === $input['count']) {
                    break;
                }
            }

            return ['ids' => $ids];
        },
    ];
}

/** @return array<string, mixed> */
function collect(Client $kusanya): array
{
    $before = $kusanya->accounts->list(['currency' => 'BXC'])->first();
    $created = $kusanya->collectionRequests->create(new NewCollectionRequest(
        phonenumber: '+80000000003',
        amount: '1500.25',
        currency: 'BXC',
        send_instructions: true,
        metadata: ['order' => 7, 'weight' => 0.5],
    ));
    $request = $kusanya->collectionRequests->wait($created->id);
    $collection = $kusanya->collections->get($request->collection);
    $after = $kusanya->accounts->get($before->id);
    $ids = [];
    foreach ($kusanya->events->list(['type' => 'collection.received']) as $event) {
        $ids[] = $event->data->id;
    }
    check($request->created instanceof DateTimeImmutable, 'A time is not a DateTimeImmutable.');
    check($request->contact->phone_number === '+80000000003' && $request->raw['status'] === 'successful', 'The request is another.');
    check($collection->collection_request instanceof CollectionRequest, 'The collection has no request.');

    return [
        'created' => $created->status,
        'status' => $request->status,
        'amount' => $request->amount,
        'metadata' => $request->metadata,
        'collection' => $collection->amount,
        'transaction' => $kusanya->transactions->get($collection->transaction->id)->amount,
        'gained' => difference($after->balance, $before->balance),
        'event' => in_array($collection->id, $ids, true),
    ];
}

/** @return array<string, mixed> */
function pay(Client $kusanya): array
{
    $payment = $kusanya->payments->create(new NewPayment(
        description: 'Wages',
        currency: 'BXC',
        recipient_data: [
            new NewRecipient(phonenumber: '+80000000003', amount: 100),
            ['phonenumber' => '+80000000004', 'amount' => '50.5', 'metadata' => []],
        ],
    ));
    $ended = $kusanya->payments->wait($payment->id);
    $link = $kusanya->paymentLinks->create(new NewPaymentLink(title: 'Fees', currency: 'BXC', amounts: ['1000', '2000.5']));
    $closed = $kusanya->paymentLinks->update($link->id, ['state' => 'closed', 'expiry_date' => null]);

    return [
        'state' => $ended->state,
        'amount' => $ended->amount,
        'recipients' => array_map(fn ($recipient) => $recipient->state, $ended->phone_nos),
        'link' => [$closed->state, ...$link->amounts],
    ];
}

/** @return array<string, mixed> */
function remind(Client $kusanya, int $id): array
{
    $action = $kusanya->collectionRequests->remind($id, new NewRequestAction('Friday'));
    check($kusanya->collectionRequests->actions($id)->toArray() == [$action], 'The actions are others.');
    $again = errorOf(fn () => $kusanya->collectionRequests->remind($id));

    return ['kind' => $action->kind, 'comment' => $action->comment, 'again' => describe($again)];
}

/** @return array<string, mixed> */
function refund(Client $kusanya, int $id): array
{
    $payment = $kusanya->collectionRequests->refund($id, new NewRefund(reason: 'duplicate', amount: '500.25'));
    $actions = $kusanya->collectionRequests->actions($id, ['limit' => 1])->toArray();

    return [
        'amount' => $payment->amount,
        'actions' => array_map(fn ($action) => [$action->kind, $action->reason, $action->payment === $payment->id], $actions),
    ];
}

/** @return array<string, mixed> */
function invoice(Client $kusanya): array
{
    $lines = [['text' => 'School uniform', 'quantity' => '2', 'unit_price' => '750', 'tax_rate' => '18']];
    $input = new NewInvoice(currency: 'BXC', lines: $lines, phonenumber: '+80000000003');
    $draft = $kusanya->invoices->create($input);
    $other = $kusanya->invoices->create($input);
    check($kusanya->invoices->delete($other->id)->id === $other->id, 'Another was deleted.');
    check($kusanya->invoices->update($draft->id, ['notes' => 'For Ada'])->notes === 'For Ada', 'The notes are others.');
    $issued = $kusanya->invoices->issue($draft->id);
    check($kusanya->invoices->list(['number' => $issued->number])->toArray() == [$issued], 'It is not listed.');
    $sent = $kusanya->invoices->send($issued->id, new NewInvoiceSend('sms'));
    $requested = $kusanya->invoices->collect($issued->id, new NewInvoiceCollection('500'));
    $wrong = $kusanya->invoices->issue($kusanya->invoices->create($input)->id);
    $voided = $kusanya->invoices->void($wrong->id, new NewInvoiceVoid('Wrong price'));

    return [
        'total' => $issued->total,
        'sends' => array_map(fn ($send) => [$send->channel, $send->recipient], $sent->sends),
        'requests' => array_map(fn ($request) => [$request->source, $request->amount], $requested->requests),
        'states' => [$draft->state, $issued->state, $voided->state],
    ];
}

/** @return array<string, mixed> */
function batches(Client $kusanya, string $tag): array
{
    $term = new NewInvoiceBatch($tag, 'BXC', text: 'Term 1', amount: '850', issue: true);
    $batch = $kusanya->invoiceBatches->create($term, $tag);
    check($kusanya->invoiceBatches->create($term, $tag) == $batch, 'The same call made another batch.');
    check($kusanya->invoiceBatches->get($batch->id) == $batch, 'It is read as another.');
    check($kusanya->invoiceBatches->list()->first() == $batch, 'It is not listed.');
    $refused = errorOf(fn () => $kusanya->invoiceBatches->create(['amount' => '900'] + $term->toArray(), $tag));
    $preview = $kusanya->invoiceBatches->preview($term);
    $drafts = $kusanya->invoiceBatches->create(new NewInvoiceBatch($tag, 'BXC', text: 'Term 2', amount: '850'));
    $ids = array_map(fn ($invoice) => $invoice->id, $kusanya->invoices->list(['batch' => $drafts->id])->toArray());
    $issued = $kusanya->invoices->issueMany(new InvoiceSelection(filter: ['batch' => $drafts->id]));
    $reminded = $kusanya->invoices->remindMany(new InvoiceSelection($ids));
    $voided = $kusanya->invoices->voidMany(new InvoiceSelectionVoid($ids, reason: 'Wrong term'));
    $trip = new NewRequestBatch($tag, '500', 'BXC', 'Trip');
    $rows = $kusanya->requestBatches->preview($trip)->rows;
    $asked = $kusanya->requestBatches->create($trip);
    check($kusanya->requestBatches->get($asked->id) == $asked, 'It is read as another.');
    check($kusanya->requestBatches->list()->first() == $asked, 'It is not listed.');
    [$total] = $kusanya->invoices->sumByTag(['tag' => $tag]);
    $customers = $kusanya->invoices->customers(['tag' => $tag, 'limit' => 1])->toArray();

    return [
        'made' => [$batch->made, $batch->skipped],
        'other' => [$refused->status, $refused->duplicate->type, $refused->duplicate->id === $batch->id],
        'preview' => [array_map(fn ($sum) => $sum->total, $preview->all), count($preview->duplicates)],
        'done' => [$issued->done, $reminded->done + count($reminded->left_out), $voided->done],
        'requests' => [array_map(fn ($row) => $row->state, $rows), $asked->made],
        'open' => $total->open,
        'customers' => array_map(fn ($one) => [$one->name, $one->open], $customers),
    ];
}

/** @return array<string, mixed> */
function receipt(Client $kusanya, int $request): array
{
    $receipt = $kusanya->receipts->issue(new NewReceipt(collection_request: $request));
    check($kusanya->receipts->issue(['collection' => $receipt->collection]) == $receipt, 'It was issued twice.');
    check($kusanya->receipts->get($receipt->id) == $receipt, 'It is read as another.');
    check($kusanya->receipts->list(['number' => $receipt->number])->toArray() == [$receipt], 'It is not listed.');

    return [
        'amount' => $receipt->amount,
        'state' => $receipt->state,
        'pdf' => $receipt->pdf_url === "{$receipt->url}.pdf",
        'sends' => $receipt->sends,
    ];
}

/**
 * @param array<string, mixed> $input
 *
 * @return array<string, mixed>
 */
function contacts(Client $kusanya, array $input): array
{
    $ids = [];
    for ($number = 0; $number < 5; ++$number) {
        $phone = "+80000000{$input['prefix']}{$number}";
        $ids[] = $kusanya->contacts->create(new NewContact(phone_number: $phone, first_name: "Jane {$number}", last_name: $input['name']))->id;
    }
    $listing = $kusanya->contacts->list(['last_name' => $input['name'], 'limit' => 2, 'ordering' => 'id']);
    $changed = $kusanya->contacts->update($ids[0], ['email' => 'jane@example.com']);
    $pages = [];
    foreach ($listing->pages() as $page) {
        $pages[] = count($page->results);
    }

    return [
        'same' => array_map(fn ($contact) => $contact->id, $listing->toArray()) === $ids,
        'count' => $listing->page()->count,
        'pages' => $pages,
        'first' => $listing->first()->id === $ids[0],
        'some' => count($listing->toArray(3)),
        'none' => $kusanya->contacts->list(['last_name' => 'Nemo'])->first(),
        'since' => $kusanya->contacts->list(['created_after' => $changed->created, 'limit' => 1])->page()->count >= 0,
        'email' => $changed->email,
        'owed' => $kusanya->contacts->statement($ids[0], '2030-01-01', '2030-01-31', 'KES')->closing_balance,
        'open' => array_map(fn ($total) => $total->currency, $kusanya->reports->ageing($input['name'], limit: 1)->totals),
        'unmatched' => count($kusanya->reports->unmatched('KES', 1)->rows),
        'claimed' => $kusanya->collections->claim('77', '+80000000003', 'no'),
    ];
}

/** @return array<string, mixed> */
function refusals(Client $kusanya, string $url): array
{
    $wrong = errorOf(fn () => $kusanya->collectionRequests->create(new NewCollectionRequest('x', '-1', 'BXC')));
    $stranger = new Client($url, 'ksy_wrong');
    $error = errorOf(fn () => $stranger->accounts->list()->first());
    check(!str_contains(print_r([$error, $stranger], true), 'ksy_wrong'), 'The key can be read.');

    return [
        'wrong' => describe($wrong),
        'request_id' => is_string($wrong->request_id),
        'message' => str_contains($wrong->getMessage(), 'POST /api/collectionrequests: 400'),
        'stranger' => [$error->status, $error->detail],
        'missing' => errorOf(fn () => $kusanya->payments->get(999_999_999))->status,
    ];
}

/**
 * @param array<string, mixed> $input
 *
 * @return array<string, mixed>
 */
function bills(Client $kusanya, array $input): array
{
    $purchase = new BuyElectricity(
        agentReference: $input['reference'],
        amount: '5000',
        phone: '08012345678',
        service_type: 'abuja_electric_prepaid',
        account_number: '45060582249',
    );
    $result = $kusanya->bills->buyElectricity($purchase);
    $again = errorOf(fn () => $kusanya->bills->buyElectricity($purchase));
    check(preg_match('/^\d+(\.\d+)?$/', $kusanya->bills->getBalance()->balance) === 1, 'The balance is no amount.');

    return [
        'name' => $kusanya->bills->verifyMeter('abuja_electric_prepaid', '45060582249')->name !== '',
        'status' => $result->transactionStatus,
        'token' => $result->tokenAmount,
        'same' => $kusanya->bills->wait(agentReference: $input['reference']) == $result,
        'again' => [$again->status, $again->error_code, $again->is_outcome_unknown],
        'airtime' => in_array('mtn', array_map(fn ($one) => $one->service_type, $kusanya->bills->listAirtimeProviders()), true),
        'services' => count($kusanya->bills->listServices('NG')) > 0,
        'prices' => array_filter($kusanya->bills->listDataBundles('mtn'), fn ($bundle) => !is_string($bundle->price)) === [],
    ];
}

/**
 * @param array<string, mixed> $input
 *
 * @return array<string, mixed>
 */
function verify(array $input): array
{
    ['body' => $body, 'headers' => $headers, 'secret' => $secret, 'another' => $another] = $input;
    $notification = (new WebhookVerifier([$another, $secret]))->verify($body, $headers);
    $later = $notification->sent->getTimestamp() + 301;
    $refused = [];
    foreach ([["{$body} ", $secret, null], [$body, $another, null], [$body, $secret, $later]] as [$text, $key, $now]) {
        try {
            (new WebhookVerifier($key))->verify($text, $headers, $now);
        } catch (WebhookVerificationException $error) {
            $refused[] = $error->getMessage();
        }
    }

    return [
        'type' => $notification->type,
        'hook' => $notification->hook->event,
        'data' => [$notification->data->id, $notification->data->status, $notification->data->amount],
        'metadata' => $notification->data->metadata,
        'webhook_id' => $notification->webhook_id,
        'refused' => $refused,
    ];
}
