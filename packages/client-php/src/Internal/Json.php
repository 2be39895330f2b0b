<?php

declare(strict_types=1);

namespace Kusanya\Internal;

use Kusanya\Input\Input;

/** @internal JSON without loss of digits: amounts are text, in and out. */
final class Json
{
    /** A JSON string, and the number behind it if it is a name and its value is a number. */
    private const STRING_AND_NUMBER = '/"([^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+)"(?:(\s*+:\s*+)(-?\d[\d.eE+-]*+))?/s';

    /**
     * Parses JSON, with the numbers of the given fields as text of the same digits: a parsed number would be a float, and a
     * float loses digits of money. Other fields are left alone.
     *
     * @param list<string> $money_fields
     *
     * @throws \JsonException
     */
    public static function parse(string $text, array $money_fields = []): mixed
    {
        if ($money_fields !== []) {
            $text = preg_replace_callback(
                self::STRING_AND_NUMBER,
                static fn (array $match): string => isset($match[3]) && \in_array($match[1], $money_fields, true)
                    ? "\"{$match[1]}\"{$match[2]}\"{$match[3]}\""
                    : $match[0],
                $text,
            ) ?? throw new \JsonException('The JSON could not be searched for amounts.');
        }

        return json_decode($text, true, 512, \JSON_THROW_ON_ERROR | \JSON_BIGINT_AS_STRING);
    }

    /**
     * The JSON of a call.
     *
     * @param Input|array<string, mixed> $body
     *
     * @throws \InvalidArgumentException for a float outside of metadata: a float is no amount of money
     */
    public static function write(Input|array $body): string
    {
        try {
            return json_encode((object) self::writable($body, 'The call'), \JSON_THROW_ON_ERROR | \JSON_PRESERVE_ZERO_FRACTION);
        } catch (\JsonException $error) {
            throw new \InvalidArgumentException("The call cannot be written as JSON: {$error->getMessage()}.", 0, $error);
        }
    }

    /**
     * The query of a call, without what is null.
     *
     * @param array<string, mixed> $query
     */
    public static function query(array $query): string
    {
        $given = array_filter($query, static fn (mixed $value): bool => $value !== null);
        $texts = [];
        foreach ($given as $name => $value) {
            $texts[$name] = self::text($value, $name);
        }

        return $texts === [] ? '' : '?' . http_build_query($texts, '', '&', \PHP_QUERY_RFC3986);
    }

    private static function writable(mixed $value, string $name): mixed
    {
        if ($value instanceof Input) {
            $value = $value->toArray();
        }
        if (\is_float($value)) {
            throw self::noFloat($name);
        }
        if (!\is_array($value)) {
            return $value;
        }
        $written = [];
        foreach ($value as $key => $inner) {
            // An empty array would be a list. Metadata may have floats.
            $written[$key] = $key === 'metadata' && \is_array($inner)
                ? (object) $inner
                : self::writable($inner, \is_string($key) ? $key : $name);
        }

        return $written;
    }

    private static function text(mixed $value, string $name): string
    {
        return match (true) {
            \is_float($value) => throw self::noFloat($name),
            \is_bool($value) => $value ? 'true' : 'false',
            $value instanceof \DateTimeInterface => \DateTimeImmutable::createFromInterface($value)
                ->setTimezone(new \DateTimeZone('UTC'))
                ->format('Y-m-d\TH:i:s.u\Z'),
            default => (string) $value,
        };
    }

    private static function noFloat(string $name): \InvalidArgumentException
    {
        return new \InvalidArgumentException("{$name} is a float. Give an amount as text or int, so that no digit is lost.");
    }
}
