<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The price of some months. */
final class PricingOption extends Model
{
    /** Number of months. */
    public readonly int $monthsPaidFor;
    /** Price of all these months together. A decimal number as text. */
    public readonly string $price;
    /** Number of months of an invoice of the biller. */
    public readonly int $invoicePeriod;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['monthsPaidFor'])) {
            $this->monthsPaidFor = $data['monthsPaidFor'];
        }
        if (isset($data['price'])) {
            $this->price = self::amount($data['price']);
        }
        if (isset($data['invoicePeriod'])) {
            $this->invoicePeriod = $data['invoicePeriod'];
        }
    }
}
