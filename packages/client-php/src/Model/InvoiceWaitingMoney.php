<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Unmatched money that may be for an invoice. */
final class InvoiceWaitingMoney extends Model
{
    /** The payment. */
    public readonly int $collection;
    /** The phone number that paid. */
    public readonly string $phonenumber;
    /** What the payer typed. */
    public readonly ?string $reference;
    /** Unmatched part of the amount. A decimal number as text. */
    public readonly string $amount;
    public readonly \DateTimeImmutable $paid;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['collection'])) {
            $this->collection = $data['collection'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        $this->reference = $data['reference'] ?? null;
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['paid'])) {
            $this->paid = new \DateTimeImmutable($data['paid']);
        }
    }
}
