<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Listing;
use Kusanya\Model\Account;

/**
 * Wallets and their balances.
 *
 * @phpstan-import-type AccountsFilters from Filters
 *
 * @extends Resource<Account>
 */
final class Accounts extends Resource
{
    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param AccountsFilters $filters
     *
     * @return Listing<Account>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
