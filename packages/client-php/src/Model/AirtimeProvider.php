<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A provider of airtime. */
final class AirtimeProvider extends Model
{
    /** Code of the service. */
    public readonly string $service_type;
    /** Abbreviation. */
    public readonly string $shortname;
    /** Full name. */
    public readonly string $name;
    /** @var list<string> Plans that can be bought. */
    public readonly array $plans;

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
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['plans'])) {
            $this->plans = $data['plans'];
        }
    }
}
