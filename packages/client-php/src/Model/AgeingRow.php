<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The open amounts of a customer in one currency. */
final class AgeingRow extends Model
{
    /** The customer. */
    public readonly int $contact;
    /** The customer number. */
    public readonly ?string $customer_number;
    /** The name of the customer; empty if it is not known. */
    public readonly string $customer_name;
    /** The phone number of the customer; empty without one. */
    public readonly string $phonenumber;
    /** @var list<string> The tags of the customer. */
    public readonly array $tags;
    /** Three-letter code. */
    public readonly string $currency;
    /** How many invoices are open. */
    public readonly int $invoices;
    /** The due date of the oldest of them. */
    public readonly string $oldest_due_date;
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
        if (isset($data['contact'])) {
            $this->contact = $data['contact'];
        }
        $this->customer_number = $data['customer_number'] ?? null;
        if (isset($data['customer_name'])) {
            $this->customer_name = $data['customer_name'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['tags'])) {
            $this->tags = $data['tags'];
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['invoices'])) {
            $this->invoices = $data['invoices'];
        }
        if (isset($data['oldest_due_date'])) {
            $this->oldest_due_date = $data['oldest_due_date'];
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
