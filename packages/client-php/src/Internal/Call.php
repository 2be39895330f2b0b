<?php

declare(strict_types=1);

namespace Kusanya\Internal;

use Kusanya\Duplicate;
use Kusanya\Input\Input;

/** @internal One call of the service. */
final class Call
{
    /**
     * @param \Closure(mixed): mixed $read makes the parsed answer into what the caller gets
     * @param array<string, mixed> $query
     * @param Input|array<string, mixed>|null $body
     * @param list<string> $money_fields the fields of the answer that are amounts of money but JSON numbers
     * @param (\Closure(Duplicate): mixed)|null $read_created reads what an attempt of this call has created whose answer was lost; null if another call has created it
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly \Closure $read,
        public readonly array $query = [],
        public readonly Input|array|null $body = null,
        public readonly array $money_fields = [],
        /** The type of object that it creates, under a Duplicate-Check-Key. All other calls may be repeated as they are. */
        public readonly ?string $creates = null,
        public readonly ?string $duplicate_check_key = null,
        public readonly ?\Closure $read_created = null,
        /** Whether its effect is unknown when no answer comes. */
        public readonly bool $writes = false,
    ) {
    }
}
