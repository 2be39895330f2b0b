<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** An object that money may be for. */
final class SuggestedPart extends Model
{
    /** The invoice. */
    public readonly ?int $invoice;
    /** The customer: owner of the invoice, or whose credit it would be. */
    public readonly ?int $contact;
    /** The open request. */
    public readonly ?int $collection_request;
    /** The number of the invoice, or of the customer; empty for a request. */
    public readonly string $number;
    /** The name of the customer. */
    public readonly string $name;
    /** The number of the customer; null for none. */
    public readonly ?string $customer_number;
    /** Amount that it would get. A decimal number as text. */
    public readonly string $amount;
    /** What is asked for; null for a customer. A decimal number as text. */
    public readonly ?string $asked;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        $this->invoice = $data['invoice'] ?? null;
        $this->contact = $data['contact'] ?? null;
        $this->collection_request = $data['collection_request'] ?? null;
        if (isset($data['number'])) {
            $this->number = $data['number'];
        }
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        $this->customer_number = $data['customer_number'] ?? null;
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        $this->asked = isset($data['asked']) ? self::amount($data['asked']) : null;
    }
}
