<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Collection;

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
