<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A record of a change. */
final class Event extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** What happened. */
    public readonly string $type;
    /** @var Model|array<string, mixed> The object as it was when it happened. */
    public readonly Model|array $data;
    public readonly \DateTimeImmutable $created;
    /** The user who caused it. */
    public readonly int $author;
    public readonly \DateTimeImmutable $modified;
    /** The user who changed it last. */
    public readonly ?string $updated_by;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['organization'])) {
            $this->organization = $data['organization'];
        }
        if (isset($data['type'])) {
            $this->type = $data['type'];
        }
        if (isset($data['data'])) {
            $this->data = EventData::read($data['type'], $data['data']);
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['author'])) {
            $this->author = $data['author'];
        }
        if (isset($data['modified'])) {
            $this->modified = new \DateTimeImmutable($data['modified']);
        }
        $this->updated_by = $data['updated_by'] ?? null;
    }
}
