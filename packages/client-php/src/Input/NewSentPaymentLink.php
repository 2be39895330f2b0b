<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Send a payment link for a failed or expired request. */
final class NewSentPaymentLink extends Input
{
    public function __construct(
        /** Reason in your own words, kept on record. */
        public readonly ?string $comment = null,
        /** When the link stops taking payments: a time from now such as `24 hours`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601. */
        public readonly ?string $expiry_date = null,
    ) {
    }
}
