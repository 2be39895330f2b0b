<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The request to one customer, checked. */
final class RequestBatchRow extends Model
{
    /** Number of the row in the file, where the first line is 1; or the id of the customer. */
    public readonly int $number;
    /** The number of the customer; empty if the row has none. */
    public readonly string $customer_number;
    /** Phone number in E.164, or the text of the file if it is not a phone number. */
    public readonly string $phone_number;
    /** The name of the customer. */
    public readonly string $name;
    /** What the money is for. */
    public readonly string $reason;
    /** Null if the row has no readable amount. A decimal number as text. */
    public readonly ?string $amount;
    /** ISO 4217. */
    public readonly string $currency;
    /** The network that prompts the customer; null for a refused row. */
    public readonly ?string $network;
    /** ISO 8601; null for the default of 24 hours. */
    public readonly ?string $expiry_date;
    /** `refused`: no request can be made; see `problems`. One of ready, refused; new values may be added. */
    public readonly string $state;
    /** @var list<RequestBatchProblem> Why the row is refused, with the column. */
    public readonly array $problems;
    /** @var list<mixed> `twice`: another row has the same phone, amount and reason. `asked_already`: an open or recent request has them. */
    public readonly array $warnings;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['number'])) {
            $this->number = $data['number'];
        }
        if (isset($data['customer_number'])) {
            $this->customer_number = $data['customer_number'];
        }
        if (isset($data['phone_number'])) {
            $this->phone_number = $data['phone_number'];
        }
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['reason'])) {
            $this->reason = $data['reason'];
        }
        $this->amount = isset($data['amount']) ? self::amount($data['amount']) : null;
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        $this->network = $data['network'] ?? null;
        $this->expiry_date = $data['expiry_date'] ?? null;
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        if (isset($data['problems'])) {
            $this->problems = array_map(static fn (array $item) => new RequestBatchProblem($item), $data['problems']);
        }
        if (isset($data['warnings'])) {
            $this->warnings = $data['warnings'];
        }
    }
}
