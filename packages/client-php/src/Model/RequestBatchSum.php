<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The number of requests and their sum, in a currency through a network. */
final class RequestBatchSum extends Model
{
    /** Three-letter code. */
    public readonly string $currency;
    /** The network that prompts the customers. */
    public readonly string $network;
    /** How many. */
    public readonly int $requests;
    /** Their amounts together. A decimal number as text. */
    public readonly string $total;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['network'])) {
            $this->network = $data['network'];
        }
        if (isset($data['requests'])) {
            $this->requests = $data['requests'];
        }
        if (isset($data['total'])) {
            $this->total = self::amount($data['total']);
        }
    }
}
