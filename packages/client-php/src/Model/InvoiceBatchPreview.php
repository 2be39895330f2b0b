<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A preview of a batch of invoices. */
final class InvoiceBatchPreview extends Model
{
    /** The tag. */
    public readonly string $tag;
    /** The last day to pay. */
    public readonly string $due_date;
    /** How many customers have the tag. */
    public readonly int $customers;
    /** How many of them cannot be reminded, because neither they nor a payer has a phone. */
    public readonly int $without_phone;
    /** @var list<InvoiceBatchSum> Sums if every customer gets an invoice. */
    public readonly array $all;
    /** @var list<InvoiceBatchSum> Sums if customers with the same invoice are skipped. */
    public readonly array $without_duplicates;
    /** @var list<InvoiceBatchDuplicate> Customers who already have the same invoice. */
    public readonly array $duplicates;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['tag'])) {
            $this->tag = $data['tag'];
        }
        if (isset($data['due_date'])) {
            $this->due_date = $data['due_date'];
        }
        if (isset($data['customers'])) {
            $this->customers = $data['customers'];
        }
        if (isset($data['without_phone'])) {
            $this->without_phone = $data['without_phone'];
        }
        if (isset($data['all'])) {
            $this->all = array_map(static fn (array $item) => new InvoiceBatchSum($item), $data['all']);
        }
        if (isset($data['without_duplicates'])) {
            $this->without_duplicates = array_map(static fn (array $item) => new InvoiceBatchSum($item), $data['without_duplicates']);
        }
        if (isset($data['duplicates'])) {
            $this->duplicates = array_map(static fn (array $item) => new InvoiceBatchDuplicate($item), $data['duplicates']);
        }
    }
}
