<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Another payer for a customer. */
final class ContactPayer extends Model
{
    /** E.164. */
    public readonly string $phone_number;
    /** Name of the payer; may be empty. */
    public readonly string $name;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['phone_number'])) {
            $this->phone_number = $data['phone_number'];
        }
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
    }
}
