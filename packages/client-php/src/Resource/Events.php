<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Internal\EventStream;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Event;
use Kusanya\StreamedEvent;

/**
 * The records of changes in the organization.
 *
 * @phpstan-import-type EventsFilters from Filters
 *
 * @extends Resource<Event>
 */
final class Events extends Resource
{
    /**
     * The events as they happen, over breaks of the connection: `foreach ($kusanya->events->stream() as $event)`. For programs of
     * the command line; a web page uses webhooks.
     *
     * It begins after the event `$last_event_id`. Keep the id of the last event that you have processed to miss none over
     * restarts. Else it begins at the event or time `$since` (`2030-01-31T12:00:00Z`, `10 minutes ago`), or with the next event.
     * The connection is made anew when nothing came for `$idle_timeout` seconds; the service says something every 15 seconds.
     *
     * @param list<string> $types only events of these types
     *
     * @return \Generator<int, StreamedEvent>
     *
     * @throws KusanyaException when the service refuses the stream
     */
    public function stream(
        ?int $last_event_id = null,
        int|string|null $since = null,
        array $types = [],
        float $idle_timeout = EventStream::IDLE_TIMEOUT,
    ): \Generator {
        return (new EventStream($this->transport))->follow($last_event_id, $since, $types, $idle_timeout);
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param EventsFilters $filters
     *
     * @return Listing<Event>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }
}
