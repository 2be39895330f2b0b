<?php

declare(strict_types=1);

namespace Kusanya;

/**
 * One page of a list.
 *
 * @template T of Model\Model
 */
final class Page
{
    /** @param list<T> $results */
    public function __construct(
        /** How many objects match, on all pages. */
        public readonly int $count,
        public readonly ?string $next,
        public readonly ?string $previous,
        public readonly array $results,
    ) {
    }
}
