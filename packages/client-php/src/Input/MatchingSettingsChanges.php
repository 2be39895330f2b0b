<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Change what is done with money that nobody asked for. */
final class MatchingSettingsChanges extends Input
{
    public function __construct(
        /** More money than an invoice asks for: `keep` leaves it unmatched, `credit` puts it on the account of the customer, where it pays the next invoice, `return` sends it back. One of keep, credit, return. */
        public readonly ?string $overpayment = null,
        /** The answer to a network that asks before it takes money, where the payer typed a number that is not known. One of accept, reject. */
        public readonly ?string $unknown_number = null,
    ) {
    }
}
