<?php

declare(strict_types=1);

namespace Kusanya;

/** An event of a stream. */
final class StreamedEvent extends Notification
{
    /**
     * @internal
     *
     * @param int $id the id of the event, in ascending order
     */
    public function __construct(public readonly int $id, string $text)
    {
        parent::__construct($text);
    }
}
