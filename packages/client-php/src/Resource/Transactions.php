<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Listing;
use Kusanya\Model\Transaction;

/**
 * Changes of balances.
 *
 * @phpstan-import-type TransactionsFilters from Filters
 *
 * @extends Resource<Transaction>
 */
final class Transactions extends Resource
{
    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param TransactionsFilters $filters
     *
     * @return Listing<Transaction>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
