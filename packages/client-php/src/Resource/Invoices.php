<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Duplicate;
use Kusanya\Input\Filters;
use Kusanya\Input\Input;
use Kusanya\Input\InvoiceChanges;
use Kusanya\Input\InvoiceSelection;
use Kusanya\Input\InvoiceSelectionVoid;
use Kusanya\Input\NewInvoice;
use Kusanya\Input\NewInvoiceCollection;
use Kusanya\Input\NewInvoiceSend;
use Kusanya\Input\NewInvoiceVoid;
use Kusanya\Internal\Call;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Invoice;
use Kusanya\Model\InvoiceCustomerSum;
use Kusanya\Model\InvoicesDone;
use Kusanya\Model\InvoiceTagSum;
use Kusanya\Page;

/**
 * What customers are to pay. A draft can be changed and deleted; an issued invoice has a number and can only be voided.
 *
 * @phpstan-import-type InvoiceCustomersFilters from Filters
 * @phpstan-import-type InvoicesByTagFilters from Filters
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
     * Issues many drafts, in the order of their ids. When an answer is lost, `done` counts only the last attempt.
     *
     * @param InvoiceSelection|array<string, mixed> $selection
     *
     * @throws KusanyaException
     */
    public function issueMany(InvoiceSelection|array $selection): InvoicesDone
    {
        return $this->actOnMany('issue', $selection);
    }

    /**
     * Reminds the customers of many issued invoices now, each at most once a day.
     *
     * @param InvoiceSelection|array<string, mixed> $selection
     *
     * @throws KusanyaException
     */
    public function remindMany(InvoiceSelection|array $selection): InvoicesDone
    {
        return $this->actOnMany('remind', $selection);
    }

    /**
     * Voids many issued invoices. They keep their numbers.
     *
     * @param InvoiceSelectionVoid|array<string, mixed> $selection
     *
     * @throws KusanyaException
     */
    public function voidMany(InvoiceSelectionVoid|array $selection): InvoicesDone
    {
        return $this->actOnMany('void', $selection);
    }

    /**
     * Invoiced, paid and open amounts by the tags of customers.
     *
     * @param InvoicesByTagFilters $filters
     *
     * @return list<InvoiceTagSum>
     *
     * @throws KusanyaException
     */
    public function sumByTag(array $filters = []): array
    {
        $read = static fn (array $data): array => array_map(static fn (array $sum): InvoiceTagSum => new InvoiceTagSum($sum), $data['results']);

        return $this->transport->send(new Call('GET', "{$this->path}/tags", $read, $filters));
    }

    /**
     * Customers with a tag, by name, with their invoiced, paid and open amounts.
     *
     * @param InvoiceCustomersFilters $filters
     *
     * @return Listing<InvoiceCustomerSum>
     */
    public function customers(array $filters): Listing
    {
        $read = static fn (array $data): InvoiceCustomerSum => new InvoiceCustomerSum($data);
        $readPage = static fn (array $page): Page => self::readPage($page, $read);
        $load = fn (array $query): Page => $this->transport->send(new Call('GET', "{$this->path}/customers", $readPage, $query));

        return new Listing($load, $filters);
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

    /**
     * Needs no Duplicate-Check-Key: an invoice that is done is no longer in a state for it.
     *
     * @param Input|array<string, mixed> $selection
     */
    private function actOnMany(string $verb, Input|array $selection): InvoicesDone
    {
        $read = static fn (array $data): InvoicesDone => new InvoicesDone($data);

        return $this->transport->send(new Call('POST', "{$this->path}/{$verb}", $read, body: $selection, writes: true));
    }
}
