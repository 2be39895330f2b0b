<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** An invoice with which nothing was done, and the reason. */
final class InvoiceLeftOut extends Model
{
    /** The invoice. */
    public readonly int $invoice;
    /** Its number; null for a draft. */
    public readonly ?string $number;
    /** Why it was skipped. */
    public readonly string $message;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['invoice'])) {
            $this->invoice = $data['invoice'];
        }
        $this->number = $data['number'] ?? null;
        if (isset($data['message'])) {
            $this->message = $data['message'];
        }
    }
}
