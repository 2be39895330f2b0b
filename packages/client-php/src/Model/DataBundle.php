<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A data bundle. */
final class DataBundle extends Model
{
    /** Display name. */
    public readonly string $name;
    /** Amount of data. */
    public readonly ?string $allowance;
    /** Price of the bundle. A decimal number as text. */
    public readonly string $price;
    /** Period of validity. */
    public readonly ?string $validity;
    /** Code of the bundle in a purchase. */
    public readonly string $datacode;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        $this->allowance = $data['allowance'] ?? null;
        if (isset($data['price'])) {
            $this->price = self::amount($data['price']);
        }
        $this->validity = $data['validity'] ?? null;
        if (isset($data['datacode'])) {
            $this->datacode = $data['datacode'];
        }
    }
}
