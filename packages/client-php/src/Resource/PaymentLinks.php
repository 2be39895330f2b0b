<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Input\NewPaymentLink;
use Kusanya\Input\PaymentLinkChanges;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\PaymentLink;

/**
 * Pages on which customers pay.
 *
 * @phpstan-import-type PaymentLinksFilters from Filters
 *
 * @extends Resource<PaymentLink>
 */
final class PaymentLinks extends Resource
{
    /**
     * Creates a page on which customers pay.
     *
     * @param NewPaymentLink|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, only one call creates
     *     something for 24 hours, even if your program is restarted in between; default: a random key for each call, which all its
     *     attempts have
     *
     * @throws KusanyaException
     */
    public function create(NewPaymentLink|array $input, ?string $duplicate_check_key = null): PaymentLink
    {
        return $this->createOnce('paymentlink', $input, $duplicate_check_key);
    }

    /**
     * Changes the given fields. `['state' => 'closed']` closes the link, `['expiry_date' => null]` removes its end.
     *
     * @param PaymentLinkChanges|array<string, mixed> $changes
     *
     * @throws KusanyaException
     */
    public function update(int $id, PaymentLinkChanges|array $changes): PaymentLink
    {
        return $this->change($id, $changes);
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param PaymentLinksFilters $filters
     *
     * @return Listing<PaymentLink>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
