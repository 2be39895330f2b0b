<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Input\NewPayment;
use Kusanya\Internal\Poll;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Payment;
use Kusanya\WaitTimeoutException;

/**
 * Money and airtime that is sent to phones.
 *
 * @phpstan-import-type PaymentsFilters from Filters
 *
 * @extends Resource<Payment>
 */
final class Payments extends Resource
{
    /**
     * Sends money or airtime to one recipient, or to as many as `recipient_data` has.
     *
     * @param NewPayment|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, only one call creates
     *     something for 24 hours, even if your program is restarted in between; default: a random key for each call, which all its
     *     attempts have
     *
     * @throws KusanyaException
     */
    public function create(NewPayment|array $input, ?string $duplicate_check_key = null): Payment
    {
        return $this->createOnce('payment', $input, $duplicate_check_key);
    }

    /**
     * Reads a payment until it has ended: processed, processed_with_errors, rejected or cancelled. It waits `$wait` seconds; then
     * the payment goes on.
     *
     * @throws WaitTimeoutException|KusanyaException
     */
    public function wait(int $id, float $wait = 300.0): Payment
    {
        // New states may be added: every other state means that it is in progress.
        $hasEnded = static fn (Payment $item): bool => \in_array($item->state, ['processed', 'processed_with_errors', 'rejected', 'cancelled'], true);

        return Poll::until("Payment {$id}", fn (): Payment => $this->get($id), $hasEnded, $wait);
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param PaymentsFilters $filters
     *
     * @return Listing<Payment>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
