<?php

declare(strict_types=1);

namespace Kusanya\Http;

/** No answer came, or only a part of one. */
final class ConnectionException extends \RuntimeException
{
    public function __construct(string $message, public readonly bool $is_late = false)
    {
        parent::__construct($message);
    }
}
