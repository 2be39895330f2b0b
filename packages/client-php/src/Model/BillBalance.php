<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The balance of the wallet that pays bills. */
final class BillBalance extends Model
{
    /** The amount that can be spent. A decimal number as text. */
    public readonly string $balance;
    /** When money was last added; null for never. */
    public readonly ?\DateTimeImmutable $lastDeposit;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['balance'])) {
            $this->balance = self::amount($data['balance']);
        }
        $this->lastDeposit = isset($data['lastDeposit']) ? new \DateTimeImmutable($data['lastDeposit']) : null;
    }
}
