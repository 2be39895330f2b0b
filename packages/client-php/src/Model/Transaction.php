<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A change of a balance. */
final class Transaction extends Model
{
    public readonly int $id;
    /** The wallet. */
    public readonly int $account;
    /** Negative if money left the wallet. A decimal number as text. */
    public readonly string $amount;
    /** Three-letter code. */
    public readonly string $currency;
    /** The reason for the transaction. */
    public readonly string $description;
    public readonly \DateTimeImmutable $created;
    /** Why the balance changed. One of mobile_collection, mobile_payment, airtime_topup, bill_payment, service_charge, admin_funds_update; new values may be added. */
    public readonly string $type;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['account'])) {
            $this->account = $data['account'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['description'])) {
            $this->description = $data['description'];
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['type'])) {
            $this->type = $data['type'];
        }
    }
}
