<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The allocations of a collection, and its unallocated rest. */
final class CollectionAllocations extends Model
{
    /** @var list<Allocation> Its allocations. */
    public readonly array $allocations;
    /** Unmatched part of the amount. A decimal number as text. */
    public readonly string $amount_unmatched;
    /** @var list<PendingMatch> Changes that wait for a second manager, because the amount is large. */
    public readonly array $pending;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['allocations'])) {
            $this->allocations = array_map(static fn (array $item) => new Allocation($item), $data['allocations']);
        }
        if (isset($data['amount_unmatched'])) {
            $this->amount_unmatched = self::amount($data['amount_unmatched']);
        }
        if (isset($data['pending'])) {
            $this->pending = array_map(static fn (array $item) => new PendingMatch($item), $data['pending']);
        }
    }
}
