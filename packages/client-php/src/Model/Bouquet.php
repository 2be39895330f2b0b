<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A bouquet of TV channels, or an add-on. */
final class Bouquet extends Model
{
    /** @var list<PricingOption> The prices by number of months. */
    public readonly array $availablePricingOptions;
    /** Code in a purchase. */
    public readonly string $code;
    /** Display name. */
    public readonly string $name;
    /** Further description, or a space. */
    public readonly string $description;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['availablePricingOptions'])) {
            $this->availablePricingOptions = array_map(static fn (array $item) => new PricingOption($item), $data['availablePricingOptions']);
        }
        if (isset($data['code'])) {
            $this->code = $data['code'];
        }
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['description'])) {
            $this->description = $data['description'];
        }
    }
}
