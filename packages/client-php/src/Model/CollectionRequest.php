<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A request for money. */
final class CollectionRequest extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** The amount that the customer is asked to pay. A decimal number as text. */
    public readonly string $amount;
    /** Three-letter code. */
    public readonly string $currency;
    /** The wallet that receives the money. */
    public readonly ?int $account;
    /** The phone number of the customer, in E.164. */
    public readonly string $phonenumber;
    public readonly Contact $contact;
    /** The reason; empty when none was given. */
    public readonly string $reason;
    /** @var array<string, mixed> Your own attributes, as you gave them. */
    public readonly array $metadata;
    public readonly \DateTimeImmutable $created;
    /** The user whose key made the request. */
    public readonly int $author;
    public readonly \DateTimeImmutable $modified;
    /** The user who changed it last. */
    public readonly ?string $updated_by;
    /** The collection that fulfilled the request. */
    public readonly ?int $collection;
    /** Text of the SMS on success. Empty: the default text with `send_instructions`, else no SMS. */
    public readonly string $success_message;
    /** Whether the customer gets a prompt or instructions. */
    public readonly bool $send_instructions;
    /** Text that replaces the usual instructions; `skip` for no SMS. */
    public readonly ?string $instructions;
    /** The state of the request. New values may be added. One of pending, processing_started, instructions_sent, successful, failed, expired, reversed. */
    public readonly string $status;
    /** Why the request failed. */
    public readonly ?string $error_message;
    /** When the request expires if it has not been paid. */
    public readonly ?string $expiry_date;
    /** When the request starts; null if it starts at once. */
    public readonly ?string $start_date;
    /** Minutes between prompts. */
    public readonly ?int $retry_interval_minutes;
    /** The maximum number of further prompts. */
    public readonly int $max_attempts;
    /** The recurrence, as a JSON text of an object; null for a single request. */
    public readonly ?string $subscription_settings;

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
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        $this->account = $data['account'] ?? null;
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['contact'])) {
            $this->contact = new Contact($data['contact']);
        }
        if (isset($data['reason'])) {
            $this->reason = $data['reason'];
        }
        if (isset($data['metadata'])) {
            $this->metadata = $data['metadata'];
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
        $this->collection = $data['collection'] ?? null;
        if (isset($data['success_message'])) {
            $this->success_message = $data['success_message'];
        }
        if (isset($data['send_instructions'])) {
            $this->send_instructions = $data['send_instructions'];
        }
        $this->instructions = $data['instructions'] ?? null;
        if (isset($data['status'])) {
            $this->status = $data['status'];
        }
        $this->error_message = $data['error_message'] ?? null;
        $this->expiry_date = $data['expiry_date'] ?? null;
        $this->start_date = $data['start_date'] ?? null;
        $this->retry_interval_minutes = $data['retry_interval_minutes'] ?? null;
        if (isset($data['max_attempts'])) {
            $this->max_attempts = $data['max_attempts'];
        }
        $this->subscription_settings = $data['subscription_settings'] ?? null;
    }
}
