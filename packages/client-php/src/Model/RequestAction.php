<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** An action of a person on a collection request. */
final class RequestAction extends Model
{
    public readonly int $id;
    /** `reminder`: the customer was asked again. `retry`: a new request asks for the same money. `payment_link`: a link was sent. `refund`: the money was sent back. New values may be added. One of reminder, retry, payment_link, refund. */
    public readonly string $kind;
    /** The request that it was done about; null for an unsolicited payment. */
    public readonly ?int $collection_request;
    public readonly \DateTimeImmutable $created;
    /** The user who did it. */
    public readonly int $author;
    /** The name of that user. */
    public readonly string $author_name;
    /** Why the money was refunded. One of customer_request, duplicate, wrong_amount, not_delivered, fraud, other; new values may be added. */
    public readonly ?string $reason;
    /** Comment of the user. */
    public readonly string $comment;
    /** The SMS that was sent. */
    public readonly ?int $sms;
    /** Whether the next prompt was brought forward. */
    public readonly bool $prompt;
    /** The request that asks for the same money again. */
    public readonly ?int $new_request;
    /** The payment link that was sent. */
    public readonly ?int $payment_link;
    /** The payment that refunds the money. */
    public readonly ?int $payment;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['kind'])) {
            $this->kind = $data['kind'];
        }
        $this->collection_request = $data['collection_request'] ?? null;
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['author'])) {
            $this->author = $data['author'];
        }
        if (isset($data['author_name'])) {
            $this->author_name = $data['author_name'];
        }
        $this->reason = $data['reason'] ?? null;
        if (isset($data['comment'])) {
            $this->comment = $data['comment'];
        }
        $this->sms = $data['sms'] ?? null;
        if (isset($data['prompt'])) {
            $this->prompt = $data['prompt'];
        }
        $this->new_request = $data['new_request'] ?? null;
        $this->payment_link = $data['payment_link'] ?? null;
        $this->payment = $data['payment'] ?? null;
    }
}
