<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The result of a purchase, with the purchased service. */
final class PurchaseEventData extends Model
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
    public readonly int $id;
    public readonly int $organization;
    public readonly string $agentReference;
    public readonly string $kind;
    public readonly string $service_type;
    public readonly ?string $account_number;
    public readonly ?string $phone;
    /** A decimal number as text. */
    public readonly string $amount;
    public readonly string $currency;
    /** @var array<string, mixed> */
    public readonly array $metadata;
    /** `success`, `pending` or `failed`. */
    public readonly string $status;
    public readonly ?string $error_code;
    public readonly \DateTimeImmutable $created;
    public readonly \DateTimeImmutable $modified;
    public readonly int $author;

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
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['organization'])) {
            $this->organization = $data['organization'];
        }
        if (isset($data['agentReference'])) {
            $this->agentReference = $data['agentReference'];
        }
        if (isset($data['kind'])) {
            $this->kind = $data['kind'];
        }
        if (isset($data['service_type'])) {
            $this->service_type = $data['service_type'];
        }
        $this->account_number = $data['account_number'] ?? null;
        $this->phone = $data['phone'] ?? null;
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['metadata'])) {
            $this->metadata = $data['metadata'];
        }
        if (isset($data['status'])) {
            $this->status = $data['status'];
        }
        $this->error_code = $data['error_code'] ?? null;
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['modified'])) {
            $this->modified = new \DateTimeImmutable($data['modified']);
        }
        if (isset($data['author'])) {
            $this->author = $data['author'];
        }
    }
}
