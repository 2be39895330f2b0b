<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Duplicate;
use Kusanya\Input\Filters;
use Kusanya\Input\Input;
use Kusanya\Input\InvoiceChanges;
use Kusanya\Input\NewInvoice;
use Kusanya\Input\NewInvoiceCollection;
use Kusanya\Input\NewInvoiceSend;
use Kusanya\Input\NewInvoiceVoid;
use Kusanya\Internal\Call;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Invoice;

/**
 * What customers are to pay. A draft can be changed and deleted; an issued invoice has a number and can only be voided.
 *
 * @phpstan-import-type InvoicesFilters from Filters
 *
 * @extends Resource<Invoice>
 */
final class Invoices extends Resource
{
    /**
     * Makes a draft.
     *
     * @param NewInvoice|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, only one call creates
     *     something for 24 hours, even if your program is restarted in between; default: a random key for each call, which all its
     *     attempts have
     *
     * @throws KusanyaException
     */
    public function create(NewInvoice|array $input, ?string $duplicate_check_key = null): Invoice
    {
        return $this->createOnce('invoice', $input, $duplicate_check_key);
    }

    /**
     * Changes the given fields of a draft.
     *
     * @param InvoiceChanges|array<string, mixed> $changes
     *
     * @throws KusanyaException
     */
    public function update(int $id, InvoiceChanges|array $changes): Invoice
    {
        return $this->change($id, $changes);
    }

    /**
     * Deletes a draft, and gives it as it was.
     *
     * @throws KusanyaException
     */
    public function delete(int $id): Invoice
    {
        $read = static fn (array $data): Invoice => new Invoice($data);

        return $this->transport->send(new Call('DELETE', "{$this->path}/{$id}", $read, writes: true));
    }

    /**
     * Issues a draft: it gets its number, and `url` is the page for the customer.
     *
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function issue(int $id, ?string $duplicate_check_key = null): Invoice
    {
        return $this->act($id, 'issue', [], $duplicate_check_key);
    }

    /**
     * Voids an issued invoice. It keeps its number.
     *
     * @param NewInvoiceVoid|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function void(int $id, NewInvoiceVoid|array $input = [], ?string $duplicate_check_key = null): Invoice
    {
        return $this->act($id, 'void', $input, $duplicate_check_key);
    }

    /**
     * Sends an issued invoice by SMS to the phone of the customer, or by e-mail. It is sent once, however often the call has to be sent.
     *
     * @param NewInvoiceSend|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function send(int $id, NewInvoiceSend|array $input = [], ?string $duplicate_check_key = null): Invoice
    {
        return $this->act($id, 'send', $input, $duplicate_check_key);
    }

    /**
     * Requests the open amount, or a part of it, now. Refused while another request of the invoice may still be paid.
     *
     * @param NewInvoiceCollection|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, it is done once within 24 hours,
     *     even if your program is restarted in between; default: a random key for each call, which all its attempts have
     *
     * @throws KusanyaException
     */
    public function collect(int $id, NewInvoiceCollection|array $input = [], ?string $duplicate_check_key = null): Invoice
    {
        return $this->act($id, 'collect', $input, $duplicate_check_key);
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param InvoicesFilters $filters
     *
     * @return Listing<Invoice>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }

    /**
     * Acts once, however often the call has to be sent.
     *
     * @param Input|array<string, mixed> $input
     */
    private function act(int $id, string $verb, Input|array $input, ?string $duplicate_check_key): Invoice
    {
        return $this->transport->send(new Call(
            'POST',
            "{$this->path}/{$id}/{$verb}",
            static fn (array $data): Invoice => new Invoice($data),
            body: $input,
            creates: 'invoice',
            duplicate_check_key: $duplicate_check_key,
            read_created: fn (Duplicate $duplicate): ?Invoice => $duplicate->id === $id ? $this->get($id) : null,
        ));
    }
}
