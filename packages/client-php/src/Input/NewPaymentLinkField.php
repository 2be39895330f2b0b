<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** A further question to a customer. */
final class NewPaymentLinkField extends Input
{
    public function __construct(
        /** The key in the metadata of the request. */
        public readonly string $name,
        /** The text that the customer reads. */
        public readonly string $label,
        /** Default `text`. One of text, number, choice. */
        public readonly ?string $type = null,
        /** True if the customer must answer. */
        public readonly ?bool $required = null,
        /** @var list<string>|null The possible answers. */
        public readonly ?array $choices = null,
    ) {
    }
}
