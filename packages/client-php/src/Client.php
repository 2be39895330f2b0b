<?php

declare(strict_types=1);

namespace Kusanya;

use Kusanya\Http\CurlClient;
use Kusanya\Http\HttpClient;
use Kusanya\Internal\MoneyFields;
use Kusanya\Internal\Transport;
use Kusanya\Resource\Accounts;
use Kusanya\Resource\Bills;
use Kusanya\Resource\CollectionRequests;
use Kusanya\Resource\Collections;
use Kusanya\Resource\Contacts;
use Kusanya\Resource\Currencies;
use Kusanya\Resource\Events;
use Kusanya\Resource\InvoiceBatches;
use Kusanya\Resource\Invoices;
use Kusanya\Resource\MatchingRules;
use Kusanya\Resource\Networks;
use Kusanya\Resource\PaymentLinks;
use Kusanya\Resource\Payments;
use Kusanya\Resource\Plans;
use Kusanya\Resource\Receipts;
use Kusanya\Resource\Reports;
use Kusanya\Resource\RequestBatches;
use Kusanya\Resource\SmsMessages;
use Kusanya\Resource\Transactions;
use Kusanya\Resource\Webhooks;

/** A client of one Kusanya, with one API key. */
final class Client
{
    public readonly CollectionRequests $collectionRequests;
    public readonly RequestBatches $requestBatches;
    public readonly Collections $collections;
    public readonly Payments $payments;
    public readonly PaymentLinks $paymentLinks;
    public readonly Receipts $receipts;
    public readonly Invoices $invoices;
    public readonly InvoiceBatches $invoiceBatches;
    public readonly MatchingRules $matchingSettings;
    public readonly Plans $plans;
    public readonly Contacts $contacts;
    public readonly Reports $reports;
    public readonly Accounts $accounts;
    public readonly Transactions $transactions;
    public readonly SmsMessages $sms;
    public readonly Webhooks $webhooks;
    public readonly Events $events;
    public readonly Networks $networks;
    public readonly Currencies $currencies;
    public readonly Bills $bills;

    private Transport $transport;

    /**
     * @param string $url the address of the service, such as https://pay.example.com
     * @param string $key an API key; it is sent to this address only
     * @param float $timeout how long one attempt may take, in seconds; the default is longer than the service waits for a biller
     * @param int $retries how often a call is repeated that got no answer or was refused for a time; 0 for never
     * @param HttpClient|null $http sends the requests; default: curl
     *
     * @throws \InvalidArgumentException if the address or the key cannot be one
     */
    public function __construct(
        string $url,
        #[\SensitiveParameter]
        string $key,
        float $timeout = 30.0,
        int $retries = 4,
        ?HttpClient $http = null,
    ) {
        $this->use(new Transport($url, $key, $timeout, $retries, $http ?? new CurlClient()));
    }

    /** The same client with another time-out or other retries, for some calls. */
    public function withOptions(?float $timeout = null, ?int $retries = null): self
    {
        $other = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $other->use($this->transport->withOptions($timeout, $retries));

        return $other;
    }

    private function use(Transport $transport): void
    {
        $this->transport = $transport;
        $this->collectionRequests = new CollectionRequests($transport, '/api/collectionrequests', Model\CollectionRequest::class);
        $this->requestBatches = new RequestBatches($transport, '/api/collectionrequests/batches', Model\RequestBatch::class);
        $this->collections = new Collections($transport, '/api/collections', Model\Collection::class);
        $this->payments = new Payments($transport, '/api/payments', Model\Payment::class);
        $this->paymentLinks = new PaymentLinks($transport, '/api/paymentlinks', Model\PaymentLink::class);
        $this->receipts = new Receipts($transport, '/api/receipts', Model\Receipt::class);
        $this->invoices = new Invoices($transport, '/api/invoices', Model\Invoice::class);
        $this->invoiceBatches = new InvoiceBatches($transport, '/api/invoices/batches', Model\InvoiceBatch::class);
        $this->matchingSettings = new MatchingRules($transport);
        $this->plans = new Plans($transport, '/api/plans', Model\Plan::class);
        $this->contacts = new Contacts($transport, '/api/contacts', Model\ContactDetails::class);
        $this->reports = new Reports($transport);
        $this->accounts = new Accounts($transport, '/api/accounts', Model\Account::class, MoneyFields::ACCOUNTS);
        $this->transactions = new Transactions($transport, '/api/transactions', Model\Transaction::class);
        $this->sms = new SmsMessages($transport, '/api/sms', Model\Sms::class);
        $this->webhooks = new Webhooks($transport, '/api/webhooks', Model\Webhook::class);
        $this->events = new Events($transport, '/api/events', Model\Event::class, MoneyFields::EVENTS);
        $this->networks = new Networks($transport, '/api/networks', Model\Network::class);
        $this->currencies = new Currencies($transport, '/api/currencies', Model\Currency::class);
        $this->bills = new Bills($transport);
    }
}
