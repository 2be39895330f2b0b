<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Change a contact. */
final class ContactChanges extends Input
{
    public function __construct(
        /** First name. */
        public readonly ?string $first_name = null,
        /** Last name. */
        public readonly ?string $last_name = null,
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
        /** The customer number, which payers type; null for none. */
        public readonly ?string $number = null,
        /** @var list<string>|null All tags of the contact; null for none. */
        public readonly ?array $tags = null,
        /** Your own text about the customer; null for none. */
        public readonly ?string $notes = null,
        /** @var list<NewContactPayer|array<string, mixed>>|null All other payers of the customer; null for none. */
        public readonly ?array $payers = null,
    ) {
    }
}
