<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A page on which customers pay. */
final class PaymentLink extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** The page for customers. */
    public readonly string $url;
    /** Number that payers to the till type; null for the link of an invoice or a request. */
    public readonly ?string $number;
    /** Only an active link takes payments. One of active, paid, closed, expired; new values may be added. */
    public readonly string $state;
    /** What is paid; the reason of the requests. */
    public readonly string $title;
    /** Text below the title. */
    public readonly string $description;
    /** Three-letter code. */
    public readonly string $currency;
    /** The wallet that receives the money; null for the local one. */
    public readonly ?int $account;
    /** Country whose phone numbers need no country code (ISO 3166-1). */
    public readonly string $country;
    /** The amount, if it is fixed. A decimal number as text. */
    public readonly ?string $amount;
    /** The smallest amount, if the customer chooses. A decimal number as text. */
    public readonly ?string $min_amount;
    /** The largest amount, if the customer chooses. A decimal number as text. */
    public readonly ?string $max_amount;
    /** @var list<string>|null The amounts to choose from. */
    public readonly ?array $amounts;
    /** Whether it can be paid only once. */
    public readonly bool $single_use;
    /** When it stops taking payments. */
    public readonly ?\DateTimeImmutable $expiry_date;
    /** @var list<PaymentLinkField> Further fields for the customer. */
    public readonly array $fields;
    /** Text on the receipt and of the SMS. */
    public readonly string $success_message;
    /** URL that the customer returns to. */
    public readonly ?string $return_url;
    /** @var list<string> Origins whose pages may show the page in a frame. */
    public readonly array $frame_ancestors;
    public readonly \DateTimeImmutable $created;
    /** The user who made the link, and the author of its requests. */
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
        if (isset($data['url'])) {
            $this->url = $data['url'];
        }
        $this->number = $data['number'] ?? null;
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        if (isset($data['title'])) {
            $this->title = $data['title'];
        }
        if (isset($data['description'])) {
            $this->description = $data['description'];
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        $this->account = $data['account'] ?? null;
        if (isset($data['country'])) {
            $this->country = $data['country'];
        }
        $this->amount = isset($data['amount']) ? self::amount($data['amount']) : null;
        $this->min_amount = isset($data['min_amount']) ? self::amount($data['min_amount']) : null;
        $this->max_amount = isset($data['max_amount']) ? self::amount($data['max_amount']) : null;
        $this->amounts = isset($data['amounts']) ? array_map(self::amount(...), $data['amounts']) : null;
        if (isset($data['single_use'])) {
            $this->single_use = $data['single_use'];
        }
        $this->expiry_date = isset($data['expiry_date']) ? new \DateTimeImmutable($data['expiry_date']) : null;
        if (isset($data['fields'])) {
            $this->fields = array_map(static fn (array $item) => new PaymentLinkField($item), $data['fields']);
        }
        if (isset($data['success_message'])) {
            $this->success_message = $data['success_message'];
        }
        $this->return_url = $data['return_url'] ?? null;
        if (isset($data['frame_ancestors'])) {
            $this->frame_ancestors = $data['frame_ancestors'];
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
