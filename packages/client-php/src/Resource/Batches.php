<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Input;
use Kusanya\Internal\Call;
use Kusanya\Model\Model;

/**
 * Objects for all customers with a tag, made together. All calls throw KusanyaException.
 *
 * @template T of Model
 *
 * @extends Resource<T>
 */
abstract class Batches extends Resource
{
    /**
     * @template Preview of Model
     *
     * @param Input|array<string, mixed> $input
     * @param class-string<Preview> $model
     *
     * @return Preview
     */
    protected function previewBatch(Input|array $input, string $model): Model
    {
        $read = static fn (array $data): Model => new $model($data);

        return $this->transport->send(new Call('POST', "{$this->path}/preview", $read, body: $input));
    }

    /**
     * Begins a batch, or continues the one that this key has begun. Another batch that has the key is an error, and is never returned.
     *
     * @param Input|array<string, mixed> $input
     *
     * @return T
     */
    protected function createBatch(string $creates, Input|array $input, ?string $duplicate_check_key): Model
    {
        return $this->transport->send(new Call(
            'POST',
            $this->path,
            $this->read(...),
            body: $input,
            creates: $creates,
            duplicate_check_key: $duplicate_check_key,
        ));
    }
}
