<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The open and paid amounts of a customer. */
final class InvoiceCustomerSum extends Model
{
    /** The customer. */
    public readonly int $contact;
    /** The number of the customer. */
    public readonly ?string $customer_number;
    /** The name of the customer. */
    public readonly string $name;
    /** Phone number of the customer or its first payer; empty for none. */
    public readonly string $phonenumber;
    /** Three-letter code; null without invoices. */
    public readonly ?string $currency;
    /** Total of issued invoices, without void ones. A decimal number as text. */
    public readonly string $invoiced;
    /** Amount received for them. A decimal number as text. */
    public readonly string $paid;
    /** Open amount. A decimal number as text. */
    public readonly string $open;
    /** Issued invoices, without void ones. */
    public readonly int $invoices;
    /** `none`: no issued invoice. `part`: something is paid, and not all. One of none, unpaid, part, paid; new values may be added. */
    public readonly string $state;
    /** Whether one of them is overdue. */
    public readonly bool $overdue;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['contact'])) {
            $this->contact = $data['contact'];
        }
        $this->customer_number = $data['customer_number'] ?? null;
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        $this->currency = $data['currency'] ?? null;
        if (isset($data['invoiced'])) {
            $this->invoiced = self::amount($data['invoiced']);
        }
        if (isset($data['paid'])) {
            $this->paid = self::amount($data['paid']);
        }
        if (isset($data['open'])) {
            $this->open = self::amount($data['open']);
        }
        if (isset($data['invoices'])) {
            $this->invoices = $data['invoices'];
        }
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        if (isset($data['overdue'])) {
            $this->overdue = $data['overdue'];
        }
    }
}
