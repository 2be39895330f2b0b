<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Duplicate;
use Kusanya\Input\Filters;
use Kusanya\Input\NewReceipt;
use Kusanya\Input\NewReceiptSend;
use Kusanya\Internal\Call;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Receipt;

/**
 * Receipts of payments that arrived. `url` is the page for the customer, `pdf_url` the same as PDF.
 *
 * @phpstan-import-type ReceiptsFilters from Filters
 *
 * @extends Resource<Receipt>
 */
final class Receipts extends Resource
{
    /**
     * Makes the receipt of a collection, or of the payment that fulfilled a request. A second call gives the same receipt.
     *
     * @param NewReceipt|array<string, mixed> $input
     *
     * @throws KusanyaException
     */
    public function issue(NewReceipt|array $input): Receipt
    {
        $read = static fn (array $data): Receipt => new Receipt($data);

        return $this->transport->send(new Call('POST', $this->path, $read, body: $input, writes: true));
    }

    /**
     * Sends a receipt by SMS to the phone that paid, or by e-mail: to `email`, or to the address of the contact. It is sent once,
     * however often the call has to be sent.
     *
     * @param NewReceiptSend|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function send(int $id, NewReceiptSend|array $input = [], ?string $duplicate_check_key = null): Receipt
    {
        return $this->transport->send(new Call(
            'POST',
            "{$this->path}/{$id}/send",
            static fn (array $data): Receipt => new Receipt($data),
            body: $input,
            creates: 'receipt',
            duplicate_check_key: $duplicate_check_key,
            read_created: fn (Duplicate $duplicate): ?Receipt => $duplicate->id === $id ? $this->get($id) : null,
        ));
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param ReceiptsFilters $filters
     *
     * @return Listing<Receipt>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
