<?php

declare(strict_types=1);

namespace Kusanya\Internal;

use Kusanya\Duplicate;
use Kusanya\Http\Response;

/** @internal Why one attempt of a call has failed. */
final class Refusal extends \Exception
{
    /** @param array<string, list<string>> $fields */
    private function __construct(
        string $message,
        public readonly int $status,
        public readonly mixed $body = null,
        public readonly ?string $detail = null,
        public readonly array $fields = [],
        public readonly ?string $error_code = null,
        public readonly ?Duplicate $duplicate = null,
        public readonly ?string $request_id = null,
        public readonly ?float $retry_after = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }

    /** No answer came. */
    public static function ofSilence(string $sentence, \Throwable $previous): self
    {
        return new self($sentence, 0, previous: $previous);
    }

    /** The service did what was asked, in words that this version of the client does not know. */
    public static function ofUnknownAnswer(int $status, mixed $body, \Throwable $previous): self
    {
        return new self("{$status} The answer is not what this version of the client knows.", $status, $body, previous: $previous);
    }

    /** @param mixed $body the parsed JSON of the answer, or its text */
    public static function ofAnswer(Response $response, mixed $body): self
    {
        $object = \is_array($body) ? $body : [];
        $text = static fn (string $name): ?string => \is_string($object[$name] ?? null) ? $object[$name] : null;
        $detail = $text('detail') ?? $text('message');
        $fields = self::fieldsOf($object);
        $id = $object['id'] ?? null;
        $type = $text('type');

        return new self(
            "{$response->status} " . self::sentence($response->status, $detail, $fields),
            $response->status,
            $body,
            $detail,
            $fields,
            $text('code'),
            $response->status === 409 && $type !== null && \is_int($id) ? new Duplicate($type, $id) : null,
            $text('request_id') ?? $response->headers['x-request-id'] ?? null,
            self::readRetryAfter($response->headers['retry-after'] ?? null),
        );
    }

    /** @param array<string, list<string>> $fields */
    private static function sentence(int $status, ?string $detail, array $fields): string
    {
        $sentences = [];
        foreach ($fields as $name => $messages) {
            $sentences[] = "{$name}: " . implode(' ', $messages);
        }
        $nothing = $status < 400 ? 'The answer is no JSON.' : 'The service gave no reason.';

        return $sentences === [] ? $detail ?? $nothing : implode(' ', $sentences);
    }

    /**
     * Field errors of the core ({"amount": ["…"]}) and of bill payments ({"errors": {"amount": {"message": "…"}}}).
     *
     * @param array<array-key, mixed> $body
     *
     * @return array<string, list<string>>
     */
    private static function fieldsOf(array $body): array
    {
        $fields = [];
        foreach ($body as $name => $messages) {
            if (\is_array($messages) && $messages !== [] && array_is_list($messages) && $messages === array_filter($messages, 'is_string')) {
                $fields[(string) $name] = $messages;
            }
        }
        foreach (\is_array($body['errors'] ?? null) ? $body['errors'] : [] as $name => $error) {
            if (\is_array($error) && \is_string($error['message'] ?? null)) {
                $fields[(string) $name] = [$error['message']];
            }
        }

        return $fields;
    }

    /** A Retry-After in seconds: it is a number of them, or a date. */
    private static function readRetryAfter(?string $value): ?float
    {
        if ($value === null) {
            return null;
        }
        if (preg_match('/^\d+$/', $value) === 1) {
            return (float) $value;
        }
        $time = strtotime($value);

        return $time === false ? null : max(0.0, $time - microtime(true));
    }
}
