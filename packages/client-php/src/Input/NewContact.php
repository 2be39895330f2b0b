<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Create a contact. */
final class NewContact extends Input
{
    public function __construct(
        /** First name. */
        public readonly string $first_name,
        /** Last name. */
        public readonly string $last_name,
        /** With the country code. A customer with a number may have none. */
        public readonly ?string $phone_number = null,
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
        /** The customer number, which payers type. Unique, ignoring case, blanks, dashes and leading zeros. */
        public readonly ?string $number = null,
        /** @var list<string>|null Groups of customers, such as a class, a branch or a route: at most 20. */
        public readonly ?array $tags = null,
        /** Your own text about the customer. */
        public readonly ?string $notes = null,
        /** @var list<NewContactPayer|array<string, mixed>>|null Other payers of the customer, such as a parent or a sponsor: at most 10. */
        public readonly ?array $payers = null,
    ) {
    }
}
