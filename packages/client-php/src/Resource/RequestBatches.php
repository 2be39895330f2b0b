<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Input\NewRequestBatch;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\RequestBatch;
use Kusanya\Model\RequestBatchPreview;

/**
 * Collection requests to all customers with a tag. The list also has the batches of files.
 *
 * @phpstan-import-type RequestBatchesFilters from Filters
 *
 * @extends Batches<RequestBatch>
 */
final class RequestBatches extends Batches
{
    /**
     * Requests the same amount from each customer with a tag. The same call with the same key continues the batch and returns its
     * state.
     *
     * @param NewRequestBatch|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the name of a term, only one batch is made within 24
     *     hours, even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function create(NewRequestBatch|array $input, ?string $duplicate_check_key = null): RequestBatch
    {
        return $this->createBatch('requestbatch', $input, $duplicate_check_key);
    }

    /**
     * Checks a batch. Nothing is stored.
     *
     * @param NewRequestBatch|array<string, mixed> $input
     *
     * @throws KusanyaException
     */
    public function preview(NewRequestBatch|array $input): RequestBatchPreview
    {
        return $this->previewBatch($input, RequestBatchPreview::class);
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param RequestBatchesFilters $filters
     *
     * @return Listing<RequestBatch>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
