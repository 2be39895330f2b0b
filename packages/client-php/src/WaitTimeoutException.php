<?php

declare(strict_types=1);

namespace Kusanya;

use Kusanya\Model\Model;

/** What was waited for has not ended in time. It goes on, and may still succeed. */
final class WaitTimeoutException extends \RuntimeException
{
    public function __construct(
        string $message,
        /** The object as it was read last. */
        public readonly Model $last,
    ) {
        parent::__construct($message);
    }
}
