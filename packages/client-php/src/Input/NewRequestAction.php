<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Remind a customer of a request, or request the money of a failed or expired request again. */
final class NewRequestAction extends Input
{
    public function __construct(
        /** Why, in own words; it is kept. */
        public readonly ?string $comment = null,
    ) {
    }
}
