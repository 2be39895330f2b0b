<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Duplicate;
use Kusanya\Input\BuyAirtime;
use Kusanya\Input\BuyCableTv;
use Kusanya\Input\BuyDataBundle;
use Kusanya\Input\BuyElectricity;
use Kusanya\Input\BuyExamPin;
use Kusanya\Input\BuyPins;
use Kusanya\Input\Input;
use Kusanya\Internal\Call;
use Kusanya\Internal\MoneyFields;
use Kusanya\Internal\Poll;
use Kusanya\Internal\Transport;
use Kusanya\Model\AirtimeProvider;
use Kusanya\Model\BillAccountHolder;
use Kusanya\Model\BillBalance;
use Kusanya\Model\BillCategory;
use Kusanya\Model\BillProvider;
use Kusanya\Model\BillService;
use Kusanya\Model\Bouquet;
use Kusanya\Model\DataBundle;
use Kusanya\Model\ExamProduct;
use Kusanya\Model\Model;
use Kusanya\Model\PinBundle;
use Kusanya\Model\PurchaseResult;

/**
 * Bill payments: look up, buy, and read the result. `$country` (ISO 3166-1) chooses whose services are listed; the default of the
 * providers of one kind is NG. All calls throw KusanyaException. A purchase that has failed is one, too: its `body['data']` has
 * the result.
 */
final class Bills
{
    private const SERVICES = '/api/gateway/services';
    private const BILLERS = '/api/gateway/billers';

    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * @return list<BillCategory>
     */
    public function listCategories(): array
    {
        return $this->ask('GET', self::BILLERS . '/category/all', [], self::all(BillCategory::class));
    }

    /**
     * @return list<BillProvider>
     */
    public function listProviders(?string $country = null): array
    {
        return $this->providers(self::BILLERS . '/provider/all', $country, BillProvider::class);
    }

    /**
     * @return list<BillService>
     */
    public function listServices(?string $country = null): array
    {
        return $this->ask('GET', self::BILLERS . '/services/list', ['country' => $country], self::all(BillService::class));
    }

    /**
     * @return list<BillService>
     */
    public function listServicesOfCategory(string $service_type): array
    {
        return $this->ask('GET', self::BILLERS . '/services/category', ['service_type' => $service_type], self::all(BillService::class));
    }

    /**
     * @return list<AirtimeProvider>
     */
    public function listAirtimeProviders(?string $country = null): array
    {
        return $this->providers(self::SERVICES . '/airtime/providers', $country, AirtimeProvider::class);
    }

    /**
     * @return list<BillProvider>
     */
    public function listDataBundleProviders(?string $country = null): array
    {
        return $this->providers(self::SERVICES . '/databundle/providers', $country, BillProvider::class);
    }

    /**
     * @return list<BillProvider>
     */
    public function listElectricityBillers(?string $country = null): array
    {
        return $this->providers(self::SERVICES . '/electricity/billers', $country, BillProvider::class);
    }

    /**
     * @return list<BillProvider>
     */
    public function listCableTvProviders(?string $country = null): array
    {
        return $this->providers(self::SERVICES . '/cabletv/providers', $country, BillProvider::class);
    }

    /**
     * @return list<BillProvider>
     */
    public function listPinProviders(?string $country = null): array
    {
        return $this->providers(self::SERVICES . '/epin/providers', $country, BillProvider::class);
    }

    /**
     * @return list<Bouquet>
     */
    public function listBouquets(string $service_type): array
    {
        return $this->ask('POST', self::SERVICES . '/cabletv/list', ['service_type' => $service_type], self::all(Bouquet::class));
    }

    /**
     * @return list<Bouquet>
     */
    public function listAddons(string $service_type, string $product_code): array
    {
        return $this->ask('POST', self::SERVICES . '/cabletv/addons', ['service_type' => $service_type, 'product_code' => $product_code], self::all(Bouquet::class));
    }

    /**
     * `$account_number` is required for providers that sell to accounts: smile, spectranet.
     *
     * @return list<DataBundle>
     */
    public function listDataBundles(string $service_type, ?string $account_number = null): array
    {
        return $this->ask('POST', self::SERVICES . '/databundle/bundles', ['service_type' => $service_type, 'account_number' => $account_number], self::all(DataBundle::class));
    }

    /**
     * @return list<PinBundle>
     */
    public function listPinBundles(string $service_type): array
    {
        return $this->ask('POST', self::SERVICES . '/epin/bundles', ['service_type' => $service_type], self::all(PinBundle::class));
    }

    /**
     * @return list<ExamProduct>
     */
    public function listExamProducts(string $service_type): array
    {
        return $this->ask('GET', self::SERVICES . '/exampin/products', ['service_type' => $service_type], self::all(ExamProduct::class));
    }

    /** The name of an account's holder, before something is bought for the account. */
    public function findName(string $service_type, string $account_number, ?string $product_code = null): BillAccountHolder
    {
        return $this->ask('POST', self::SERVICES . '/namefinder/query', ['service_type' => $service_type, 'account_number' => $account_number, 'product_code' => $product_code], self::user(...));
    }

    /** Whose meter it is. */
    public function verifyMeter(string $service_type, string $account_number): BillAccountHolder
    {
        return $this->ask('POST', self::SERVICES . '/electricity/verify', ['service_type' => $service_type, 'account_number' => $account_number], self::user(...));
    }

