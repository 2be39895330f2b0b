<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Create a payment link. */
final class NewPaymentLink extends Input
{
    public function __construct(
        /** What is paid; networks show about 20 characters. */
        public readonly string $title,
        /** One of BXC, UGX, KES. */
        public readonly string $currency,
        /** Text below the title. */
        public readonly ?string $description = null,
        /** The wallet to collect into; needed for a cross-border one. */
        public readonly ?int $account = null,
        /** Country whose phone numbers need no country code. Default: the one of the currency. One of XX, UG, KE, NG. */
        public readonly ?string $country = null,
        /** The amount, if it is fixed. */
        public readonly string|int|null $amount = null,
        /** The smallest amount, if the customer chooses. */
        public readonly string|int|null $min_amount = null,
        /** The largest amount, if the customer chooses. */
        public readonly string|int|null $max_amount = null,
        /** @var list<string|int>|null The amounts to choose from. */
        public readonly ?array $amounts = null,
        /** Whether it can be paid only once. Default false. */
        public readonly ?bool $single_use = null,
        /** When the link stops taking payments: a time from now such as `24 hours`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601. */
        public readonly ?string $expiry_date = null,
        /** @var list<NewPaymentLinkField|array<string, mixed>>|null Further fields for the customer: `name`, `label`, `type` (text, number, choice), `required`, `choices`. */
        public readonly ?array $fields = null,
        /** Text on the receipt and of the SMS; `{amount}` and `{customer}` are replaced. */
        public readonly ?string $success_message = null,
        /** An https URL of yours; the signed result is added to its query. */
        public readonly ?string $return_url = null,
        /** @var list<string>|null Origins whose pages may show the page in a frame; none unless given. */
        public readonly ?array $frame_ancestors = null,
    ) {
    }
}
