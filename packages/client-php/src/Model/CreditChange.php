<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A change of the credit of a customer, and the credit afterwards. */
final class CreditChange extends Model
{
    /** The customer. */
    public readonly int $id;
    public readonly ?string $customer_number;
    public readonly string $currency;
    /** The change of the credit. Negative: used, moved, refunded or taken back. A decimal number as text. */
    public readonly string $amount;
    /** The credit of the customer in this currency afterwards. A decimal number as text. */
    public readonly string $balance;
    /** The payment whose money it is. */
    public readonly int $collection;
    /** The invoice that was paid, or that the money was for before. */
    public readonly ?int $invoice;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        $this->customer_number = $data['customer_number'] ?? null;
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['balance'])) {
            $this->balance = self::amount($data['balance']);
        }
        if (isset($data['collection'])) {
            $this->collection = $data['collection'];
        }
        $this->invoice = $data['invoice'] ?? null;
    }
}
