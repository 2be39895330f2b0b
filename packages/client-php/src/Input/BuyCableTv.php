<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Renew a TV subscription, or change its plan. */
final class BuyCableTv extends Input
{
    public function __construct(
        /** Unique for all time. */
        public readonly string $agentReference,
        /** TV service. */
        public readonly string $service_type,
        /** Smartcard or IUC number. */
        public readonly string $smartcard_number,
        /** For a renewal any amount; otherwise the price of bouquet and add-on. */
        public readonly string|int $total_amount,
        /** Code of the new bouquet; `0` renews the current subscription. */
        public readonly string $product_code,
        /** Number of months to pay. */
        public readonly int $product_monthsPaidFor,
        /** Id of the integrator. */
        public readonly ?string $agentId = null,
        /** @var array<string, mixed>|null Your own attributes. Numbers stay numbers. */
        public readonly ?array $metadata = null,
        /** Code of an add-on of the bouquet. */
        public readonly ?string $addon_code = null,
        /** Number of months of the add-on; default: the same as the bouquet. */
        public readonly ?int $addon_monthsPaidFor = null,
        /** Passed to the TV service as it is. */
        public readonly ?bool $isBoxOffice = null,
        /** Phone number: 11 digits in Nigeria, elsewhere with the country code. */
        public readonly ?string $phone = null,
    ) {
    }
}
