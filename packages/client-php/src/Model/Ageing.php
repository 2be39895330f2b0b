<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The open amounts of customers by how long they are overdue. */
final class Ageing extends Model
{
    /** The day of the report, in the time zone of the organization. */
    public readonly string $day;
    /** The time zone of the organization. */
    public readonly string $zone;
    /** Total number of rows on all pages. */
    public readonly int $count;
    /** @var list<AgeingRow> One row per customer and currency, highest overdue amount first. */
    public readonly array $rows;
    /** @var list<AgeingTotal> Totals of all rows, one per currency. */
    public readonly array $totals;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['day'])) {
            $this->day = $data['day'];
        }
        if (isset($data['zone'])) {
            $this->zone = $data['zone'];
        }
        if (isset($data['count'])) {
            $this->count = $data['count'];
        }
        if (isset($data['rows'])) {
            $this->rows = array_map(static fn (array $item) => new AgeingRow($item), $data['rows']);
        }
        if (isset($data['totals'])) {
            $this->totals = array_map(static fn (array $item) => new AgeingTotal($item), $data['totals']);
        }
    }
}
