<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The credit and the unmatched money of a customer. */
final class ContactMoney extends Model
{
    /** @var list<Credit> Credit of the customer, the oldest first. It pays the next invoice. */
    public readonly array $credit;
    /** @var list<PhoneMoney> Unmatched money from the phones of the customer, newest first. */
    public readonly array $unmatched;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['credit'])) {
            $this->credit = array_map(static fn (array $item) => new Credit($item), $data['credit']);
        }
        if (isset($data['unmatched'])) {
            $this->unmatched = array_map(static fn (array $item) => new PhoneMoney($item), $data['unmatched']);
        }
    }
}
