<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Change, close or open a payment link. */
final class PaymentLinkChanges extends Input
{
    public function __construct(
        /** What is paid; networks show about 20 characters. */
        public readonly ?string $title = null,
        /** Text below the title; empty for none. */
        public readonly ?string $description = null,
        /** Text on the receipt; empty for the default. */
        public readonly ?string $success_message = null,
        /** Closes the link, or opens it again. One of active, closed. */
        public readonly ?string $state = null,
        /** When it stops taking payments; null for never. */
        public readonly ?string $expiry_date = null,
        /** An https URL of yours; null for none. */
        public readonly ?string $return_url = null,
        /** @var list<string>|null Origins whose pages may show the page in a frame; none unless given. */
        public readonly ?array $frame_ancestors = null,
    ) {
    }
}
