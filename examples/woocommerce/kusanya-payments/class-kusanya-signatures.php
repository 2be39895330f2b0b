<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

/** Checks that notifications and returning customers come from your Kusanya. */
final class Kusanya_Signatures
{
    private const NOTIFICATION_SECONDS = 300;
    private const RETURN_SECONDS = 3600;

    /** Whether a notification is signed with the secret of the webhook, and recent, as Standard Webhooks says. */
    public static function is_genuine_notification(string $body, string $id, string $time, string $signatures, string $secret): bool
    {
        if ($id === '' || preg_match('/^\d{1,12}$/', $time) !== 1 || abs(time() - (int) $time) > self::NOTIFICATION_SECONDS) {
            return false;
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            return false;
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$time}.{$body}", $key, true));
        foreach (explode(' ', $signatures) as $signature) {
            if (hash_equals($expected, $signature)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the result in the query of a returning customer is signed with the secret of the payment links, and recent.
     *
     * @param array<string, mixed> $query
     */
    public static function is_genuine_return(array $query, string $secret): bool
    {
        $values = [];
        foreach (['payment_link', 'request', 'status', 'amount', 'currency', 'time', 'signature'] as $name) {
            if (!is_string($query[$name] ?? null)) {
                return false;
            }
            $values[] = $query[$name];
        }
        $signature = array_pop($values);
        return $secret !== ''
            && hash_equals(hash_hmac('sha256', implode('|', $values), $secret), $signature)
            && time() - (int) $query['time'] < self::RETURN_SECONDS;
    }
}
