<?php

declare(strict_types=1);

namespace Kusanya\Internal;

use Kusanya\Duplicate;
use Kusanya\Http\ConnectionException;
use Kusanya\Http\HttpClient;
use Kusanya\Http\Request;
use Kusanya\Http\Response;
use Kusanya\KusanyaException;

/** @internal Sends calls, and repeats them. */
final class Transport
{
    public const VERSION = '0.2.0';
    private const FIRST_WAIT = 0.5;
    private const MAX_WAIT = 8.0;
    /** A longer Retry-After is left to the caller. That of throttled reads is up to a minute. */
    private const MAX_RETRY_AFTER = 65.0;
    /** Statuses after which another attempt may succeed: of the service, and of proxies in front of it. */
    private const RETRIED_STATUSES = [0, 429, 502, 503, 504];

    private readonly string $url;

    /** @throws \InvalidArgumentException if the address or the key cannot be one */
    public function __construct(
        string $url,
        #[\SensitiveParameter]
        private readonly string $key,
        private readonly float $timeout,
        private readonly int $retries,
        private readonly HttpClient $http,
    ) {
        $parts = parse_url($url) ?: [];
        $unwanted = ['user', 'pass', 'query', 'fragment'];
        if (!preg_match('/^https?$/i', $parts['scheme'] ?? '') || ($parts['host'] ?? '') === '' || array_intersect_key($parts, array_flip($unwanted)) !== []) {
            throw new \InvalidArgumentException('$url must be the address of the service, such as https://pay.example.com.');
        }
        if (preg_match('/^[\x21-\x7e]+$/D', $key) !== 1) {
            throw new \InvalidArgumentException('$key must be an API key: a text without blanks.');
        }
        $this->url = rtrim($url, '/');
    }

    public function withOptions(?float $timeout, ?int $retries): self
    {
        return new self($this->url, $this->key, $timeout ?? $this->timeout, $retries ?? $this->retries, $this->http);
    }

    /**
     * Sends a call until it is answered.
     *
     * @throws KusanyaException
     */
    public function send(Call $call): mixed
    {
        $key = $call->creates === null ? null : self::checkKey($call->duplicate_check_key ?? self::newKey());
        $request = $this->requestOf($call, $key);
        $is_outcome_unknown = false;
        for ($attempts = 1; ; ++$attempts) {
            try {
                return $this->attempt($call, $request);
            } catch (Refusal $refusal) {
                $duplicate = $refusal->duplicate;
                // An attempt got no answer, and the key is taken: what has it is what this call was to create.
                if ($is_outcome_unknown && $duplicate !== null && $duplicate->type === $call->creates && $call->read_created !== null) {
                    try {
                        $created = ($call->read_created)($duplicate);
                    } catch (KusanyaException $unread) {
                        throw self::hasResult($unread) ? $unread : self::unreadOf($unread, $duplicate, $attempts, $key);
                    }
                    if ($created !== null) {
                        return $created;
                    }
                }
                // Only a refusal (4xx) says that a call had no effect.
                $has_no_result = $refusal->status < 400 || $refusal->status >= 500;
                $is_outcome_unknown = $is_outcome_unknown || (($call->creates !== null || $call->writes) && $has_no_result);
                if ($attempts > $this->retries || !self::isWorthRepeating($refusal)) {
                    throw self::exceptionOf($call->method, $call->path, $refusal, $attempts, $is_outcome_unknown, $key);
                }
                self::sleep(self::waitBefore($attempts, $refusal->retry_after));
            }
        }
    }

    /**
     * Sends one GET without repeating it or waiting for the end of its body.
     *
     * @param array<string, mixed> $query
     * @param array<string, string> $headers
     *
     * @throws ConnectionException
     */
    public function open(string $path, array $query, array $headers, float $timeout): Response
    {
        $url = $this->url . $path . Json::query($query);

        return $this->http->open(new Request('GET', $url, $this->headers() + $headers, null, $timeout));
    }

