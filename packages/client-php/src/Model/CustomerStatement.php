<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The invoices and payments of a customer in a period. */
final class CustomerStatement extends Model
{
    /** The customer. */
    public readonly int $contact;
    /** The customer number. */
    public readonly ?string $customer_number;
    /** The name of the customer; empty if it is not known. */
    public readonly string $customer_name;
    /** Three-letter code. */
    public readonly string $currency;
    /** @var list<string> The currencies in which the customer has an account. */
    public readonly array $currencies;
    /** The first day, in the time zone of the organization. */
    public readonly string $first_day;
    /** The last day. */
    public readonly string $last_day;
    /** The time zone of the organization. */
    public readonly string $zone;
    /** Balance before the first day; negative for credit. A decimal number as text. */
    public readonly string $opening_balance;
    /** @var list<StatementEntry> Entries, oldest first. */
    public readonly array $entries;
    /** Total charged in the period. A decimal number as text. */
    public readonly string $charged_amount;
    /** Total paid or credited in the period. A decimal number as text. */
    public readonly string $credited_amount;
    /** Balance after the last day; negative for credit. A decimal number as text. */
    public readonly string $closing_balance;
    /** Open amount of invoices after the last day. A decimal number as text. */
    public readonly string $open_amount;
    /** Credit and overpayments after the last day. A decimal number as text. */
    public readonly string $credit_amount;
    /** Unmatched money from the phones of the customer, now. It is not a part of the balance. A decimal number as text. */
    public readonly string $unmatched_amount;

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
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['currencies'])) {
            $this->currencies = $data['currencies'];
        }
        if (isset($data['first_day'])) {
            $this->first_day = $data['first_day'];
        }
        if (isset($data['last_day'])) {
            $this->last_day = $data['last_day'];
        }
        if (isset($data['zone'])) {
            $this->zone = $data['zone'];
        }
        if (isset($data['opening_balance'])) {
            $this->opening_balance = self::amount($data['opening_balance']);
        }
        if (isset($data['entries'])) {
            $this->entries = array_map(static fn (array $item) => new StatementEntry($item), $data['entries']);
        }
        if (isset($data['charged_amount'])) {
            $this->charged_amount = self::amount($data['charged_amount']);
        }
        if (isset($data['credited_amount'])) {
            $this->credited_amount = self::amount($data['credited_amount']);
        }
        if (isset($data['closing_balance'])) {
            $this->closing_balance = self::amount($data['closing_balance']);
        }
        if (isset($data['open_amount'])) {
            $this->open_amount = self::amount($data['open_amount']);
        }
        if (isset($data['credit_amount'])) {
            $this->credit_amount = self::amount($data['credit_amount']);
        }
        if (isset($data['unmatched_amount'])) {
            $this->unmatched_amount = self::amount($data['unmatched_amount']);
        }
    }
}
