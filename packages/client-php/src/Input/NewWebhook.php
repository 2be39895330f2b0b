<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Create a webhook. */
final class NewWebhook extends Input
{
    public function __construct(
        /** One of payment.status.changed, collection.received, contact.created, collectionrequest.status.changed. */
        public readonly string $event,
        /** An https URL. */
        public readonly string $target,
    ) {
    }
}
