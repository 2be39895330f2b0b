<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Send the money of a successful request back, all of it or a part. */
final class NewRefund extends Input
{
    public function __construct(
        /** Why the money goes back. `other` needs a comment. One of customer_request, duplicate, wrong_amount, not_delivered, fraud, other. */
        public readonly string $reason,
        /** A part of the money; all that is left unless given. */
        public readonly string|int|null $amount = null,
        /** Why, in own words; it is kept. */
        public readonly ?string $comment = null,
    ) {
    }
}
