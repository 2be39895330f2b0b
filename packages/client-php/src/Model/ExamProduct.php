<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A product of an exam. */
final class ExamProduct extends Model
{
    /** Id of the product. */
    public readonly int $id;
    /** Price of the product. A decimal number as text. */
    public readonly string $amount;
    /** Code in a purchase. */
    public readonly string $product_code;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['product_code'])) {
            $this->product_code = $data['product_code'];
        }
    }
}
