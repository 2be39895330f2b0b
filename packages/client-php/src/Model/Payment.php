<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Money or airtime that is sent to phones. */
final class Payment extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** What is sent. One of money, airtime; new values may be added. */
    public readonly string $payment_type;
    /** The sum of what all recipients get. A decimal number as text. */
    public readonly string $amount;
    /** Three-letter code. */
    public readonly string $currency;
    /** The wallet that pays. */
    public readonly int $account;
    /** Purpose of the payment. */
    public readonly string $description;
    /** @var list<PaymentRecipient> The recipients. */
    public readonly array $phone_nos;
    /** When the payment is sent. Default: when it was made. */
    public readonly \DateTimeImmutable $start_date;
    /** @var array<string, mixed> Your own attributes, as you sent them. */
    public readonly array $metadata;
    /** State of the payment. New values may be added. One of new, validated, approval_needed, approval_requested, approved, rejected, scheduled, processed, processed_with_errors, cancelled. */
    public readonly string $state;
    /** The last error. */
    public readonly ?string $last_error;
    /** Number of approvals needed, besides the initiator; 0: none. */
    public readonly int $approvals_required;
    /** How many users have approved it. */
    public readonly int $approvals;
    /** The user who gave the last approval that it needed. */
    public readonly ?int $approved_by;
    /** When it got its last approval. */
    public readonly ?\DateTimeImmutable $approved_time;
    /** Why it was rejected. */
    public readonly ?string $rejected_reason;
    /** The user who did it. */
    public readonly ?int $rejected_by;
    /** When it happened. */
    public readonly ?\DateTimeImmutable $rejected_time;
    /** Why it was cancelled. */
    public readonly ?string $cancelled_reason;
    /** The user who did it. */
    public readonly ?int $cancelled_by;
    /** When it happened. */
    public readonly ?\DateTimeImmutable $cancelled_time;
    public readonly \DateTimeImmutable $created;
    /** The user who initiated it. */
    public readonly int $author;
    public readonly \DateTimeImmutable $modified;
    /** Who changed it last. */
    public readonly ?string $updated_by;
    /** The id that the network operator gave the transaction, if there is one recipient. */
    public readonly ?string $remote_transaction_id;
    /** Whether each recipient gets an SMS when the money has arrived. The network may send one of its own. */
    public readonly bool $send_sms_message;
    /** The fees that the service has charged for it. A decimal number as text. */
    public readonly string $charged_fee;
    /** @var list<Transaction> The transactions of the wallet for this payment, oldest first. */
    public readonly array $transactions;

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
        if (isset($data['payment_type'])) {
            $this->payment_type = $data['payment_type'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['account'])) {
            $this->account = $data['account'];
        }
        if (isset($data['description'])) {
            $this->description = $data['description'];
        }
        if (isset($data['phone_nos'])) {
            $this->phone_nos = array_map(static fn (array $item) => new PaymentRecipient($item), $data['phone_nos']);
        }
        if (isset($data['start_date'])) {
            $this->start_date = new \DateTimeImmutable($data['start_date']);
        }
        if (isset($data['metadata'])) {
            $this->metadata = $data['metadata'];
        }
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        $this->last_error = $data['last_error'] ?? null;
        if (isset($data['approvals_required'])) {
            $this->approvals_required = $data['approvals_required'];
        }
        if (isset($data['approvals'])) {
            $this->approvals = $data['approvals'];
        }
        $this->approved_by = $data['approved_by'] ?? null;
        $this->approved_time = isset($data['approved_time']) ? new \DateTimeImmutable($data['approved_time']) : null;
        $this->rejected_reason = $data['rejected_reason'] ?? null;
        $this->rejected_by = $data['rejected_by'] ?? null;
        $this->rejected_time = isset($data['rejected_time']) ? new \DateTimeImmutable($data['rejected_time']) : null;
        $this->cancelled_reason = $data['cancelled_reason'] ?? null;
        $this->cancelled_by = $data['cancelled_by'] ?? null;
        $this->cancelled_time = isset($data['cancelled_time']) ? new \DateTimeImmutable($data['cancelled_time']) : null;
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
        $this->remote_transaction_id = $data['remote_transaction_id'] ?? null;
        if (isset($data['send_sms_message'])) {
            $this->send_sms_message = $data['send_sms_message'];
        }
        if (isset($data['charged_fee'])) {
            $this->charged_fee = self::amount($data['charged_fee']);
        }
        if (isset($data['transactions'])) {
            $this->transactions = array_map(static fn (array $item) => new Transaction($item), $data['transactions']);
        }
    }
}
