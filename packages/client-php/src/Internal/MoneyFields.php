<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Internal;

/** @internal The fields of answers that are amounts of money and may be JSON numbers. */
final class MoneyFields
{
    public const ACCOUNTS = ['balance'];
    public const EVENTS = ['tokenAmount'];
    public const BILLS = ['amount', 'balance', 'minimumAmount', 'outstandingBalance', 'pinValue', 'price', 'tokenAmount', 'total_amount'];
}
