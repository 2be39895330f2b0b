<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Why no request can be made for a customer. */
final class RequestBatchProblem extends Model
{
    /** The column with the problem. One of customer_number, phone_number, amount, currency, reason, first_name, last_name, expiry, send_instructions, name; new values may be added. */
    public readonly string $column;
    /** The reason. */
    public readonly string $message;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['column'])) {
            $this->column = $data['column'];
        }
        if (isset($data['message'])) {
            $this->message = $data['message'];
        }
    }
}
