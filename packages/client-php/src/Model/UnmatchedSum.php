<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The unallocated money in one currency. */
final class UnmatchedSum extends Model
{
    /** Three-letter code. */
    public readonly string $currency;
    /** Number of payments. */
    public readonly int $payments;
    /** Unmatched amount from today and the last 7 days. A decimal number as text. */
    public readonly string $days_0_7_amount;
    /** Unmatched amount, 8 to 30 days old. A decimal number as text. */
    public readonly string $days_8_30_amount;
    /** Unmatched amount, 31 to 90 days old. A decimal number as text. */
    public readonly string $days_31_90_amount;
    /** Unmatched amount, more than 90 days old. A decimal number as text. */
    public readonly string $days_over_90_amount;
    /** Total unmatched amount. A decimal number as text. */
    public readonly string $left_amount;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['payments'])) {
            $this->payments = $data['payments'];
        }
        if (isset($data['days_0_7_amount'])) {
            $this->days_0_7_amount = self::amount($data['days_0_7_amount']);
        }
        if (isset($data['days_8_30_amount'])) {
            $this->days_8_30_amount = self::amount($data['days_8_30_amount']);
        }
        if (isset($data['days_31_90_amount'])) {
            $this->days_31_90_amount = self::amount($data['days_31_90_amount']);
        }
        if (isset($data['days_over_90_amount'])) {
            $this->days_over_90_amount = self::amount($data['days_over_90_amount']);
        }
        if (isset($data['left_amount'])) {
            $this->left_amount = self::amount($data['left_amount']);
        }
    }
}
