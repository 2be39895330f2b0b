<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Create a draft invoice. */
final class NewInvoice extends Input
{
    public function __construct(
        /** One of BXC, UGX, KES. */
        public readonly string $currency,
        /** @var list<array>|null What is sold: at least one line. */
        public readonly array $lines,
        /** The customer; or a phone number. */
        public readonly ?int $contact = null,
        /** Phone number with the country code. */
        public readonly ?string $phonenumber = null,
        /** For a phone number without a contact. Default `Anonymous`. */
        public readonly ?string $first_name = null,
        /** For a phone number without a contact. Default `Contact`. */
        public readonly ?string $last_name = null,
        /** The wallet to collect into; needed for a cross-border one. */
        public readonly ?int $account = null,
        /** The last day to pay: YYYY-MM-DD, DD/MM/YYYY, `28 February`, or a time from now such as `14 days`. Default: 14 days. */
        public readonly ?string $due_date = null,
        /** Text below the lines. */
        public readonly ?string $notes = null,
        /** The language of the customer: of page, PDF, SMS and mails. Default `en`. One of en, sw, fr. */
        public readonly ?string $language = null,
        /** Smallest part payment that its page accepts. Default, and 0: only the open amount. */
        public readonly ?string $min_part = null,
        /** @var list<int>|null When the customer is reminded by SMS, in days after the due date; negative before. Default: never. */
        public readonly ?array $reminder_days = null,
        /** Whether a reminder also requests the open amount with a prompt. Default false. */
        public readonly ?bool $reminder_prompts = null,
    ) {
    }
}
