<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A payment in events and notifications, where it has another form than in the API. */
final class PaymentEventData extends Model
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
    /** Purpose of the payment. */
    public readonly string $description;
    /** @var list<string> The numbers of the recipients. */
    public readonly array $phone_nos;
    /** When the payment is sent. Default: when it was made. */
    public readonly \DateTimeImmutable $start_date;
    /** @var array<string, mixed> Your own attributes, as you sent them. */
    public readonly array $metadata;
    /** As in the API, but `completed` for `processed`. */
    public readonly string $state;
    /** The last error. */
    public readonly ?string $last_error;
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
    /** Whether each recipient gets an SMS when the money has arrived. The network may send one of its own. */
    public readonly bool $send_sms_message;

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
        if (isset($data['description'])) {
            $this->description = $data['description'];
        }
        if (isset($data['phone_nos'])) {
            $this->phone_nos = $data['phone_nos'];
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
        if (isset($data['send_sms_message'])) {
            $this->send_sms_message = $data['send_sms_message'];
        }
    }
}
