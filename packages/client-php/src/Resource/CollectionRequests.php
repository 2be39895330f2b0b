<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Duplicate;
use Kusanya\Input\Filters;
use Kusanya\Input\Input;
use Kusanya\Input\NewCollectionRequest;
use Kusanya\Input\NewRefund;
use Kusanya\Input\NewRequestAction;
use Kusanya\Input\NewSentPaymentLink;
use Kusanya\Internal\Call;
use Kusanya\Internal\Poll;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\CollectionRequest;
use Kusanya\Model\Model;
use Kusanya\Model\Payment;
use Kusanya\Model\PaymentLink;
use Kusanya\Model\RequestAction;
use Kusanya\Model\RequestUnmatchedMoney;
use Kusanya\Page;
use Kusanya\WaitTimeoutException;

/**
 * Requests for money from customers.
 *
 * @phpstan-import-type CollectionRequestsFilters from Filters
 * @phpstan-import-type RequestActionsFilters from Filters
 *
 * @extends Resource<CollectionRequest>
 */
final class CollectionRequests extends Resource
{
    /** What each action makes: its type, its model, the field of the action that names it, and where it is read. */
    private const MADE = [
        'remind' => ['requestaction', RequestAction::class, 'id', null],
        'retry' => ['collectionrequest', CollectionRequest::class, 'new_request', '/api/collectionrequests'],
        'paymentlink' => ['paymentlink', PaymentLink::class, 'payment_link', '/api/paymentlinks'],
        'refund' => ['payment', Payment::class, 'payment', '/api/payments'],
    ];

    /**
     * Asks a customer for money. With `send_instructions` the customer's phone shows a prompt.
     *
     * @param NewCollectionRequest|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, only one call creates
     *     something for 24 hours, even if your program is restarted in between; default: a random key for each call, which all its
     *     attempts have
     *
     * @throws KusanyaException
     */
    public function create(NewCollectionRequest|array $input, ?string $duplicate_check_key = null): CollectionRequest
    {
        return $this->createOnce('collectionrequest', $input, $duplicate_check_key);
    }

    /**
     * Sends the instructions of an open request again, and brings its next prompt forward. Refused (KusanyaException with
     * `$fields['collection_request']`) at night, too often, and if the request is not open.
     *
     * @param NewRequestAction|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function remind(int $id, NewRequestAction|array $input = [], ?string $duplicate_check_key = null): RequestAction
    {
        return $this->act($id, 'remind', $input, $duplicate_check_key);
    }

    /**
     * Makes a new request with the contents of one that has failed or expired, and gives the new one. Refused while the network
     * has not said what became of its last prompt.
     *
     * @param NewRequestAction|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function retry(int $id, NewRequestAction|array $input = [], ?string $duplicate_check_key = null): CollectionRequest
    {
        return $this->act($id, 'retry', $input, $duplicate_check_key);
    }

    /**
     * Makes a payment link for one use with the amount of a request that has failed or expired, and sends it by SMS.
     *
     * @param NewSentPaymentLink|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function sendPaymentLink(int $id, NewSentPaymentLink|array $input = [], ?string $duplicate_check_key = null): PaymentLink
    {
        return $this->act($id, 'paymentlink', $input, $duplicate_check_key);
    }

    /**
     * Sends the money of a successful request back, all that is left of it or an amount. The payment may need an approval.
     *
     * @param NewRefund|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function refund(int $id, NewRefund|array $input, ?string $duplicate_check_key = null): Payment
    {
        return $this->act($id, 'refund', $input, $duplicate_check_key);
    }

    /**
     * Unmatched money from the phone of a request, the nearest amount first.
     *
     * @throws KusanyaException
     */
    public function unmatchedMoney(int $id): RequestUnmatchedMoney
    {
        $read = static fn (array $data): RequestUnmatchedMoney => new RequestUnmatchedMoney($data);

        return $this->transport->send(new Call('GET', "{$this->path}/{$id}/unmatched-money", $read));
    }

    /**
     * What people did about a request, and why: reminders, retries, payment links and refunds.
     *
     * @param RequestActionsFilters $filters
     *
     * @return Listing<RequestAction>
     */
    public function actions(int $id, array $filters = []): Listing
    {
        $read = static fn (array $data): RequestAction => new RequestAction($data);
        $readPage = static fn (array $page): Page => self::readPage($page, $read);
        $load = fn (array $query): Page => $this->transport->send(new Call('GET', "{$this->path}/{$id}/actions", $readPage, $query));

        return new Listing($load, $filters);
    }

    /**
     * Reads a request until it has ended: successful, failed, expired or reversed. It waits `$wait` seconds; then the request goes
     * on. In production wait for a webhook instead.
     *
     * @throws WaitTimeoutException|KusanyaException
     */
    public function wait(int $id, float $wait = 300.0): CollectionRequest
    {
        // New states may be added: every other state means that it is in progress.
        $hasEnded = static fn (CollectionRequest $item): bool => \in_array($item->status, ['successful', 'failed', 'expired', 'reversed'], true);

        return Poll::until("Collection request {$id}", fn (): CollectionRequest => $this->get($id), $hasEnded, $wait);
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param CollectionRequestsFilters $filters
     *
     * @return Listing<CollectionRequest>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }

    /** @param Input|array<string, mixed> $input */
    private function act(int $id, string $verb, Input|array $input, ?string $duplicate_check_key): mixed
    {
        [$creates, $model] = self::MADE[$verb];

        return $this->transport->send(new Call(
            'POST',
            "{$this->path}/{$id}/{$verb}",
            static fn (array $data): Model => new $model($data),
            body: $input,
            creates: $creates,
            duplicate_check_key: $duplicate_check_key,
            read_created: fn (Duplicate $duplicate): ?Model => $this->findMade($id, $verb, $duplicate->id),
        ));
    }

    /** What an action of this request made. Null if there is none: the key of a call may have been that of another one. */
    private function findMade(int $id, string $verb, int $made): ?Model
    {
        [, $model, $field, $path] = self::MADE[$verb];
        foreach ($this->actions($id) as $action) {
            if ($action->{$field} === $made) {
                $read = static fn (array $data): Model => new $model($data);

                return $path === null ? $action : $this->transport->send(new Call('GET', "{$path}/{$made}", $read));
            }
        }

        return null;
    }
}
