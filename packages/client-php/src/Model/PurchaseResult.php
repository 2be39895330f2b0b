<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The result of a purchase. */
final class PurchaseResult extends Model
{
    /** `0` on success. */
    public readonly ?string $statusCode;
    /** `success`, `pending` or `failed`. */
    public readonly string $transactionStatus;
    /** Id of the purchase. */
    public readonly int $transactionReference;
    /** Result as a text for people. */
    public readonly ?string $transactionMessage;
    /** Prepaid electricity: the token, 20 digits. */
    public readonly ?string $tokenCode;
    /** Prepaid electricity: the quantity in kWh. */
    public readonly ?string $amountOfPower;
    /** Prepaid electricity: the amount paid. A decimal number as text. */
    public readonly ?string $tokenAmount;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        $this->statusCode = $data['statusCode'] ?? null;
        if (isset($data['transactionStatus'])) {
            $this->transactionStatus = $data['transactionStatus'];
        }
        if (isset($data['transactionReference'])) {
            $this->transactionReference = $data['transactionReference'];
        }
        $this->transactionMessage = $data['transactionMessage'] ?? null;
        $this->tokenCode = $data['tokenCode'] ?? null;
        $this->amountOfPower = $data['amountOfPower'] ?? null;
        $this->tokenAmount = isset($data['tokenAmount']) ? self::amount($data['tokenAmount']) : null;
    }
}
