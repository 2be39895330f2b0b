<?php

declare(strict_types=1);

namespace Kusanya;

/** The object that an earlier request with the same Duplicate-Check-Key has created. */
final class Duplicate
{
    public function __construct(
        /** Such as collectionrequest, payment or billpayment. */
        public readonly string $type,
        public readonly int $id,
    ) {
    }
}
