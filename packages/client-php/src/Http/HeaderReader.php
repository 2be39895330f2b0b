<?php

declare(strict_types=1);

namespace Kusanya\Http;

/** @internal Reads the lines of headers that curl gives, one after the other. */
final class HeaderReader
{
    public int $status = 0;
    /** @var array<string, string> */
    public array $headers = [];
    public bool $is_complete = false;

    public function __invoke(\CurlHandle $_, string $line): int
    {
        $text = trim($line);
        if (preg_match('/^HTTP\/[\d.]+ (\d{3})/', $text, $match) === 1) {
            $this->status = (int) $match[1];
            $this->headers = [];
        } elseif ($text === '') {
            // Before the answer there may be others, such as 103.
            $this->is_complete = $this->status >= 200;
        } elseif (str_contains($text, ':')) {
            [$name, $value] = explode(':', $text, 2);
            $this->headers[strtolower($name)] = trim($value);
        }

        return \strlen($line);
    }
}
