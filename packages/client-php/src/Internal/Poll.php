<?php

declare(strict_types=1);

namespace Kusanya\Internal;

use Kusanya\Model\Model;
use Kusanya\WaitTimeoutException;

/** @internal Waits for the end of something. */
final class Poll
{
    private const FIRST_INTERVAL = 1.0;
    /** Keeps several programs that wait with one key below its 30 reads a minute. */
    private const MAX_INTERVAL = 5.0;

    /**
     * Reads something until it has ended, at growing intervals, for so many seconds.
     *
     * @template T of Model
     *
     * @param \Closure(): T $read
     * @param \Closure(T): bool $hasEnded
     *
     * @return T
     *
     * @throws WaitTimeoutException
     */
    public static function until(string $what, \Closure $read, \Closure $hasEnded, float $wait): Model
    {
        $deadline = microtime(true) + $wait;
        for ($interval = self::FIRST_INTERVAL; ; $interval = min(self::MAX_INTERVAL, $interval * 1.5)) {
            $item = $read();
            if ($hasEnded($item)) {
                return $item;
            }
            $left = $deadline - microtime(true);
            if ($left <= 0) {
                throw new WaitTimeoutException("{$what} has not ended within {$wait} seconds. It goes on.", $item);
            }
            Transport::sleep(min($interval, $left));
        }
    }
}
