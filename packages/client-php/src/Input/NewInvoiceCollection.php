<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Collect the open amount, or part of it, from the customer now. */
final class NewInvoiceCollection extends Input
{
    public function __construct(
        /** At most what is open. Default: all of it. */
        public readonly string|int|null $amount = null,
        /** Who is asked. Default: the customer. */
        public readonly ?string $phonenumber = null,
    ) {
    }
}
