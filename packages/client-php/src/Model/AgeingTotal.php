<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The open amounts of all customers in one currency. */
final class AgeingTotal extends Model
{
    /** Three-letter code. */
    public readonly string $currency;
    /** How many customers have open invoices. */
    public readonly int $customers;
    /** How many invoices are open. */
    public readonly int $invoices;
    /** Open amount, not overdue. A decimal number as text. */
    public readonly string $not_due_amount;
    /** Open amount, 1 to 30 days overdue. A decimal number as text. */
    public readonly string $days_1_30_amount;
    /** Open amount, 31 to 60 days overdue. A decimal number as text. */
    public readonly string $days_31_60_amount;
    /** Open amount, 61 to 90 days overdue. A decimal number as text. */
    public readonly string $days_61_90_amount;
    /** Open amount, more than 90 days overdue. A decimal number as text. */
    public readonly string $days_over_90_amount;
    /** Total overdue amount. A decimal number as text. */
    public readonly string $overdue_amount;
    /** Total open amount. A decimal number as text. */
    public readonly string $open_amount;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['customers'])) {
            $this->customers = $data['customers'];
        }
        if (isset($data['invoices'])) {
            $this->invoices = $data['invoices'];
        }
        if (isset($data['not_due_amount'])) {
            $this->not_due_amount = self::amount($data['not_due_amount']);
        }
        if (isset($data['days_1_30_amount'])) {
            $this->days_1_30_amount = self::amount($data['days_1_30_amount']);
        }
        if (isset($data['days_31_60_amount'])) {
            $this->days_31_60_amount = self::amount($data['days_31_60_amount']);
        }
        if (isset($data['days_61_90_amount'])) {
            $this->days_61_90_amount = self::amount($data['days_61_90_amount']);
        }
        if (isset($data['days_over_90_amount'])) {
            $this->days_over_90_amount = self::amount($data['days_over_90_amount']);
        }
        if (isset($data['overdue_amount'])) {
            $this->overdue_amount = self::amount($data['overdue_amount']);
        }
        if (isset($data['open_amount'])) {
            $this->open_amount = self::amount($data['open_amount']);
        }
    }
}
