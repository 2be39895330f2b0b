<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Remind a customer of a request, or retry a failed or expired request. */
final class NewRequestAction extends Input
{
    public function __construct(
        /** Reason in your own words, kept on record. */
        public readonly ?string $comment = null,
    ) {
    }
}
