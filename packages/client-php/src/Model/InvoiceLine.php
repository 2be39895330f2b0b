<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A line of an invoice. */
final class InvoiceLine extends Model
{
    /** What is sold. */
    public readonly string $text;
    /** How much of it. A decimal number as text. */
    public readonly string $quantity;
    /** The price of one, without tax; negative for a discount. A decimal number as text. */
    public readonly string $unit_price;
    /** In percent; null for none. A decimal number as text. */
    public readonly ?string $tax_rate;
    /** Quantity times price, without tax. A decimal number as text. */
    public readonly string $amount;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['text'])) {
            $this->text = $data['text'];
        }
        if (isset($data['quantity'])) {
            $this->quantity = self::amount($data['quantity']);
        }
        if (isset($data['unit_price'])) {
            $this->unit_price = self::amount($data['unit_price']);
        }
        $this->tax_rate = isset($data['tax_rate']) ? self::amount($data['tax_rate']) : null;
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
    }
}
