<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** An invoice for each customer with a tag. */
final class NewInvoiceBatch extends Input
{
    public function __construct(
        /** The tag of the customers, such as a class. */
        public readonly string $tag,
        /** One of BXC, UGX, KES. */
        public readonly string $currency,
        /** What is sold, if it is one thing. */
        public readonly ?string $text = null,
        /** What it costs. */
        public readonly string|int|null $amount = null,
        /** @var list<array>|null What is sold; or a text and an amount. */
        public readonly ?array $lines = null,
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
        /** `skip`: none for a customer who has one with the same text and amount, unless it is paid and due; `create`: one more. Default `skip`. One of skip, create. */
        public readonly ?string $duplicates = null,
        /** Whether they are issued at once. Default: they stay drafts. */
        public readonly ?bool $issue = null,
    ) {
    }
}