    /**
     * Buys airtime.
     *
     * @param BuyAirtime|array<string, mixed> $input
     */
    public function buyAirtime(BuyAirtime|array $input, ?string $duplicate_check_key = null): PurchaseResult
    {
        return $this->buy('airtime', $input, $duplicate_check_key);
    }

    /**
     * Buys a data bundle.
     *
     * @param BuyDataBundle|array<string, mixed> $input
     */
    public function buyDataBundle(BuyDataBundle|array $input, ?string $duplicate_check_key = null): PurchaseResult
    {
        return $this->buy('databundle', $input, $duplicate_check_key);
    }

    /**
     * Buys electricity.
     *
     * @param BuyElectricity|array<string, mixed> $input
     */
    public function buyElectricity(BuyElectricity|array $input, ?string $duplicate_check_key = null): PurchaseResult
    {
        return $this->buy('electricity', $input, $duplicate_check_key);
    }

    /**
     * Renews a TV subscription, or changes its plan.
     *
     * @param BuyCableTv|array<string, mixed> $input
     */
    public function buyCableTv(BuyCableTv|array $input, ?string $duplicate_check_key = null): PurchaseResult
    {
        return $this->buy('cabletv', $input, $duplicate_check_key);
    }

    /**
     * Buys pins. They are in `raw` of the result.
     *
     * @param BuyPins|array<string, mixed> $input
     */
    public function buyPins(BuyPins|array $input, ?string $duplicate_check_key = null): PurchaseResult
    {
        return $this->buy('epin', $input, $duplicate_check_key);
    }

    /**
     * Buys an exam pin. It is in `raw` of the result.
     *
     * @param BuyExamPin|array<string, mixed> $input
     */
    public function buyExamPin(BuyExamPin|array $input, ?string $duplicate_check_key = null): PurchaseResult
    {
        return $this->buy('exampin', $input, $duplicate_check_key);
    }

    /** The result of a purchase as it is now. It is found by one of its references. */
    public function requery(?string $agentReference = null, ?string $reference = null, int|string|null $transactionReference = null): PurchaseResult
    {
        $query = ['agentReference' => $agentReference, 'reference' => $reference, 'transactionReference' => $transactionReference];
        $read = static fn (array $data): PurchaseResult => new PurchaseResult($data);

        return $this->ask('GET', '/api/gateway/superagent/transaction/requery', $query, $read);
    }

    /**
     * Reads a purchase until it is no longer pending. It waits `$wait` seconds, and then throws WaitTimeoutException. Throws
     * KusanyaException when the purchase has failed.
     */
    public function wait(
        ?string $agentReference = null,
        ?string $reference = null,
        int|string|null $transactionReference = null,
        float $wait = 300.0,
    ): PurchaseResult {
        $read = fn (): PurchaseResult => $this->requery($agentReference, $reference, $transactionReference);
        $hasEnded = static fn (PurchaseResult $result): bool => $result->transactionStatus !== 'pending';

        return Poll::until('Purchase ' . ($agentReference ?? $reference ?? $transactionReference), $read, $hasEnded, $wait);
    }

    /** The balance of the wallet that pays, without what open purchases hold. */
    public function getBalance(): BillBalance
    {
        $read = static fn (array $data): BillBalance => new BillBalance($data);

        return $this->ask('GET', '/api/gateway/superagent/account/balance', [], $read);
    }

    /**
     * @template T of Model
     *
     * @param class-string<T> $model
     *
     * @return list<T>
     */
    private function providers(string $path, ?string $country, string $model): array
    {
        $all = self::all($model);

        return $this->ask('GET', $path, ['country' => $country], static fn (array $data): array => $all($data['providers']));
    }

    /**
     * A look-up. The interface has some as a POST.
     *
     * @param 'GET'|'POST' $method
     * @param array<string, mixed> $fields
     */
    private function ask(string $method, string $path, array $fields, \Closure $read): mixed
    {
        $given = array_filter($fields, static fn (mixed $value): bool => $value !== null);
        $is_read = $method === 'GET';

        return $this->transport->send(new Call(
            $method,
            $path,
            static fn (array $envelope): mixed => $read($envelope['data']),
            query: $is_read ? $given : [],
            body: $is_read ? null : $given,
            money_fields: MoneyFields::BILLS,
        ));
    }

    /** @param Input|array<string, mixed> $input */
    private function buy(string $kind, Input|array $input, ?string $duplicate_check_key): PurchaseResult
    {
        return $this->transport->send(new Call(
            'POST',
            self::SERVICES . "/{$kind}/request",
            static fn (array $envelope): PurchaseResult => new PurchaseResult($envelope['data']),
            body: $input,
            money_fields: MoneyFields::BILLS,
            creates: 'billpayment',
            duplicate_check_key: $duplicate_check_key,
            read_created: fn (Duplicate $duplicate): PurchaseResult => $this->requery(transactionReference: $duplicate->id),
        ));
    }

    /** @param class-string<Model> $model */
    private static function all(string $model): \Closure
    {
        return static fn (array $items): array => array_map(static fn (array $item): Model => new $model($item), $items);
    }

    /** @param array{user: array<string, mixed>} $data */
    private static function user(array $data): BillAccountHolder
    {
        return new BillAccountHolder($data['user']);
    }
}
