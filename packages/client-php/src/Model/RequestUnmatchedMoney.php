<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Unmatched money of the phone of a request. */
final class RequestUnmatchedMoney extends Model
{
    /** @var list<NearMoney> */
    public readonly array $unmatched;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['unmatched'])) {
            $this->unmatched = array_map(static fn (array $item) => new NearMoney($item), $data['unmatched']);
        }
    }
}
