<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The tax of one rate of an invoice. */
final class InvoiceTax extends Model
{
    /** In percent. A decimal number as text. */
    public readonly string $rate;
    /** The sum of the lines with this rate. A decimal number as text. */
    public readonly string $net;
    /** The tax. A decimal number as text. */
    public readonly string $amount;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['rate'])) {
            $this->rate = self::amount($data['rate']);
        }
        if (isset($data['net'])) {
            $this->net = self::amount($data['net']);
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
    }
}
