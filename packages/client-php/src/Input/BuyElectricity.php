<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Buy electricity. */
final class BuyElectricity extends Input
{
    public function __construct(
        /** Unique for all time. */
        public readonly string $agentReference,
        /** Amount in the currency of the service. */
        public readonly string|int $amount,
        /** Phone number: 11 digits in Nigeria, elsewhere with the country code. */
        public readonly string $phone,
        /** Service type of the bill. */
        public readonly string $service_type,
        /** Meter or account number. */
        public readonly string $account_number,
        /** Id of the integrator. */
        public readonly ?string $agentId = null,
        /** @var array<string, mixed>|null Your own attributes. Numbers stay numbers. */
        public readonly ?array $metadata = null,
        /** Prepaid: send the token to `phone` by SMS. Default: your setting. */
        public readonly ?bool $sendToken = null,
    ) {
    }
}
