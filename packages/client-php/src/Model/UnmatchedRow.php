<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A payment with an unallocated rest. */
final class UnmatchedRow extends Model
{
    /** The payment. */
    public readonly int $collection;
    public readonly \DateTimeImmutable $payment_date;
    /** Days since the payment; 0 for today. */
    public readonly int $days;
    /** The phone number that paid. */
    public readonly string $phonenumber;
    /** The contact with this number. */
    public readonly int $contact;
    /** The name of the payer; empty if it is not known. */
    public readonly string $payer_name;
    /** The reference that the customer typed. */
    public readonly ?string $reference;
    /** The code of the network. */
    public readonly string $network;
    /** The network's own id of the payment. */
    public readonly string $remote_transaction_id;
    /** `failed`: you rejected it, and it waits to be returned. One of successful, failed; new values may be added. */
    public readonly string $status;
    /** The wallet. */
    public readonly int $account;
    /** Three-letter code. */
    public readonly string $currency;
    /** What was received. A decimal number as text. */
    public readonly string $amount;
    /** Unmatched part of the amount. A decimal number as text. */
    public readonly string $left_amount;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['collection'])) {
            $this->collection = $data['collection'];
        }
        if (isset($data['payment_date'])) {
            $this->payment_date = new \DateTimeImmutable($data['payment_date']);
        }
        if (isset($data['days'])) {
            $this->days = $data['days'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['contact'])) {
            $this->contact = $data['contact'];
        }
        if (isset($data['payer_name'])) {
            $this->payer_name = $data['payer_name'];
        }
        $this->reference = $data['reference'] ?? null;
        if (isset($data['network'])) {
            $this->network = $data['network'];
        }
        if (isset($data['remote_transaction_id'])) {
            $this->remote_transaction_id = $data['remote_transaction_id'];
        }
        if (isset($data['status'])) {
            $this->status = $data['status'];
        }
        if (isset($data['account'])) {
            $this->account = $data['account'];
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['left_amount'])) {
            $this->left_amount = self::amount($data['left_amount']);
        }
    }
}
