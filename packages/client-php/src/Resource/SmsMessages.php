<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Listing;
use Kusanya\Model\Sms;

/**
 * Messages to customers, and whether they arrived.
 *
 * @phpstan-import-type SmsFilters from Filters
 *
 * @extends Resource<Sms>
 */
final class SmsMessages extends Resource
{
    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param SmsFilters $filters
     *
     * @return Listing<Sms>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
