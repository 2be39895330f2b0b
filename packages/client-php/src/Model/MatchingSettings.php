<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The rules about unrequested money. */
final class MatchingSettings extends Model
{
    /** Rule for overpayments: `keep` leaves the surplus unmatched, `credit` makes it credit for the next invoice, `return` sends it back. One of keep, credit, return; new values may be added. */
    public readonly string $overpayment;
    /** Answer to a network that validates payments in advance, when the payer typed an unknown number. One of accept, reject; new values may be added. */
    public readonly string $unknown_number;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['overpayment'])) {
            $this->overpayment = $data['overpayment'];
        }
        if (isset($data['unknown_number'])) {
            $this->unknown_number = $data['unknown_number'];
        }
    }
}
