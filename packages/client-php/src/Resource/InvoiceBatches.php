<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Input\NewInvoiceBatch;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\InvoiceBatch;
use Kusanya\Model\InvoiceBatchPreview;

/**
 * Invoices for all customers with a tag. The list also has the batches of files.
 *
 * @phpstan-import-type InvoiceBatchesFilters from Filters
 *
 * @extends Batches<InvoiceBatch>
 */
final class InvoiceBatches extends Batches
{
    /**
     * Makes an invoice for each customer with a tag. The same call with the same key continues the batch and returns its
     * state.
     *
     * @param NewInvoiceBatch|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the name of a term, only one batch is made within 24
     *     hours, even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function create(NewInvoiceBatch|array $input, ?string $duplicate_check_key = null): InvoiceBatch
    {
        return $this->createBatch('invoicebatch', $input, $duplicate_check_key);
    }

    /**
     * Checks a batch. Nothing is stored.
     *
     * @param NewInvoiceBatch|array<string, mixed> $input
     *
     * @throws KusanyaException
     */
    public function preview(NewInvoiceBatch|array $input): InvoiceBatchPreview
    {
        return $this->previewBatch($input, InvoiceBatchPreview::class);
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param InvoiceBatchesFilters $filters
     *
     * @return Listing<InvoiceBatch>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
