<?php

declare(strict_types=1);

namespace Kusanya\Http;

/** Sends requests with curl. It keeps connections open for the next request. */
final class CurlClient implements HttpClient
{
    private ?\CurlHandle $handle = null;

    /** @param array<int, mixed> $options more options of curl, for example CURLOPT_CAINFO or CURLOPT_PROXY */
    public function __construct(private readonly array $options = [])
    {
    }

    public function send(Request $request): Response
    {
        $handle = $this->handle ??= self::newHandle();
        curl_reset($handle);
        $headers = new HeaderReader();
        curl_setopt_array($handle, $this->optionsOf($request, $headers) + [
            \CURLOPT_RETURNTRANSFER => true,
            \CURLOPT_TIMEOUT_MS => self::milliseconds($request->timeout),
            \CURLOPT_ENCODING => '',
        ]);
        $body = curl_exec($handle);
        if (!\is_string($body)) {
            $number = curl_errno($handle);
            $error = curl_error($handle);
            $this->handle = null;
            throw new ConnectionException($error, $number === \CURLE_OPERATION_TIMEDOUT);
        }

        return new Response($headers->status, $headers->headers, $body);
    }

    public function open(Request $request): Response
    {
        $handle = self::newHandle();
        $headers = new HeaderReader();
        $buffer = '';
        curl_setopt_array($handle, $this->optionsOf($request, $headers) + [
            \CURLOPT_WRITEFUNCTION => static function (\CurlHandle $_, string $piece) use (&$buffer): int {
                $buffer .= $piece;

                return \strlen($piece);
            },
        ]);
        $pieces = self::read($handle, $headers, $buffer, $request->timeout);
        // Runs until the headers are there.
        $pieces->current();

        return new Response($headers->status, $headers->headers, $pieces);
    }

    /**
     * Reads one answer. The first piece is empty, and comes when the headers have come.
     *
     * @return \Generator<int, string>
     */
    private static function read(\CurlHandle $handle, HeaderReader $headers, string &$buffer, float $timeout): \Generator
    {
        $multi = curl_multi_init();
        curl_multi_add_handle($multi, $handle);
        $has_begun = false;
        $last = microtime(true);
        try {
            do {
                curl_multi_exec($multi, $running);
                if ($headers->is_complete && !$has_begun) {
                    $has_begun = true;
                    yield '';
                    $last = microtime(true);
                }
                if ($buffer !== '') {
                    [$piece, $buffer] = [$buffer, ''];
                    yield $piece;
                    // While the caller works on an event, nothing is read: that is no silence of the service.
                    $last = microtime(true);
                } elseif (microtime(true) - $last > $timeout) {
                    throw new ConnectionException('Nothing came for too long.', true);
                }
                if ($running && $buffer === '') {
                    curl_multi_select($multi, min(1.0, $timeout));
                }
            } while ($running || $buffer !== '');
            $end = curl_multi_info_read($multi);
            if ($end === false || $end['result'] !== \CURLE_OK || !$headers->is_complete) {
                throw new ConnectionException(curl_error($handle) ?: 'The connection has broken.');
            }
        } finally {
            curl_multi_remove_handle($multi, $handle);
            curl_multi_close($multi);
        }
    }

    /** @return array<int, mixed> */
    private function optionsOf(Request $request, HeaderReader $headers): array
    {
        $lines = ['Expect:'];
        foreach ($request->headers as $name => $value) {
            $lines[] = "{$name}: {$value}";
        }

        return $this->options + [
            \CURLOPT_URL => $request->url,
            \CURLOPT_CUSTOMREQUEST => $request->method,
            \CURLOPT_HTTPHEADER => $lines,
            \CURLOPT_HEADERFUNCTION => $headers,
            \CURLOPT_PROTOCOLS => \CURLPROTO_HTTP | \CURLPROTO_HTTPS,
            \CURLOPT_FOLLOWLOCATION => false,
            \CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
            \CURLOPT_CONNECTTIMEOUT_MS => self::milliseconds($request->timeout),
            \CURLOPT_NOSIGNAL => true,
        ] + ($request->body === null ? [] : [\CURLOPT_POSTFIELDS => $request->body]);
    }

    private static function newHandle(): \CurlHandle
    {
        return curl_init() ?: throw new \RuntimeException('curl cannot be used.');
    }

    /** Zero would be no limit. */
    private static function milliseconds(float $seconds): int
    {
        return max(1, (int) ($seconds * 1_000));
    }
}
