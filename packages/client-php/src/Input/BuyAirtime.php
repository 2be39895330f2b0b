<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Buy airtime. */
final class BuyAirtime extends Input
{
    public function __construct(
        /** Unique for all time. */
        public readonly string $agentReference,
        /** Amount in the currency of the service. */
        public readonly string|int $amount,
        /** Phone number: 11 digits in Nigeria, elsewhere with the country code. */
        public readonly string $phone,
        /** Provider. */
        public readonly string $service_type,
        /** One of the plans of the provider. */
        public readonly string $plan,
        /** Id of the integrator. */
        public readonly ?string $agentId = null,
        /** @var array<string, mixed>|null Your own attributes. Numbers stay numbers. */
        public readonly ?array $metadata = null,
    ) {
    }
}
