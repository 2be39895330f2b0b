<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The rules about unrequested money. */
final class MatchingSettings extends Model
{
    /** More money than an invoice asks for: `keep` leaves it unmatched, `credit` puts it on the account of the customer, where it pays the next invoice, `return` sends it back. One of keep, credit, return; new values may be added. */
    public readonly string $overpayment;
    /** The answer to a network that asks before it takes money, where the payer typed a number that is not known. One of accept, reject; new values may be added. */
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
