<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** A part of money for an invoice, a customer or a payment link. */
final class NewAllocationPart extends Input
{
    public function __construct(
        /** An issued invoice. */
        public readonly ?int $invoice = null,
        /** A customer, who gets credit. */
        public readonly ?int $contact = null,
        /** A payment link. */
        public readonly ?int $payment_link = null,
        /** Default: what the invoice asks for, or all that is left. */
        public readonly string|int|null $amount = null,
    ) {
    }
}
