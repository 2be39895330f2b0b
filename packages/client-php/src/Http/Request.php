<?php

declare(strict_types=1);

namespace Kusanya\Http;

/** One request, as it is sent. */
final class Request
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        #[\SensitiveParameter]
        public readonly array $headers,
        public readonly ?string $body,
        /** How long it may take, in seconds; of a stream, how long nothing may come. */
        public readonly float $timeout,
    ) {
    }

    /**
     * Without the headers, which have the key: traces of exceptions are printed.
     *
     * @return array<string, string>
     */
    public function __debugInfo(): array
    {
        return ['method' => $this->method, 'url' => $this->url];
    }
}
