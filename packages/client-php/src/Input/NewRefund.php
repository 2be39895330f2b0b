<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Refund a request, in full or in part. */
final class NewRefund extends Input
{
    public function __construct(
        /** Reason for the refund. `other` needs a comment. One of customer_request, duplicate, wrong_amount, not_delivered, fraud, other. */
        public readonly string $reason,
        /** Part of the money. Default: all that is left. */
        public readonly string|int|null $amount = null,
        /** Reason in your own words, kept on record. */
        public readonly ?string $comment = null,
    ) {
    }
}
