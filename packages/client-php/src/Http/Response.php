<?php

declare(strict_types=1);

namespace Kusanya\Http;

/** The answer to a request. */
final class Response
{
    /**
     * @param array<string, string> $headers by their names in lower case
     * @param string|iterable<string> $body of a stream its pieces, as they come
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string|iterable $body,
    ) {
    }

    /** The whole body. */
    public function text(): string
    {
        if (\is_string($this->body)) {
            return $this->body;
        }
        $text = '';
        foreach ($this->body as $piece) {
            $text .= $piece;
        }

        return $text;
    }
}
