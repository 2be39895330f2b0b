<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Request money from a customer. */
final class NewCollectionRequest extends Input
{
    public function __construct(
        /** Phone number with the country code. */
        public readonly string $phonenumber,
        /** Decimal without thousands separators; a string keeps all digits. */
        public readonly string|int $amount,
        /** One of BXC, UGX, KES. */
        public readonly string $currency,
        /** Default `Anonymous`. */
        public readonly ?string $first_name = null,
        /** Default `Contact`. */
        public readonly ?string $last_name = null,
        /** The wallet to collect into; needed for a cross-border one. */
        public readonly ?int $account = null,
        /** The reason; networks show about 20 characters. */
        public readonly ?string $reason = null,
        /** @var array<string, mixed>|null Your own attributes. Numbers stay numbers. */
        public readonly ?array $metadata = null,
        /** Text of the SMS on success; `{amount}` and `{customer}` are replaced. Default: a standard text with `send_instructions`, else no SMS. */
        public readonly ?string $success_message = null,
        /** Whether the customer gets a prompt or instructions. Default false. */
        public readonly ?bool $send_instructions = null,
        /** Text that replaces the usual instructions; `skip` for no SMS. */
        public readonly ?string $instructions = null,
        /** A time from now such as `24 hours`, `tomorrow`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601. */
        public readonly ?string $expiry_date = null,
        /** A time from now such as `24 hours`, `tomorrow`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601. */
        public readonly ?string $start_date = null,
        /** Minutes between prompts. Default 10. */
        public readonly ?int $retry_interval_minutes = null,
        /** The maximum number of further prompts. Default 3; 0 for none. */
        public readonly ?int $max_attempts = null,
        /** @var SubscriptionSettings|array<string, mixed>|null A recurrence. */
        public readonly SubscriptionSettings|array|null $subscription_settings = null,
    ) {
    }
}
