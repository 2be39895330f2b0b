<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\ContactChanges;
use Kusanya\Input\Filters;
use Kusanya\Input\NewContact;
use Kusanya\Internal\Call;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\ContactDetails;
use Kusanya\Model\ContactMoney;
use Kusanya\Model\CustomerStatement;

/**
 * Customers and recipients.
 *
 * @phpstan-import-type ContactsFilters from Filters
 *
 * @extends Resource<ContactDetails>
 */
final class Contacts extends Resource
{
    /**
     * Creates a contact.
     *
     * @param NewContact|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, only one call creates
     *     something for 24 hours, even if your program is restarted in between; default: a random key for each call, which all its
     *     attempts have
     *
     * @throws KusanyaException
     */
    public function create(NewContact|array $input, ?string $duplicate_check_key = null): ContactDetails
    {
        return $this->createOnce('contact', $input, $duplicate_check_key);
    }

    /**
     * Changes the given fields.
     *
     * @param ContactChanges|array<string, mixed> $changes
     *
     * @throws KusanyaException
     */
    public function update(int $id, ContactChanges|array $changes): ContactDetails
    {
        return $this->change($id, $changes);
    }

    /**
     * What a customer was invoiced and has paid in some days, such as `2030-01-31`, with the balances: this month unless given, in the
     * currency of the newest invoice unless given.
     *
     * @throws KusanyaException
     */
    public function statement(int $id, ?string $from = null, ?string $to = null, ?string $currency = null): CustomerStatement
    {
        $read = static fn (array $data): CustomerStatement => new CustomerStatement($data);
        $query = ['from' => $from, 'to' => $to, 'currency' => $currency];

        return $this->transport->send(new Call('GET', "{$this->path}/{$id}/statement", $read, $query));
    }

    /**
     * The credit of a customer, and unmatched money from its phones.
     *
     * @throws KusanyaException
     */
    public function money(int $id): ContactMoney
    {
        $read = static fn (array $data): ContactMoney => new ContactMoney($data);

        return $this->transport->send(new Call('GET', "{$this->path}/{$id}/money", $read));
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param ContactsFilters $filters
     *
     * @return Listing<ContactDetails>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
