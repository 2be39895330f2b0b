<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The invoiced, paid and open sums of a tag. */
final class InvoiceTagSum extends Model
{
    /** The tag, such as a class; null for customers without one. */
    public readonly ?string $tag;
    /** Three-letter code; null without invoices. */
    public readonly ?string $currency;
    /** Total of issued invoices, without void ones. A decimal number as text. */
    public readonly string $invoiced;
    /** Amount received for them. A decimal number as text. */
    public readonly string $paid;
    /** Open amount. A decimal number as text. */
    public readonly string $open;
    /** Issued invoices, without void ones. */
    public readonly int $invoices;
    /** Drafts; no other figure includes them. */
    public readonly int $drafts;
    /** Issued invoices without a payment. */
    public readonly int $unpaid_invoices;
    /** Partly paid invoices. */
    public readonly int $part_invoices;
    /** Fully paid invoices. */
    public readonly int $paid_invoices;
    /** Unpaid invoices past their due date. */
    public readonly int $overdue_invoices;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        $this->tag = $data['tag'] ?? null;
        $this->currency = $data['currency'] ?? null;
        if (isset($data['invoiced'])) {
            $this->invoiced = self::amount($data['invoiced']);
        }
        if (isset($data['paid'])) {
            $this->paid = self::amount($data['paid']);
        }
        if (isset($data['open'])) {
            $this->open = self::amount($data['open']);
        }
        if (isset($data['invoices'])) {
            $this->invoices = $data['invoices'];
        }
        if (isset($data['drafts'])) {
            $this->drafts = $data['drafts'];
        }
        if (isset($data['unpaid_invoices'])) {
            $this->unpaid_invoices = $data['unpaid_invoices'];
        }
        if (isset($data['part_invoices'])) {
            $this->part_invoices = $data['part_invoices'];
        }
        if (isset($data['paid_invoices'])) {
            $this->paid_invoices = $data['paid_invoices'];
        }
        if (isset($data['overdue_invoices'])) {
            $this->overdue_invoices = $data['overdue_invoices'];
        }
    }
}
