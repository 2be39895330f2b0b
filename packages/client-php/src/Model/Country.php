<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A country. */
final class Country extends Model
{
    /** ISO 3166-1, two letters. */
    public readonly string $iso;
    /** ISO 3166-1, three letters. */
    public readonly string $iso3;
    /** ISO 3166-1, numeric. */
    public readonly int $iso_numeric;
    /** Name in capitals. */
    public readonly string $name;
    /** Name in ordinary spelling. */
    public readonly string $printable_name;
    /** Calling code without the plus sign. */
    public readonly string $phone_prefix;
    /** Whether money can be collected here. */
    public readonly bool $supported;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['iso'])) {
            $this->iso = $data['iso'];
        }
        if (isset($data['iso3'])) {
            $this->iso3 = $data['iso3'];
        }
        if (isset($data['iso_numeric'])) {
            $this->iso_numeric = $data['iso_numeric'];
        }
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['printable_name'])) {
            $this->printable_name = $data['printable_name'];
        }
        if (isset($data['phone_prefix'])) {
            $this->phone_prefix = $data['phone_prefix'];
        }
        if (isset($data['supported'])) {
            $this->supported = $data['supported'];
        }
    }
}
