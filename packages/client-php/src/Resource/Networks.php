<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Listing;
use Kusanya\Model\Network;

/**
 * Mobile-money networks.
 *
 * @phpstan-import-type NetworksFilters from Filters
 *
 * @extends Resource<Network>
 */
final class Networks extends Resource
{
    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param NetworksFilters $filters
     *
     * @return Listing<Network>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
