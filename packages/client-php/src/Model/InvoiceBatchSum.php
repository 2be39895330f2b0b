<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The number of invoices and their sum. */
final class InvoiceBatchSum extends Model
{
    /** Three-letter code. */
    public readonly string $currency;
    /** How many. */
    public readonly int $invoices;
    /** Their totals together. A decimal number as text. */
    public readonly string $total;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['invoices'])) {
            $this->invoices = $data['invoices'];
        }
        if (isset($data['total'])) {
            $this->total = self::amount($data['total']);
        }
    }
}
