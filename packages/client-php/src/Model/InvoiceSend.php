<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** To whom an invoice was sent, and what became of it. */
final class InvoiceSend extends Model
{
    /** How it was sent. One of sms, email; new values may be added. */
    public readonly string $channel;
    /** The phone number or e-mail address. */
    public readonly string $recipient;
    /** `delivered`: the phone has it. For e-mail, `sent`: the mail server has taken it. One of waiting, sent, delivered, failed, unknown; new values may be added. */
    public readonly string $state;
    public readonly \DateTimeImmutable $created;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['channel'])) {
            $this->channel = $data['channel'];
        }
        if (isset($data['recipient'])) {
            $this->recipient = $data['recipient'];
        }
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
    }
}
