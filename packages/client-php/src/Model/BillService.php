<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A service on sale. */
final class BillService extends Model
{
    /** Id of the service. */
    public readonly int $id;
    /** Id of the product. */
    public readonly int $serviceId;
    /** The service type in capitals. */
    public readonly string $serviceCode;
    /** Code of the category. */
    public readonly string $serviceCategory;
    /** Id of the biller. */
    public readonly int $biller_id;
    /** Short name of the biller. */
    public readonly string $serviceBiller;
    /** The `service_type` of other calls. */
    public readonly string $serviceType;
    /** Full name. */
    public readonly string $serviceName;
    /** The same as the name. */
    public readonly string $serviceDescription;
    /** Code of the category. */
    public readonly string $serviceHandler;
    /** Short name of the provider. */
    public readonly string $serviceProvider;
    /** Whether it can be bought now. */
    public readonly bool $serviceEnabled;
    /** The same as `serviceEnabled`, as a word. */
    public readonly string $serviceStatus;
    /** ISO 3166-1: where it is sold. */
    public readonly string $serviceCountry;
    /** ISO 4217: of its prices, and of the account that pays. */
    public readonly string $serviceCurrency;
    /** Always null. */
    public readonly ?string $serviceLogo;
    /** Whether it can be bought now. */
    public readonly bool $deployed;
    /** Whether it can be bought now. */
    public readonly bool $b2b_deployed;
    public readonly \DateTimeImmutable $created_at;
    public readonly \DateTimeImmutable $updated_at;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['serviceId'])) {
            $this->serviceId = $data['serviceId'];
        }
        if (isset($data['serviceCode'])) {
            $this->serviceCode = $data['serviceCode'];
        }
        if (isset($data['serviceCategory'])) {
            $this->serviceCategory = $data['serviceCategory'];
        }
        if (isset($data['biller_id'])) {
            $this->biller_id = $data['biller_id'];
        }
        if (isset($data['serviceBiller'])) {
            $this->serviceBiller = $data['serviceBiller'];
        }
        if (isset($data['serviceType'])) {
            $this->serviceType = $data['serviceType'];
        }
        if (isset($data['serviceName'])) {
            $this->serviceName = $data['serviceName'];
        }
        if (isset($data['serviceDescription'])) {
            $this->serviceDescription = $data['serviceDescription'];
        }
        if (isset($data['serviceHandler'])) {
            $this->serviceHandler = $data['serviceHandler'];
        }
        if (isset($data['serviceProvider'])) {
            $this->serviceProvider = $data['serviceProvider'];
        }
        if (isset($data['serviceEnabled'])) {
            $this->serviceEnabled = $data['serviceEnabled'];
        }
        if (isset($data['serviceStatus'])) {
            $this->serviceStatus = $data['serviceStatus'];
        }
        if (isset($data['serviceCountry'])) {
            $this->serviceCountry = $data['serviceCountry'];
        }
        if (isset($data['serviceCurrency'])) {
            $this->serviceCurrency = $data['serviceCurrency'];
        }
        $this->serviceLogo = $data['serviceLogo'] ?? null;
        if (isset($data['deployed'])) {
            $this->deployed = $data['deployed'];
        }
        if (isset($data['b2b_deployed'])) {
            $this->b2b_deployed = $data['b2b_deployed'];
        }
        if (isset($data['created_at'])) {
            $this->created_at = new \DateTimeImmutable($data['created_at']);
        }
        if (isset($data['updated_at'])) {
            $this->updated_at = new \DateTimeImmutable($data['updated_at']);
        }
    }
}
