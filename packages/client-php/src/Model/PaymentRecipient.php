<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A recipient of a payment. */
final class PaymentRecipient extends Model
{
    /** Phone number of the recipient, in E.164. */
    public readonly string $phonenumber;
    /** What this recipient gets. A decimal number as text. */
    public readonly string $amount;
    /** Amount that the network returned to the wallet. If it is the full amount, the state is `error`. A decimal number as text. */
    public readonly string $reversed_amount;
    /** State of this recipient. New values may be added. One of new, queued, processing, pending_confirmation, complete, error, paused, parked, aborted. */
    public readonly string $state;
    /** The last error. */
    public readonly ?string $last_error;
    /** The contact with this number. */
    public readonly int $contact;
    /** Id of the payment, if it has several recipients. */
    public readonly ?int $batch_id;
    /** Purpose of the payment. */
    public readonly string $description;
    /** Id of the payment. */
    public readonly int $payment_id;
    /** The id that the network operator gave the transaction. */
    public readonly ?string $remote_transaction_id;
    /** @var array<string, mixed> Your own attributes of this recipient. */
    public readonly array $metadata;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['reversed_amount'])) {
            $this->reversed_amount = self::amount($data['reversed_amount']);
        }
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        $this->last_error = $data['last_error'] ?? null;
        if (isset($data['contact'])) {
            $this->contact = $data['contact'];
        }
        $this->batch_id = $data['batch_id'] ?? null;
        if (isset($data['description'])) {
            $this->description = $data['description'];
        }
        if (isset($data['payment_id'])) {
            $this->payment_id = $data['payment_id'];
        }
        $this->remote_transaction_id = $data['remote_transaction_id'] ?? null;
        if (isset($data['metadata'])) {
            $this->metadata = $data['metadata'];
        }
    }
}
