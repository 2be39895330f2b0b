<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The requests that a batch would make. */
final class RequestBatchPreview extends Model
{
    /** @var list<RequestBatchRow> Each row of the file, or each customer with the tag. */
    public readonly array $rows;
    /** @var list<RequestBatchSum> Sums of all requests that can be made. */
    public readonly array $all;
    /** @var list<RequestBatchSum> Sums without duplicates in the file and requests made earlier. */
    public readonly array $without_duplicates;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['rows'])) {
            $this->rows = array_map(static fn (array $item) => new RequestBatchRow($item), $data['rows']);
        }
        if (isset($data['all'])) {
            $this->all = array_map(static fn (array $item) => new RequestBatchSum($item), $data['all']);
        }
        if (isset($data['without_duplicates'])) {
            $this->without_duplicates = array_map(static fn (array $item) => new RequestBatchSum($item), $data['without_duplicates']);
        }
    }
}
