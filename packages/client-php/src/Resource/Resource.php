<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Duplicate;
use Kusanya\Input\Input;
use Kusanya\Internal\Call;
use Kusanya\Internal\Transport;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Model;
use Kusanya\Page;

/**
 * Objects that can be read by id and listed. All calls throw KusanyaException.
 *
 * @template T of Model
 */
abstract class Resource
{
    /**
     * @internal
     *
     * @param class-string<T> $model
     * @param list<string> $money_fields the fields that are amounts of money but JSON numbers
     */
    final public function __construct(
        protected readonly Transport $transport,
        protected readonly string $path,
        private readonly string $model,
        private readonly array $money_fields = [],
    ) {
    }

    /**
     * Reads one object.
     *
     * @return T
     *
     * @throws KusanyaException
     */
    public function get(int $id): Model
    {
        return $this->transport->send(new Call('GET', "{$this->path}/{$id}", $this->read(...), money_fields: $this->money_fields));
    }

    /**
     * @param array<string, mixed> $filters
     *
     * @return Listing<T>
     */
    protected function listing(array $filters): Listing
    {
        return new Listing($this->loadPage(...), $filters);
    }

    /**
     * @param array<string, mixed> $query
     *
     * @return Page<T>
     */
    protected function loadPage(array $query, bool $writes = false): Page
    {
        $read = fn (array $page): Page => self::readPage($page, $this->read(...));

        return $this->transport->send(new Call('GET', $this->path, $read, $query, money_fields: $this->money_fields, writes: $writes));
    }

    /**
     * @template Item of Model
     *
     * @param array<string, mixed> $page
     * @param \Closure(array<string, mixed>): Item $read
     *
     * @return Page<Item>
     */
    final protected static function readPage(array $page, \Closure $read): Page
    {
        return new Page($page['count'], $page['next'], $page['previous'], array_map($read, $page['results']));
    }

    /**
     * Creates an object once, however often it has to be sent.
     *
     * @param Input|array<string, mixed> $input
     *
     * @return T
     */
    protected function createOnce(string $creates, Input|array $input, ?string $duplicate_check_key): Model
    {
        return $this->transport->send(new Call(
            'POST',
            $this->path,
            $this->read(...),
            body: $input,
            creates: $creates,
            duplicate_check_key: $duplicate_check_key,
            read_created: fn (Duplicate $duplicate): Model => $this->get($duplicate->id),
        ));
    }

    /**
     * @param Input|array<string, mixed> $changes
     *
     * @return T
     */
    protected function change(int $id, Input|array $changes): Model
    {
        return $this->transport->send(new Call('PATCH', "{$this->path}/{$id}", $this->read(...), body: $changes, writes: true));
    }

    /**
     * @param array<string, mixed> $data
     *
     * @return T
     */
    protected function read(array $data): Model
    {
        return new $this->model($data);
    }
}
