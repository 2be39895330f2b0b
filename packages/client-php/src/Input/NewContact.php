<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Create a contact. */
final class NewContact extends Input
{
    public function __construct(
        /** With the country code. */
        public readonly string $phone_number,
        /** First name. */
        public readonly string $first_name,
        /** Last name. */
        public readonly string $last_name,
        /** E-mail address. */
        public readonly ?string $email = null,
        /** @var array<string, mixed>|null Your own attributes. Numbers stay numbers. */
        public readonly ?array $metadata = null,
        /** Type of contact. One of employee, beneficiary, vendor, other. */
        public readonly ?string $type = null,
        /** Whether the contact is in use. One of active, inactive. */
        public readonly ?string $status = null,
        /** Number of an identity document. */
        public readonly ?string $national_id = null,
        /** Type of the document. One of passport, military, national. */
        public readonly ?string $national_id_type = null,
    ) {
    }
}
