<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Buy an exam pin for a candidate after the name look-up. */
final class BuyExamPin extends Input
{
    public function __construct(
        /** Unique for all time. */
        public readonly string $agentReference,
        /** Phone number: 11 digits in Nigeria, elsewhere with the country code. */
        public readonly string $phone,
        /** Exam. */
        public readonly string $service_type,
        /** Confirmation code of the candidate. */
        public readonly string $account_number,
        /** Code from the list of products. */
        public readonly string $product_code,
        /** Id of the integrator. */
        public readonly ?string $agentId = null,
        /** @var array<string, mixed>|null Your own attributes. Numbers stay numbers. */
        public readonly ?array $metadata = null,
        /** In the currency of the service; it must equal the price. */
        public readonly string|int|null $amount = null,
    ) {
    }
}