    /** What is thrown to users of the client. */
    public static function exceptionOf(
        string $method,
        string $path,
        Refusal $refusal,
        int $attempts = 1,
        bool $is_outcome_unknown = false,
        ?string $key = null,
    ): KusanyaException {
        return new KusanyaException(
            "{$method} {$path}: {$refusal->getMessage()}",
            $method,
            $path,
            $refusal->status,
            $refusal->detail,
            $refusal->fields,
            $refusal->error_code,
            $refusal->duplicate,
            $refusal->request_id,
            $refusal->retry_after,
            $refusal->body,
            $attempts,
            $is_outcome_unknown,
            $key,
            $refusal->getPrevious(),
        );
    }

    /** Seconds to wait. Waits grow and are spread, so that many clients do not come back at once; never shorter than the service asks. */
    public static function waitBefore(int $attempts, ?float $retry_after): float
    {
        $growing = min(self::MAX_WAIT, self::FIRST_WAIT * 2 ** min($attempts - 1, 10));

        return max($retry_after ?? 0.0, $growing * (0.5 + random_int(0, 1_000) / 2_000));
    }

    public static function sleep(float $seconds): void
    {
        usleep((int) ($seconds * 1_000_000));
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['url' => $this->url];
    }

    private function requestOf(Call $call, ?string $key): Request
    {
        // What cannot be sent is found out before the first attempt.
        $body = $call->body === null ? null : Json::write($call->body);
        $headers = $this->headers() + ['Accept' => 'application/json'];
        if ($body !== null) {
            $headers['Content-Type'] = 'application/json';
        }
        if ($key !== null) {
            $headers['Duplicate-Check-Key'] = $key;
        }

        return new Request($call->method, $this->url . $call->path . Json::query($call->query), $headers, $body, $this->timeout);
    }

    /** @throws Refusal */
    private function attempt(Call $call, Request $request): mixed
    {
        try {
            $response = $this->http->send($request);
        } catch (ConnectionException $error) {
            throw Refusal::ofSilence("{$this->url} did not answer" . ($error->is_late ? ' in time.' : '.'), $error);
        }
        $text = $response->text();
        try {
            $body = Json::parse($text, $call->money_fields);
        } catch (\JsonException) {
            throw Refusal::ofAnswer($response, $text);
        }
        if ($response->status < 200 || $response->status >= 300) {
            throw Refusal::ofAnswer($response, $body);
        }
        try {
            return ($call->read)($body);
        } catch (\TypeError|\ValueError|\Exception $error) {
            throw Refusal::ofUnknownAnswer($response->status, $body, $error);
        }
    }

    /** @return array<string, string> */
    private function headers(): array
    {
        return ['Authorization' => "Token {$this->key}", 'User-Agent' => 'kusanya-php/' . self::VERSION];
    }

    /** Returns true for the error of a purchase that has failed: unlike a failed call, it has the result. */
    private static function hasResult(KusanyaException $error): bool
    {
        return \is_array($error->body) && \array_key_exists('data', $error->body);
    }

    /** Name the created object, which this key may not read or which got no answer: the call has not failed. */
    private static function unreadOf(KusanyaException $unread, Duplicate $duplicate, int $attempts, ?string $key): KusanyaException
    {
        return new KusanyaException(
            $unread->getMessage(),
            $unread->method,
            $unread->path,
            $unread->status,
            $unread->detail,
            $unread->fields,
            $unread->error_code,
            $duplicate,
            $unread->request_id,
            $unread->retry_after,
            $unread->body,
            $attempts,
            true,
            $key,
            $unread->getPrevious(),
        );
    }

    private static function isWorthRepeating(Refusal $refusal): bool
    {
        return \in_array($refusal->status, self::RETRIED_STATUSES, true) && ($refusal->retry_after ?? 0) <= self::MAX_RETRY_AFTER;
    }

    /** An empty key would protect from nothing, and one with a line break would be more headers. */
    private static function checkKey(string $key): string
    {
        if (preg_match('/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/D', $key) !== 1) {
            throw new \InvalidArgumentException('$duplicate_check_key must be a text of ASCII characters without blanks around it.');
        }

        return $key;
    }

    /** A random key, as a UUID. */
    private static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = \chr(\ord($bytes[6]) & 0x0F | 0x40);
        $bytes[8] = \chr(\ord($bytes[8]) & 0x3F | 0x80);

        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
