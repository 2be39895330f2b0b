<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Change the rules for unrequested money. */
final class MatchingSettingsChanges extends Input
{
    public function __construct(
        /** Rule for overpayments: `keep` leaves the surplus unmatched, `credit` makes it credit for the next invoice, `return` sends it back. One of keep, credit, return. */
        public readonly ?string $overpayment = null,
        /** Answer to a network that validates payments in advance, when the payer typed an unknown number. One of accept, reject. */
        public readonly ?string $unknown_number = null,
    ) {
    }
}
