<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Void an issued invoice; it keeps its number. */
final class NewInvoiceVoid extends Input
{
    public function __construct(
        /** Reason in your own words, kept on record. */
        public readonly ?string $reason = null,
    ) {
    }
}
