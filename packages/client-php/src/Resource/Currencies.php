<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Listing;
use Kusanya\Model\Currency;

/**
 * Currencies of wallets.
 *
 * @phpstan-import-type CurrenciesFilters from Filters
 *
 * @extends Resource<Currency>
 */
final class Currencies extends Resource
{
    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param CurrenciesFilters $filters
     *
     * @return Listing<Currency>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
