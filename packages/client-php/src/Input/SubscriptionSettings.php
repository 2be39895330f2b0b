<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** A recurrence. */
final class SubscriptionSettings extends Input
{
    public function __construct(
        /** DD/MM/YYYY HH:MM:SS in UTC. */
        public readonly string $end_date,
        /** DD/MM/YYYY HH:MM:SS in UTC. Default: now. */
        public readonly ?string $start_date = null,
        /** A list with commas. */
        public readonly ?string $weekdays = null,
        /** A list with commas. */
        public readonly ?string $months = null,
        /** Of yearly, monthly, weekly, daily, hourly, minutely: a list with commas. */
        public readonly ?string $frequency = null,
    ) {
    }
}
