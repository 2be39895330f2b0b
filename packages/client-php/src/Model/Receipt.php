<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The receipt of a payment that arrived. */
final class Receipt extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** Without gaps for each organization. */
    public readonly string $number;
    /** The page for the customer. */
    public readonly string $url;
    /** The page as a PDF. */
    public readonly string $pdf_url;
    /** `paid`; `partly_returned` or `returned`: a part or all of the money was reversed or refunded. One of paid, partly_returned, returned; new values may be added. */
    public readonly string $state;
    /** Your name when the receipt was made. */
    public readonly string $issuer;
    /** The payment. */
    public readonly int $collection;
    /** The request that the payment fulfilled, or null. */
    public readonly ?int $collection_request;
    /** What was paid. A decimal number as text. */
    public readonly string $amount;
    /** Amount reversed by the network. A decimal number as text. */
    public readonly string $reversed_amount;
    /** Amount refunded or being refunded. A decimal number as text. */
    public readonly string $refunded_amount;
    /** Three-letter code. */
    public readonly string $currency;
    /** The phone number that paid. */
    public readonly string $phonenumber;
    /** What was paid. */
    public readonly string $reason;
    /** The number of the invoice that was paid, or null. */
    public readonly ?string $invoice;
    /** The network operator's own id of the payment. */
    public readonly string $remote_transaction_id;
    public readonly \DateTimeImmutable $payment_date;
    /** @var list<ReceiptSend> To whom it was sent, newest first. */
    public readonly array $sends;
    public readonly \DateTimeImmutable $created;
    public readonly \DateTimeImmutable $modified;

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
        if (isset($data['number'])) {
            $this->number = $data['number'];
        }
        if (isset($data['url'])) {
            $this->url = $data['url'];
        }
        if (isset($data['pdf_url'])) {
            $this->pdf_url = $data['pdf_url'];
        }
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        if (isset($data['issuer'])) {
            $this->issuer = $data['issuer'];
        }
        if (isset($data['collection'])) {
            $this->collection = $data['collection'];
        }
        $this->collection_request = $data['collection_request'] ?? null;
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['reversed_amount'])) {
            $this->reversed_amount = self::amount($data['reversed_amount']);
        }
        if (isset($data['refunded_amount'])) {
            $this->refunded_amount = self::amount($data['refunded_amount']);
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['reason'])) {
            $this->reason = $data['reason'];
        }
        $this->invoice = $data['invoice'] ?? null;
        if (isset($data['remote_transaction_id'])) {
            $this->remote_transaction_id = $data['remote_transaction_id'];
        }
        if (isset($data['payment_date'])) {
            $this->payment_date = new \DateTimeImmutable($data['payment_date']);
        }
        if (isset($data['sends'])) {
            $this->sends = array_map(static fn (array $item) => new ReceiptSend($item), $data['sends']);
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['modified'])) {
            $this->modified = new \DateTimeImmutable($data['modified']);
        }
    }
}
