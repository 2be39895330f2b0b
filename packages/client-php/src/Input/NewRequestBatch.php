<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** A request for the same amount to each customer with a tag. */
final class NewRequestBatch extends Input
{
    public function __construct(
        /** The tag of the customers, such as a class. */
        public readonly string $tag,
        /** Amount requested from each customer. */
        public readonly string|int $amount,
        /** One of BXC, UGX, KES. */
        public readonly string $currency,
        /** Reason for the payment. */
        public readonly ?string $reason = null,
        /** A date such as 31/12/2030, or a time from now. Default: 24 hours. */
        public readonly ?string $expiry_date = null,
        /** Whether the phones of the customers show a prompt. Default true. */
        public readonly ?bool $send_instructions = null,
        /** `skip`: none for a customer who has an open or recent request for the same amount and reason; `create`: one more. Default `skip`. One of skip, create. */
        public readonly ?string $duplicates = null,
    ) {
    }
}
