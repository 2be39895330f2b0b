<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** A recipient of a payment with many. Missing fields are taken from the payment. */
final class NewRecipient extends Input
{
    public function __construct(
        public readonly string $phonenumber,
        public readonly string|int|null $amount = null,
        public readonly ?string $description = null,
        /** @var array<string, mixed>|null */
        public readonly ?array $metadata = null,
        public readonly ?string $first_name = null,
        public readonly ?string $last_name = null,
        public readonly ?string $national_id = null,
        /** One of national, passport, military. */
        public readonly ?string $national_id_type = null,
    ) {
    }
}
