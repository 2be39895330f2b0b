<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Allocate unmatched money to invoices, customers or payment links. */
final class NewAllocations extends Input
{
    public function __construct(
        /** @var list<NewAllocationPart|array<string, mixed>>|null What the money is for. Several parts split it. */
        public readonly array $parts,
        /** Allocation of this collection to reverse first, so that its money moves. */
        public readonly ?int $instead_of = null,
        /** Reason in your own words, kept on record. */
        public readonly ?string $note = null,
    ) {
    }
}
