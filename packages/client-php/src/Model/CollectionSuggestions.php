<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Suggested allocations of a collection. */
final class CollectionSuggestions extends Model
{
    /** @var list<MatchSuggestion> */
    public readonly array $suggestions;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['suggestions'])) {
            $this->suggestions = array_map(static fn (array $item) => new MatchSuggestion($item), $data['suggestions']);
        }
    }
}
