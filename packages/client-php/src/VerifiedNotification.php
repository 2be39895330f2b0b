<?php

declare(strict_types=1);

namespace Kusanya;

/** A notification whose signature is right. */
final class VerifiedNotification extends Notification
{
    /** @internal */
    public function __construct(
        /** The same in all attempts to deliver it: keep it, and ignore a notification whose id you have processed. */
        public readonly string $webhook_id,
        /** When it was sent. */
        public readonly \DateTimeImmutable $sent,
        string $text,
    ) {
        parent::__construct($text);
    }
}
