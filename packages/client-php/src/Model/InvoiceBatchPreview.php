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
    /** How many of them cannot be reminded, because nobody has a phone. */
    public readonly int $without_phone;
    /** @var list<InvoiceBatchSum> If all of them get one. */
    public readonly array $all;
    /** @var list<InvoiceBatchSum> If those who have the same already get none. */
    public readonly array $without_duplicates;
    /** @var list<InvoiceBatchDuplicate> Who has the same already. */
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
