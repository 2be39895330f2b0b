<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Invoices by their ids, or all that match a filter. */
final class InvoiceSelection extends Input
{
    public function __construct(
        /** @var list<int>|null Ids of the invoices. Give these, or a filter. */
        public readonly ?array $invoices = null,
        /** @var array<string, mixed>|null All invoices that match these filters of the list and are in a suitable state. */
        public readonly ?array $filter = null,
    ) {
    }
}
