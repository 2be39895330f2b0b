<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A customer who has the same invoice already. */
final class InvoiceBatchDuplicate extends Model
{
    /** The customer. */
    public readonly int $contact;
    /** The number of the customer. */
    public readonly ?string $customer_number;
    /** The name of the customer. */
    public readonly string $name;
    /** The invoice with the same text and amount. */
    public readonly int $invoice;
    /** Its number; null for a draft. */
    public readonly ?string $number;

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
        if (isset($data['invoice'])) {
            $this->invoice = $data['invoice'];
        }
        $this->number = $data['number'] ?? null;
    }
}
