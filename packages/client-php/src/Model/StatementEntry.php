<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** An entry on the statement of a customer. */
final class StatementEntry extends Model
{
    public readonly \DateTimeImmutable $at;
    /** `invoice`, `void`: an invoice was issued or voided. `payment`: money arrived for an invoice or as credit. `moved`: money was reallocated, such as used credit. `reversal`: reversed by the network. `refund`: refunded. `adjustment`: refunded money is no longer due. One of invoice, void, payment, moved, reversal, refund, adjustment; new values may be added. */
    public readonly string $kind;
    /** The invoice; null for credit. */
    public readonly ?int $invoice;
    /** Its number. */
    public readonly ?string $invoice_number;
    /** Its last day to pay. */
    public readonly ?string $due_date;
    /** The payment of the customer. */
    public readonly ?int $collection;
    /** The network's own id of the payment. */
    public readonly ?string $remote_transaction_id;
    /** The phone number that paid. */
    public readonly ?string $phonenumber;
    /** When it was paid. */
    public readonly ?\DateTimeImmutable $payment_date;
    /** The number of its receipt, if it has one. */
    public readonly ?string $receipt;
    /** The payment that refunded the money. */
    public readonly ?int $refund;
    /** Amount by which the customer owes more. A decimal number as text. */
    public readonly string $charged_amount;
    /** Amount by which the customer owes less. A decimal number as text. */
    public readonly string $credited_amount;
    /** Balance after this entry; negative for credit. A decimal number as text. */
    public readonly string $balance;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['at'])) {
            $this->at = new \DateTimeImmutable($data['at']);
        }
        if (isset($data['kind'])) {
            $this->kind = $data['kind'];
        }
        $this->invoice = $data['invoice'] ?? null;
        $this->invoice_number = $data['invoice_number'] ?? null;
        $this->due_date = $data['due_date'] ?? null;
        $this->collection = $data['collection'] ?? null;
        $this->remote_transaction_id = $data['remote_transaction_id'] ?? null;
        $this->phonenumber = $data['phonenumber'] ?? null;
        $this->payment_date = isset($data['payment_date']) ? new \DateTimeImmutable($data['payment_date']) : null;
        $this->receipt = $data['receipt'] ?? null;
        $this->refund = $data['refund'] ?? null;
        if (isset($data['charged_amount'])) {
            $this->charged_amount = self::amount($data['charged_amount']);
        }
        if (isset($data['credited_amount'])) {
            $this->credited_amount = self::amount($data['credited_amount']);
        }
        if (isset($data['balance'])) {
            $this->balance = self::amount($data['balance']);
        }
    }
}
