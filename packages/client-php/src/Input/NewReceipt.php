<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Issue the receipt of a payment, or get the existing one. */
final class NewReceipt extends Input
{
    public function __construct(
        /** The payment. */
        public readonly ?int $collection = null,
        /** Or the request that it fulfilled. */
        public readonly ?int $collection_request = null,
    ) {
    }
}
