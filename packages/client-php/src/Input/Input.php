<?php

declare(strict_types=1);

namespace Kusanya\Input;

/** What a call takes, with its fields as named arguments. What is null is not sent. */
abstract class Input
{
    /**
     * The fields that were given.
     *
     * @return array<string, mixed>
     */
    public function toArray(): array
    {
        return array_filter(get_object_vars($this), static fn (mixed $value): bool => $value !== null);
    }
}
