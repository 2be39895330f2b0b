<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A seller of a service. */
final class BillProvider extends Model
{
    /** Code of the service. */
    public readonly string $service_type;
    /** Abbreviation. */
    public readonly string $shortname;
    /** Id of the biller. */
    public readonly int $biller_id;
    /** Id of the product. */
    public readonly int $product_id;
    /** Full name. */
    public readonly string $name;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['service_type'])) {
            $this->service_type = $data['service_type'];
        }
        if (isset($data['shortname'])) {
            $this->shortname = $data['shortname'];
        }
        if (isset($data['biller_id'])) {
            $this->biller_id = $data['biller_id'];
        }
        if (isset($data['product_id'])) {
            $this->product_id = $data['product_id'];
        }
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
    }
}
