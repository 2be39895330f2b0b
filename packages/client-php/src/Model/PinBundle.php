<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Pins of one value. */
final class PinBundle extends Model
{
    /** Value and price of one pin. A decimal number as text. */
    public readonly string $amount;
    /** Maximum number that can be bought. */
    public readonly int $available;
    /** Display name. */
    public readonly string $description;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['available'])) {
            $this->available = $data['available'];
        }
        if (isset($data['description'])) {
            $this->description = $data['description'];
        }
    }
}
