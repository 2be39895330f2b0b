<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The allocation of a part of a collection. */
final class Allocation extends Model
{
    public readonly int $id;
    /** The collection. */
    public readonly int $collection;
    /** The invoice that it pays. */
    public readonly ?int $invoice;
    /** The payment link that it pays. */
    public readonly ?int $payment_link;
    /** The customer whose credit it is. */
    public readonly ?int $contact;
    /** Amount of the allocation. A decimal number as text. */
    public readonly string $amount;
    /** Why: `invoice_number`, `link_number`, `customer_number`: the payer typed it. `same_amount`: the only open invoice of the customer with this amount. `only_customer`: the phone pays for this customer only. `surplus`: more than was open. `credit`: credit of the customer. `person`: a person chose it. One of invoice_number, link_number, customer_number, same_amount, only_customer, surplus, credit, person; new values may be added. */
    public readonly string $reason;
    /** Note of this person. */
    public readonly string $note;
    /** The person; null for the service. */
    public readonly ?int $author;
    public readonly \DateTimeImmutable $created;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['collection'])) {
            $this->collection = $data['collection'];
        }
        $this->invoice = $data['invoice'] ?? null;
        $this->payment_link = $data['payment_link'] ?? null;
        $this->contact = $data['contact'] ?? null;
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['reason'])) {
            $this->reason = $data['reason'];
        }
        if (isset($data['note'])) {
            $this->note = $data['note'];
        }
        $this->author = $data['author'] ?? null;
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
    }
}
