<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The wallet. */
final class TransactionAccount extends Model
{
    public readonly int $id;
    public readonly int $organization;
    public readonly string $currency;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['organization'])) {
            $this->organization = $data['organization'];
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
    }
}
