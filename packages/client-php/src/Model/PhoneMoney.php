<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Unallocated money of a phone. */
final class PhoneMoney extends Model
{
    /** The payment. */
    public readonly int $collection;
    /** The phone number that paid. */
    public readonly string $phonenumber;
    /** What the payer typed. */
    public readonly ?string $reference;
    /** Three-letter code. */
    public readonly string $currency;
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
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['paid'])) {
            $this->paid = new \DateTimeImmutable($data['paid']);
        }
    }
}
