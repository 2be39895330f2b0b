<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A reminder of an invoice. */
final class InvoiceReminder extends Model
{
    /** The day in the time zone of the organization. */
    public readonly string $day;
    /** The SMS; null for none. */
    public readonly ?int $sms_message;
    /** The request for the open amount; null for none. */
    public readonly ?int $collection_request;
    /** Why no SMS or no request was created; null for no problem. */
    public readonly ?string $problem;
    public readonly \DateTimeImmutable $created;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['day'])) {
            $this->day = $data['day'];
        }
        $this->sms_message = $data['sms_message'] ?? null;
        $this->collection_request = $data['collection_request'] ?? null;
        $this->problem = $data['problem'] ?? null;
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
    }
}
