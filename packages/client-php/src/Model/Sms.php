<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A message to a customer, and whether it arrived. */
final class Sms extends Model
{
    public readonly int $id;
    /** The collection request that caused it, or null. */
    public readonly ?int $collection_request;
    /** The bill purchase that caused it, or null. */
    public readonly ?int $bill_purchase;
    /** The payment that it announces to the recipient, or null. */
    public readonly ?int $payment;
    /** `instructions`: how to pay. `reminder`: the same again. `payment_link`: the address of a page to pay on. `success`: the money has arrived. `goods`: what was bought. `message`: a person wrote it. `reply`: the answer to a word such as STOP. One of instructions, reminder, payment_link, success, goods, message, reply; new values may be added. */
    public readonly string $purpose;
    /** E.164. */
    public readonly string $phonenumber;
    /** The whole text, as it is sent. */
    public readonly string $body;
    /** `waiting`, then `sent` (a provider has it), then `delivered` or `failed`. `unknown`: no provider said whether it has it. One of waiting, sent, delivered, failed, unknown; new values may be added. */
    public readonly string $state;
    /** Reason for the failure, in one word, such as `unreachable`. */
    public readonly ?string $reason;
    /** The last error, for people. */
    public readonly ?string $last_error;
    /** Sender that the phone shows; null for the provider’s own. */
    public readonly ?string $sender_id;
    /** Number of SMS parts; null before it is sent. */
    public readonly ?int $parts;
    /** Encoding: GSM fits twice as much text. One of gsm, ucs-2; new values may be added. */
    public readonly ?string $encoding;
    /** Cost, if the provider reported it. A decimal number as text. */
    public readonly ?string $cost;
    /** The currency of the cost. */
    public readonly ?string $currency;
    public readonly \DateTimeImmutable $created;
    public readonly ?\DateTimeImmutable $sent_at;
    public readonly ?\DateTimeImmutable $delivered_at;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        $this->collection_request = $data['collection_request'] ?? null;
        $this->bill_purchase = $data['bill_purchase'] ?? null;
        $this->payment = $data['payment'] ?? null;
        if (isset($data['purpose'])) {
            $this->purpose = $data['purpose'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['body'])) {
            $this->body = $data['body'];
        }
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        $this->reason = $data['reason'] ?? null;
        $this->last_error = $data['last_error'] ?? null;
        $this->sender_id = $data['sender_id'] ?? null;
        $this->parts = $data['parts'] ?? null;
        $this->encoding = $data['encoding'] ?? null;
        $this->cost = isset($data['cost']) ? self::amount($data['cost']) : null;
        $this->currency = $data['currency'] ?? null;
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        $this->sent_at = isset($data['sent_at']) ? new \DateTimeImmutable($data['sent_at']) : null;
        $this->delivered_at = isset($data['delivered_at']) ? new \DateTimeImmutable($data['delivered_at']) : null;
    }
}
