<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Credit of a customer. */
final class Credit extends Model
{
    /** The allocation that created the credit. */
    public readonly int $allocation;
    /** The payment. */
    public readonly int $collection;
    /** Three-letter code. */
    public readonly string $currency;
    /** Remaining amount. A decimal number as text. */
    public readonly string $amount;
    public readonly \DateTimeImmutable $created;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['allocation'])) {
            $this->allocation = $data['allocation'];
        }
        if (isset($data['collection'])) {
            $this->collection = $data['collection'];
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
    }
}
