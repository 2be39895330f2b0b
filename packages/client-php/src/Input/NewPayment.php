<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Send money or airtime to one or more phones. */
final class NewPayment extends Input
{
    public function __construct(
        /** Purpose of the payment. Networks show a part of it to the recipient. */
        public readonly string $description,
        /** Phone number of the recipient. Required without `recipient_data`. */
        public readonly ?string $phonenumber = null,
        /** What the recipient gets; with `recipient_data` each recipient without its own amount. */
        public readonly string|int|null $amount = null,
        /** What is sent. Default `money`. One of money, airtime. */
        public readonly ?string $payment_type = null,
        /** Three-letter code. Not required if `account` is given. */
        public readonly ?string $currency = null,
        /** The wallet that pays. Default: the oldest wallet in the currency. */
        public readonly ?int $account = null,
        /** @var array<string, mixed>|null Your own attributes. Numbers stay numbers. */
        public readonly ?array $metadata = null,
        /** @var list<NewRecipient|array<string, mixed>>|null The recipients of a payment with many recipients. One invalid recipient makes the whole request invalid. */
        public readonly ?array $recipient_data = null,
        /** When to send it, if not at once: `tomorrow`, a time span from now, DD/MM/YYYY[ HH:MM:SS] or ISO 8601. */
        public readonly ?string $start_date = null,
        /** Whether each recipient gets an SMS (from whom, how much, reference) when the money has arrived. Default false. */
        public readonly ?bool $send_sms_message = null,
        /** Default `Anonymous`. */
        public readonly ?string $first_name = null,
        /** Default `Contact`. */
        public readonly ?string $last_name = null,
        /** Number of an identity document of the recipient. */
        public readonly ?string $national_id = null,
        /** Type of the identity document. One of national, passport, military. */
        public readonly ?string $national_id_type = null,
    ) {
    }
}
