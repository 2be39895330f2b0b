<?php

declare(strict_types=1);

namespace Kusanya\Internal;

use Kusanya\Http\ConnectionException;
use Kusanya\Http\Response;
use Kusanya\KusanyaException;
use Kusanya\StreamedEvent;

/** @internal Events as they happen: Server-Sent Events (HTML Living Standard, section 9.2). */
final class EventStream
{
    public const IDLE_TIMEOUT = 45.0;
    private const PATH = '/api/events/stream';
    /** Refusals that another attempt would not change. */
    private const FINAL_STATUSES = [400, 401, 403, 404, 405, 406];

    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Gives events, and connects again after a break, for as long as it takes. It continues after the last event that it gave.
     *
     * @param list<string> $types
     *
     * @return \Generator<int, StreamedEvent>
     *
     * @throws KusanyaException
     */
    public function follow(?int $last_event_id, int|string|null $since, array $types, float $idle_timeout): \Generator
    {
        $query = ['since' => $since, 'event' => $types === [] ? null : implode(',', $types)];
        $last_id = (string) $last_event_id;
        $has_begun = false;
        for ($attempts = 1; ; ++$attempts) {
            $retry_after = null;
            try {
                foreach ($this->connect($query, $last_id, $idle_timeout) as [$id, $data]) {
                    $attempts = 0;
                    $has_begun = true;
                    $last_id = $id;
                    if ($data !== null) {
                        yield new StreamedEvent((int) $id, $data);
                    }
                }
            } catch (KusanyaException $error) {
                // An address that redirects or gives a page is wrong. Once it has given a stream, it may do so for a while.
                if (\in_array($error->status, self::FINAL_STATUSES, true) || ($error->status < 400 && !$has_begun)) {
                    throw $error;
                }
                $retry_after = $error->retry_after;
            } catch (ConnectionException) {
                // It connects again.
            }
            Transport::sleep(Transport::waitBefore(max(1, $attempts), $retry_after));
        }
    }

    /**
     * Reads one connection to its end.
     *
     * @param array<string, mixed> $query
     *
     * @return \Generator<int, array{string, string|null}>
     */
    private function connect(array $query, string $last_id, float $idle_timeout): \Generator
    {
        $headers = ['Accept' => 'text/event-stream'] + ($last_id === '' ? [] : ['Last-Event-ID' => $last_id]);
        $response = $this->transport->open(self::PATH, $query, $headers, $idle_timeout);
        $is_stream = str_starts_with($response->headers['content-type'] ?? 'text/event-stream', 'text/event-stream');
        if ($response->status !== 200 || !$is_stream) {
            throw Transport::exceptionOf('GET', self::PATH, self::refusalOf($response));
        }
        yield from self::blocks(\is_string($response->body) ? [$response->body] : $response->body);
    }

    /**
     * The blocks of a stream: an id with its data, or without data only the place at which the stream is. The service ends lines
     * with line feeds. What the end of the connection cuts off is left out.
     *
     * @param iterable<string> $pieces
     *
     * @return \Generator<int, array{string, string|null}>
     */
    public static function blocks(iterable $pieces): \Generator
    {
        $rest = '';
        $id = '';
        $has_id = false;
        $data = [];
        foreach ($pieces as $piece) {
            $lines = explode("\n", $rest . $piece);
            $rest = array_pop($lines);
            foreach ($lines as $line) {
                $line = rtrim($line, "\r");
                if ($line === '') {
                    if ($data !== [] || $has_id) {
                        yield [$id, $data === [] ? null : implode("\n", $data)];
                    }
                    $has_id = false;
                    $data = [];
                    continue;
                }
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $value = str_starts_with($value, ' ') ? substr($value, 1) : $value;
                if ($name === 'data') {
                    $data[] = $value;
                } elseif ($name === 'id' && !str_contains($value, "\0")) {
                    $id = $value;
                    $has_id = true;
                }
            }
        }
    }

    private static function refusalOf(Response $response): Refusal
    {
        $text = $response->text();
        try {
            return Refusal::ofAnswer($response, Json::parse($text));
        } catch (\JsonException) {
            return Refusal::ofAnswer($response, $text);
        }
    }
}
