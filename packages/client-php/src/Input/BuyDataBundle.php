<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Buy a data bundle. */
final class BuyDataBundle extends Input
{
    public function __construct(
        /** Unique for all time. */
        public readonly string $agentReference,
        /** Phone number: 11 digits in Nigeria, elsewhere with the country code. */
        public readonly string $phone,
        /** Provider. */
        public readonly string $service_type,
        /** Code of the bundle. */
        public readonly string $datacode,
        /** Id of the integrator. */
        public readonly ?string $agentId = null,
        /** @var array<string, mixed>|null Your own attributes. Numbers stay numbers. */
        public readonly ?array $metadata = null,
        /** In the currency of the service; it must equal the price. */
        public readonly string|int|null $amount = null,
        /** Account number; for providers that sell to accounts: smile, spectranet. */
        public readonly ?string $account_number = null,
        /** Spectranet only. One of RENEW, CHANGE_IMMEDIATE, CHANGE_AFTER_EXPIRY. */
        public readonly ?string $package = null,
    ) {
    }
}
