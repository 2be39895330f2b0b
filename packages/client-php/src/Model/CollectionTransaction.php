<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The booking of a collection. */
final class CollectionTransaction extends Model
{
    public readonly int $id;
    /** The amount that was credited. A decimal number as text. */
    public readonly string $amount;
    /** The type of the transaction. */
    public readonly string $type;
    /** Three-letter code. */
    public readonly string $currency;
    public readonly \DateTimeImmutable $created;
    /** A description in words. */
    public readonly string $description;
    /** The wallet. */
    public readonly TransactionAccount $account;
    /** The transaction that charged the fee, if there was one. */
    public readonly ?int $fee_transaction;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['type'])) {
            $this->type = $data['type'];
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['description'])) {
            $this->description = $data['description'];
        }
        if (isset($data['account'])) {
            $this->account = new TransactionAccount($data['account']);
        }
        $this->fee_transaction = $data['fee_transaction'] ?? null;
    }
}
