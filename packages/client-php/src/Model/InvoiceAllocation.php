<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Money of an invoice that no request asked for. */
final class InvoiceAllocation extends Model
{
    public readonly int $id;
    /** The collection. */
    public readonly int $collection;
    /** Why: `invoice_number`, `link_number`, `customer_number`: the payer typed it. `same_amount`: the only open invoice of the customer with this amount. `only_customer`: the phone pays for this customer only. `surplus`: more than was open. `credit`: credit of the customer. `person`: a person chose it. One of invoice_number, link_number, customer_number, same_amount, only_customer, surplus, credit, person; new values may be added. */
    public readonly string $reason;
    /** Note of this person. */
    public readonly string $note;
    /** The person; null for the service. */
    public readonly ?int $author;
    public readonly \DateTimeImmutable $created;
    /** Amount received and not reversed by the network. A decimal number as text. */
    public readonly string $amount_paid;
    /** Amount reversed by the network. A decimal number as text. */
    public readonly string $amount_reversed;
    /** Amount refunded or being refunded. A decimal number as text. */
    public readonly string $amount_refunded;

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
        if (isset($data['amount_paid'])) {
            $this->amount_paid = self::amount($data['amount_paid']);
        }
        if (isset($data['amount_reversed'])) {
            $this->amount_reversed = self::amount($data['amount_reversed']);
        }
        if (isset($data['amount_refunded'])) {
            $this->amount_refunded = self::amount($data['amount_refunded']);
        }
    }
}
