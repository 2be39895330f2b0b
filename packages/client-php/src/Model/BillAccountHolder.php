<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The holder of an account, for example of a meter. */
final class BillAccountHolder extends Model
{
    /** Name of the holder. */
    public readonly string $name;
    /** Address of the meter. */
    public readonly ?string $address;
    /** What the holder owes the biller. A decimal number as text. */
    public readonly ?string $outstandingBalance;
    /** End of the subscription. */
    public readonly ?string $dueDate;
    /** District of the electricity company. */
    public readonly ?string $district;
    /** Account number in the form that the biller uses. */
    public readonly ?string $accountNumber;
    /** The smallest amount that can be paid. A decimal number as text. */
    public readonly ?string $minimumAmount;
    /** @var array<string, mixed> Data of the biller, unchanged. */
    public readonly array $rawOutput;
    /** Null when a holder was found. */
    public readonly ?string $errorMessage;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        $this->address = $data['address'] ?? null;
        $this->outstandingBalance = isset($data['outstandingBalance']) ? self::amount($data['outstandingBalance']) : null;
        $this->dueDate = $data['dueDate'] ?? null;
        $this->district = $data['district'] ?? null;
        $this->accountNumber = $data['accountNumber'] ?? null;
        $this->minimumAmount = isset($data['minimumAmount']) ? self::amount($data['minimumAmount']) : null;
        if (isset($data['rawOutput'])) {
            $this->rawOutput = $data['rawOutput'];
        }
        $this->errorMessage = $data['errorMessage'] ?? null;
    }
}
