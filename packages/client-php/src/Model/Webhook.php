<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** An address that gets a notification for each event of a type. */
final class Webhook extends Model
{
    public readonly int $id;
    /** The user who created it. */
    public readonly int $user;
    /** The event type that it receives. */
    public readonly string $event;
    public readonly \DateTimeImmutable $created;
    public readonly \DateTimeImmutable $updated;
    /** The URL that notifications are sent to. */
    public readonly string $target;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['user'])) {
            $this->user = $data['user'];
        }
        if (isset($data['event'])) {
            $this->event = $data['event'];
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['updated'])) {
            $this->updated = new \DateTimeImmutable($data['updated']);
        }
        if (isset($data['target'])) {
            $this->target = $data['target'];
        }
    }
}
