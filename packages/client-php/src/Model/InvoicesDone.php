<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The results for many invoices. */
final class InvoicesDone extends Model
{
    /** Number of invoices processed. */
    public readonly int $done;
    /** @var list<InvoiceLeftOut> Skipped invoices, each with the reason. */
    public readonly array $left_out;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['done'])) {
            $this->done = $data['done'];
        }
        if (isset($data['left_out'])) {
            $this->left_out = array_map(static fn (array $item) => new InvoiceLeftOut($item), $data['left_out']);
        }
    }
}
