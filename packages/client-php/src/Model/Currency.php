<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A currency of wallets. */
final class Currency extends Model
{
    public readonly int $id;
    /** Name of the currency. */
    public readonly string $name;
    /** Three-letter code. */
    public readonly string $code;
    public readonly Country $country;
    /** Units of the currency for one US dollar. */
    public readonly float $usd_rate;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['code'])) {
            $this->code = $data['code'];
        }
        if (isset($data['country'])) {
            $this->country = new Country($data['country']);
        }
        if (isset($data['usd_rate'])) {
            $this->usd_rate = $data['usd_rate'];
        }
    }
}
