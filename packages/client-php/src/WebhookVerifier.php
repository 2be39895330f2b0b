<?php

declare(strict_types=1);

namespace Kusanya;

/** Verifies notifications, as Standard Webhooks says (standardwebhooks.com). */
final class WebhookVerifier
{
    private const TOLERANCE = 300.0;
    /** More than a few are no signatures of ours, and would only cost time. */
    private const MAX_SIGNATURES = 10;

    /** @var list<string> */
    private readonly array $keys;

    /**
     * @param string|list<string> $secret that of the webhook (`npx kusanya webhooks secret <id>`), or several while it changes
     * @param float $tolerance how far the time of a notification may be from now, in seconds
     *
     * @throws \InvalidArgumentException
     */
    public function __construct(
        #[\SensitiveParameter]
        string|array $secret,
        private readonly float $tolerance = self::TOLERANCE,
    ) {
        $this->keys = array_map(self::keyOf(...), array_values((array) $secret));
        if ($this->keys === []) {
            throw new \InvalidArgumentException('A secret is needed.');
        }
    }

    /**
     * Checks that a notification was sent by your Kusanya, is recent and unchanged, and gives its content.
     *
     * @param string $body exactly what came, such as `file_get_contents('php://input')`; not the parsed JSON
     * @param array<array-key, mixed> $headers `getallheaders()`, `$_SERVER`, or those of a PSR-7 or Symfony request
     * @param float|null $now the time that counts as now, in seconds since 1970
     *
     * @throws WebhookVerificationException
     */
    public function verify(string $body, array $headers, ?float $now = null): VerifiedNotification
    {
        $webhook_id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::header($headers, 'webhook-signature');
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationException('The header webhook-timestamp is no time.');
        }
        if (abs(($now ?? microtime(true)) - (int) $timestamp) > $this->tolerance) {
            throw new WebhookVerificationException('The notification is too old, or one of the clocks is wrong.');
        }
        if (!$this->hasSignature("{$webhook_id}.{$timestamp}.{$body}", $signatures)) {
            throw new WebhookVerificationException('No signature of the notification fits the secret.');
        }

        return new VerifiedNotification($webhook_id, new \DateTimeImmutable("@{$timestamp}"), $body);
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return [];
    }

    private function hasSignature(string $signed, string $signatures): bool
    {
        $found = false;
        foreach (\array_slice(explode(' ', $signatures), 0, self::MAX_SIGNATURES) as $candidate) {
            $signature = str_starts_with($candidate, 'v1,') ? base64_decode(substr($candidate, 3), true) : false;
            if ($signature === false) {
                continue;
            }
            foreach ($this->keys as $key) {
                $found = hash_equals(hash_hmac('sha256', $signed, $key, true), $signature) || $found;
            }
        }

        return $found;
    }

    private static function keyOf(#[\SensitiveParameter] string $secret): string
    {
        $text = str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret;
        $key = base64_decode($text, true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('The secret of a webhook is whsec_ and base64.');
        }

        return $key;
    }

    /** @param array<array-key, mixed> $headers */
    private static function header(array $headers, string $name): string
    {
        $names = [$name, "http-{$name}"];
        $found = [];
        foreach ($headers as $one => $value) {
            if (\in_array(str_replace('_', '-', strtolower((string) $one)), $names, true)) {
                array_push($found, ...array_values((array) $value));
            }
        }
        if (\count($found) !== 1 || !\is_string($found[0]) || $found[0] === '') {
            throw new WebhookVerificationException("The header {$name} is missing.");
        }

        return $found[0];
    }
}
