<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Input\NewWebhook;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Webhook;

/**
 * Addresses that get a notification for each event of a type. They are deleted in the console, or by answering 410.
 *
 * @phpstan-import-type WebhooksFilters from Filters
 *
 * @extends Resource<Webhook>
 */
final class Webhooks extends Resource
{
    /**
     * Creates a webhook.
     *
     * @param NewWebhook|array<string, mixed> $input
     * @param string|null $duplicate_check_key with a key of your own, such as the id of an order, only one call creates
     *     something for 24 hours, even if your program is restarted in between; default: a random key for each call, which all its
     *     attempts have
     *
     * @throws KusanyaException
     */
    public function create(NewWebhook|array $input, ?string $duplicate_check_key = null): Webhook
    {
        return $this->createOnce('webhook', $input, $duplicate_check_key);
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param WebhooksFilters $filters
     *
     * @return Listing<Webhook>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
