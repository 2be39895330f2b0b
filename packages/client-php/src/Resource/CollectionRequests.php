<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Input\NewCollectionRequest;
use Kusanya\Internal\Poll;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\CollectionRequest;
use Kusanya\WaitTimeoutException;

/**
 * Requests for money from customers.
 *
 * @phpstan-import-type CollectionRequestsFilters from Filters
 *
 * @extends Resource<CollectionRequest>
 */
final class CollectionRequests extends Resource
{
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
}
