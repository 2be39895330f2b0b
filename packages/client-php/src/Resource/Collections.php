<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Duplicate;
use Kusanya\Input\Filters;
use Kusanya\Input\NewAllocations;
use Kusanya\Internal\Call;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Collection;
use Kusanya\Model\CollectionAllocations;
use Kusanya\Model\CollectionSuggestions;

/**
 * Incoming payments of customers.
 *
 * @phpstan-import-type CollectionsFilters from Filters
 *
 * @extends Resource<Collection>
 */
final class Collections extends Resource
{
    /**
     * Reserves the one unmatched collection that has these values for the user of the key, for good. Null if there is none;
     * several are an error with the field `claim`. A repeated call gives the same collection.
     *
     * @throws KusanyaException
     */
    public function claim(string|int $amount, string $phonenumber, string $remote_transaction_id): ?Collection
    {
        $values = ['amount' => $amount, 'phonenumber' => $phonenumber, 'remote_transaction_id' => $remote_transaction_id];

        return $this->loadPage($values + ['claim' => 'True'], writes: true)->results[0] ?? null;
    }

    /**
     * What a collection is for, and how much of it is for nothing yet.
     *
     * @throws KusanyaException
     */
    public function allocations(int $id): CollectionAllocations
    {
        return $this->transport->send(new Call('GET', "{$this->path}/{$id}/allocations", self::readAllocations(...)));
    }

    /**
     * What unmatched money may be for, the likeliest first.
     *
     * @throws KusanyaException
     */
    public function suggestions(int $id): CollectionSuggestions
    {
        $read = static fn (array $data): CollectionSuggestions => new CollectionSuggestions($data);

        return $this->transport->send(new Call('GET', "{$this->path}/{$id}/suggestions", $read));
    }

    /**
     * Matches unmatched money with invoices, customers or payment links; several parts split it. `instead_of` moves money.
     *
     * @param NewAllocations|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function allocate(int $id, NewAllocations|array $input, ?string $duplicate_check_key = null): CollectionAllocations
    {
        return $this->transport->send(new Call(
            'POST',
            "{$this->path}/{$id}/allocations",
            self::readAllocations(...),
            body: $input,
            creates: 'collection',
            duplicate_check_key: $duplicate_check_key,
            read_created: fn (Duplicate $duplicate): ?CollectionAllocations => $duplicate->id === $id ? $this->allocations($id) : null,
        ));
    }

    /**
     * Takes an allocation back: its money is unmatched again.
     *
     * @throws KusanyaException
     */
    public function endAllocation(int $id, int $allocation): CollectionAllocations
    {
        $path = "{$this->path}/{$id}/allocations/{$allocation}";

        return $this->transport->send(new Call('DELETE', $path, self::readAllocations(...), writes: true));
    }

    /** @param array<string, mixed> $data */
    private static function readAllocations(array $data): CollectionAllocations
    {
        return new CollectionAllocations($data);
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param CollectionsFilters $filters
     *
     * @return Listing<Collection>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
