<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Buy pins. */
final class BuyPins extends Input
{
    public function __construct(
        /** Unique for all time. */
        public readonly string $agentReference,
        /** Provider. */
        public readonly string $service_type,
        /** Value of one pin. */
        public readonly string|int $pinValue,
        /** Number of pins. */
        public readonly int $numberOfPins,
        /** Id of the integrator. */
        public readonly ?string $agentId = null,
        /** @var array<string, mixed>|null Your own attributes. Numbers stay numbers. */
        public readonly ?array $metadata = null,
        /** In the currency of the service; it must equal the price. */
        public readonly string|int|null $amount = null,
        /** Phone number: 11 digits in Nigeria, elsewhere with the country code. */
        public readonly ?string $phone = null,
    ) {
    }
}
