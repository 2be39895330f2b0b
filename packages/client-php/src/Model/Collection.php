<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Money that came from a customer. */
final class Collection extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** The network operator's id of the payment; until it is known, our reference or the network's id of the order. */
    public readonly string $remote_transaction_id;
    /** The amount that was received. A decimal number as text. */
    public readonly string $amount;
    /** Amount reversed by the network: the full amount when the status is `reversed`. A decimal number as text. */
    public readonly string $reversed_amount;
    /** Three-letter code. */
    public readonly string $currency;
    /** The wallet that the money is for. */
    public readonly int $account;
    /** The phone number that paid. */
    public readonly string $phonenumber;
    /** When the customer paid. */
    public readonly \DateTimeImmutable $payment_date;
    /** The reference that the customer typed. */
    public readonly ?string $reference;
    /** `pending` until your acceptance URL has answered, `failed` if it rejected the money, `reversed` if the network took it all back. New values may be added. One of pending, successful, failed, reversed. */
    public readonly string $status;
    public readonly \DateTimeImmutable $created;
    /** The user who recorded it, usually the service user. */
    public readonly int $author;
    public readonly \DateTimeImmutable $modified;
    /** The user who changed it last. */
    public readonly ?string $updated_by;
    public readonly Contact $contact;
    /** The request that it fulfilled, if any. */
    public readonly ?CollectionRequest $collection_request;
    /** The transaction that credited it to the wallet; null until then. */
    public readonly ?CollectionTransaction $transaction;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['organization'])) {
            $this->organization = $data['organization'];
        }
        if (isset($data['remote_transaction_id'])) {
            $this->remote_transaction_id = $data['remote_transaction_id'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['reversed_amount'])) {
            $this->reversed_amount = self::amount($data['reversed_amount']);
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['account'])) {
            $this->account = $data['account'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['payment_date'])) {
            $this->payment_date = new \DateTimeImmutable($data['payment_date']);
        }
        $this->reference = $data['reference'] ?? null;
        if (isset($data['status'])) {
            $this->status = $data['status'];
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['author'])) {
            $this->author = $data['author'];
        }
        if (isset($data['modified'])) {
            $this->modified = new \DateTimeImmutable($data['modified']);
        }
        $this->updated_by = $data['updated_by'] ?? null;
        if (isset($data['contact'])) {
            $this->contact = new Contact($data['contact']);
        }
        $this->collection_request = isset($data['collection_request']) ? new CollectionRequest($data['collection_request']) : null;
        $this->transaction = isset($data['transaction']) ? new CollectionTransaction($data['transaction']) : null;
    }
}
