<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Another payer for a customer. */
final class NewContactPayer extends Input
{
    public function __construct(
        /** With the country code. */
        public readonly string $phone_number,
        /** Name of the payer. */
        public readonly ?string $name = null,
    ) {
    }
}
