<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A collection request of an invoice, and what became of it. */
final class InvoiceRequest extends Model
{
    public readonly int $id;
    /** `page`: the customer paid on the page. `reminder`: a reminder. `manual`: you asked for it. One of page, reminder, manual; new values may be added. */
    public readonly string $source;
    /** The status of the collection request. */
    public readonly string $status;
    /** The phone number that is asked. */
    public readonly string $phonenumber;
    /** Amount requested. A decimal number as text. */
    public readonly string $amount;
    /** The payment; null until it arrives. */
    public readonly ?int $collection;
    /** Amount received and not reversed by the network. A decimal number as text. */
    public readonly string $amount_paid;
    /** Amount reversed by the network. A decimal number as text. */
    public readonly string $amount_reversed;
    /** Amount refunded or being refunded. A decimal number as text. */
    public readonly string $amount_refunded;
    /** When the money arrived; null until it does. */
    public readonly ?\DateTimeImmutable $paid;
    public readonly \DateTimeImmutable $created;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['source'])) {
            $this->source = $data['source'];
        }
        if (isset($data['status'])) {
            $this->status = $data['status'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        $this->collection = $data['collection'] ?? null;
        if (isset($data['amount_paid'])) {
            $this->amount_paid = self::amount($data['amount_paid']);
        }
        if (isset($data['amount_reversed'])) {
            $this->amount_reversed = self::amount($data['amount_reversed']);
        }
        if (isset($data['amount_refunded'])) {
            $this->amount_refunded = self::amount($data['amount_refunded']);
        }
        $this->paid = isset($data['paid']) ? new \DateTimeImmutable($data['paid']) : null;
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
    }
}
