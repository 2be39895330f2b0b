<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A category of services. */
final class BillCategory extends Model
{
    /** Full name. */
    public readonly string $name;
    /** Code of the service. */
    public readonly string $service_type;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['service_type'])) {
            $this->service_type = $data['service_type'];
        }
    }
}
