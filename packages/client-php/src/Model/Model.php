<?php

declare(strict_types=1);

namespace Kusanya\Model;

/**
 * What the service answers. Amounts are decimal numbers as text, times are DateTimeImmutable. A field that an older service
 * does not send is not initialized: reading it is an Error, all others can be read.
 */
abstract class Model implements \JsonSerializable
{
    /** @var array<string, mixed> The whole answer, with fields that this version of the client does not know. */
    public readonly array $raw;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        $this->raw = $data;
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return $this->raw;
    }

    /** An amount of money as text, also where the service has it as a JSON number. */
    final protected static function amount(string|int|float $value): string
    {
        return \is_float($value) ? json_encode($value, \JSON_THROW_ON_ERROR) : (string) $value;
    }
}
