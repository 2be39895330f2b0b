<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Match unmatched money with invoices, customers or payment links. */
final class NewAllocations extends Input
{
    public function __construct(
        /** @var list<NewAllocationPart|array<string, mixed>>|null What the money is for. Several parts split it. */
        public readonly array $parts,
        /** An allocation of this collection that is taken back first: its money moves. */
        public readonly ?int $instead_of = null,
        /** Why, in own words; it is kept. */
        public readonly ?string $note = null,
    ) {
    }
}
