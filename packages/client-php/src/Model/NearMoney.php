<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Unmatched money that may be for a request. */
final class NearMoney extends Model
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
    /** How much more it is than the request asks for; negative: less. A decimal number as text. */
    public readonly string $difference;

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
        if (isset($data['difference'])) {
            $this->difference = self::amount($data['difference']);
        }
    }
}
