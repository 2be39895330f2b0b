<?php

declare(strict_types=1);

namespace Kusanya;

/**
 * The objects that match some filters, over all pages: `foreach ($kusanya->collectionRequests->list() as $request)`. Pages are
 * read when they are needed. An object that moves to the next page, because newer ones came, is given once.
 *
 * @template T of Model\Model
 *
 * @implements \IteratorAggregate<int, T>
 */
final class Listing implements \IteratorAggregate
{
    /** Enough for most lists in one call; a key may read 30 times a minute. */
    private const DEFAULT_LIMIT = 100;

    /**
     * @internal
     *
     * @param \Closure(array<string, mixed>): Page<T> $load
     * @param array<string, mixed> $query
     */
    public function __construct(private readonly \Closure $load, private readonly array $query)
    {
    }

    /**
     * The first page, with the number of all objects that match.
     *
     * @return Page<T>
     */
    public function page(): Page
    {
        return $this->load([]);
    }

    /**
     * One page after the other.
     *
     * @return \Generator<int, Page<T>>
     */
    public function pages(): \Generator
    {
        $page = $this->page();
        yield $page;
        while ($page->next !== null) {
            $page = $this->load(self::positionOf($page->next));
            yield $page;
        }
    }

    /** @return \Generator<int, T> */
    public function getIterator(): \Generator
    {
        $seen = [];
        $page = $this->page();
        $limit = null;
        while (true) {
            foreach ($page->results as $item) {
                // Sums have no id.
                $id = $item->raw['id'] ?? null;
                if ($id !== null && isset($seen[$id])) {
                    continue;
                }
                if ($id !== null) {
                    $seen[$id] = true;
                }
                yield $item;
            }
            if ($page->next === null) {
                return;
            }
            $position = self::positionOf($page->next);
            $limit ??= (int) $position['limit'];
            $page = $this->loadAfter($seen, $limit, (int) $position['offset']);
        }
    }

    /**
     * The page at an offset, with the object before it. If that object is unknown, others have left the list since, for example
     * because the caller has closed them: the page begins so much earlier.
     *
     * @param array<int, true> $seen
     *
     * @return Page<T>
     */
    private function loadAfter(array $seen, int $limit, int $offset): Page
    {
        if ($seen === []) {
            return $this->load(['limit' => $limit, 'offset' => $offset]);
        }
        $start = (int) ($this->query['offset'] ?? 0);
        for ($at = $offset - 1; ; $at -= $limit) {
            $page = $this->load(['limit' => $limit + 1, 'offset' => max($start, $at)]);
            $first = ($page->results[0] ?? null)?->raw['id'] ?? null;
            if ($at <= $start || ($first !== null && isset($seen[$first]))) {
                return $page;
            }
        }
    }

    /**
     * Only the position is taken from the address of a page: its host may not be the one that this client calls.
     *
     * @return array<string, string>
     */
    private static function positionOf(string $address): array
    {
        parse_str(parse_url($address, \PHP_URL_QUERY) ?: '', $position);

        return array_intersect_key($position, ['limit' => true, 'offset' => true]);
    }

    /**
     * The first object, or null if none matches.
     *
     * @return T|null
     */
    public function first(): ?Model\Model
    {
        return $this->load(['limit' => 1])->results[0] ?? null;
    }

    /**
     * All objects, or at most so many.
     *
     * @return list<T>
     */
    public function toArray(int $at_most = \PHP_INT_MAX): array
    {
        $items = [];
        if ($at_most <= 0) {
            return $items;
        }
        foreach ($this as $item) {
            $items[] = $item;
            if (\count($items) >= $at_most) {
                break;
            }
        }

        return $items;
    }

    /**
     * @param array<string, mixed> $changes
     *
     * @return Page<T>
     */
    private function load(array $changes): Page
    {
        return ($this->load)($changes + $this->query + ['limit' => self::DEFAULT_LIMIT]);
    }
}
