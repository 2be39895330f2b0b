<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** An invoice for a customer. */
final class Invoice extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** Without gaps for each organization; null for a draft. */
    public readonly ?string $number;
    /** The page for the customer; null for a draft. */
    public readonly ?string $url;
    /** The page as a PDF; null for a draft. */
    public readonly ?string $pdf_url;
    /** Drafts can be changed; issued ones can only be voided. One of draft, issued, paid, void; new values may be added. */
    public readonly string $state;
    /** Whether it is issued and past its due date. */
    public readonly bool $overdue;
    /** The customer. */
    public readonly int $contact;
    /** The name of the customer; empty if it is not known. */
    public readonly string $customer_name;
    /** The number of the customer; null for none. */
    public readonly ?string $customer_number;
    /** @var list<string> The tags of the customer, such as a class. */
    public readonly array $tags;
    /** Phone number of the customer or its first payer; empty for none. */
    public readonly string $phonenumber;
    /** Three-letter code. */
    public readonly string $currency;
    /** The wallet that receives the money; null for the local one. */
    public readonly ?int $account;
    /** @var list<InvoiceLine> What is sold. */
    public readonly array $lines;
    /** @var list<InvoiceTax> The tax of each rate. */
    public readonly array $taxes;
    /** The sum of the lines, without tax. A decimal number as text. */
    public readonly string $subtotal;
    /** Amount to pay: the subtotal and the taxes. A decimal number as text. */
    public readonly string $total;
    /** Amount received and not reversed by the network. A decimal number as text. */
    public readonly string $amount_paid;
    /** Open amount; zero for drafts and void invoices. A decimal number as text. */
    public readonly string $amount_open;
    /** Amount reversed by networks. A decimal number as text. */
    public readonly string $amount_reversed;
    /** Amount refunded. It is no longer due. A decimal number as text. */
    public readonly string $amount_refunded;
    /** Smallest part payment that its page accepts; null: only the open amount. A decimal number as text. */
    public readonly ?string $min_part;
    /** The last day to pay, in the time zone of the organization. */
    public readonly string $due_date;
    /** Text below the lines. */
    public readonly string $notes;
    /** The language of the customer. One of en, sw, fr; new values may be added. */
    public readonly string $language;
    /** @var list<int> Reminders, in days after the due date; negative before. */
    public readonly array $reminder_days;
    /** Whether reminders also request the open amount. */
    public readonly bool $reminder_prompts;
    /** When the next reminder is due; null for none. */
    public readonly ?\DateTimeImmutable $next_reminder;
    /** @var list<InvoiceSend> To whom it was sent, newest first. */
    public readonly array $sends;
    /** @var list<InvoiceReminder> The reminders, newest first. */
    public readonly array $reminders;
    /** @var list<InvoiceRequest> Its collection requests, newest first. */
    public readonly array $requests;
    /** @var list<InvoiceAllocation> Unrequested money allocated to it, newest first. */
    public readonly array $allocations;
    /** @var list<InvoiceWaitingMoney> Unmatched money of the customer. While there is any, no reminder and no prompt is sent. */
    public readonly array $waiting_money;
    /** When it was issued. */
    public readonly ?\DateTimeImmutable $issued;
    /** When it was last paid in full. */
    public readonly ?\DateTimeImmutable $paid;
    /** When it was voided. */
    public readonly ?\DateTimeImmutable $voided;
    /** Why it was voided. */
    public readonly string $void_reason;
    public readonly \DateTimeImmutable $created;
    /** The user who made it, and the author of its requests. */
    public readonly int $author;
    public readonly \DateTimeImmutable $modified;
    /** The user who changed it last. */
    public readonly ?string $updated_by;

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
        $this->number = $data['number'] ?? null;
        $this->url = $data['url'] ?? null;
        $this->pdf_url = $data['pdf_url'] ?? null;
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        if (isset($data['overdue'])) {
            $this->overdue = $data['overdue'];
        }
        if (isset($data['contact'])) {
            $this->contact = $data['contact'];
        }
        if (isset($data['customer_name'])) {
            $this->customer_name = $data['customer_name'];
        }
        $this->customer_number = $data['customer_number'] ?? null;
        if (isset($data['tags'])) {
            $this->tags = $data['tags'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        $this->account = $data['account'] ?? null;
        if (isset($data['lines'])) {
            $this->lines = array_map(static fn (array $item) => new InvoiceLine($item), $data['lines']);
        }
        if (isset($data['taxes'])) {
            $this->taxes = array_map(static fn (array $item) => new InvoiceTax($item), $data['taxes']);
        }
        if (isset($data['subtotal'])) {
            $this->subtotal = self::amount($data['subtotal']);
        }
        if (isset($data['total'])) {
            $this->total = self::amount($data['total']);
        }
        if (isset($data['amount_paid'])) {
            $this->amount_paid = self::amount($data['amount_paid']);
        }
        if (isset($data['amount_open'])) {
            $this->amount_open = self::amount($data['amount_open']);
        }
        if (isset($data['amount_reversed'])) {
            $this->amount_reversed = self::amount($data['amount_reversed']);
        }
        if (isset($data['amount_refunded'])) {
            $this->amount_refunded = self::amount($data['amount_refunded']);
        }
        $this->min_part = isset($data['min_part']) ? self::amount($data['min_part']) : null;
        if (isset($data['due_date'])) {
            $this->due_date = $data['due_date'];
        }
        if (isset($data['notes'])) {
            $this->notes = $data['notes'];
        }
        if (isset($data['language'])) {
            $this->language = $data['language'];
        }
        if (isset($data['reminder_days'])) {
            $this->reminder_days = $data['reminder_days'];
        }
        if (isset($data['reminder_prompts'])) {
            $this->reminder_prompts = $data['reminder_prompts'];
        }
        $this->next_reminder = isset($data['next_reminder']) ? new \DateTimeImmutable($data['next_reminder']) : null;
        if (isset($data['sends'])) {
            $this->sends = array_map(static fn (array $item) => new InvoiceSend($item), $data['sends']);
        }
        if (isset($data['reminders'])) {
            $this->reminders = array_map(static fn (array $item) => new InvoiceReminder($item), $data['reminders']);
        }
        if (isset($data['requests'])) {
            $this->requests = array_map(static fn (array $item) => new InvoiceRequest($item), $data['requests']);
        }
        if (isset($data['allocations'])) {
            $this->allocations = array_map(static fn (array $item) => new InvoiceAllocation($item), $data['allocations']);
        }
        if (isset($data['waiting_money'])) {
            $this->waiting_money = array_map(static fn (array $item) => new InvoiceWaitingMoney($item), $data['waiting_money']);
        }
        $this->issued = isset($data['issued']) ? new \DateTimeImmutable($data['issued']) : null;
        $this->paid = isset($data['paid']) ? new \DateTimeImmutable($data['paid']) : null;
        $this->voided = isset($data['voided']) ? new \DateTimeImmutable($data['voided']) : null;
        if (isset($data['void_reason'])) {
            $this->void_reason = $data['void_reason'];
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['author'])) {
            $this->author = $data['author'];
        }
        if (isset($data['modified'])) {
            $this->modified = new \DateTimeImmutable($data['modified']);
        }
        $this->updated_by = $data['updated_by'] ?? null;
    }
}
