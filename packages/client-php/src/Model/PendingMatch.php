<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/**  */
final class PendingMatch extends Model
{
    /** The change, as managers find it in the console. */
    public readonly int $id;
    /** The change in words. */
    public readonly string $description;
    /** The user who asks for it. */
    public readonly ?int $author;
    /** The name of this user. */
    public readonly ?string $author_name;
    public readonly \DateTimeImmutable $created;
    /** When it expires, unless a manager confirms it. */
    public readonly \DateTimeImmutable $expires;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['description'])) {
            $this->description = $data['description'];
        }
        $this->author = $data['author'] ?? null;
        $this->author_name = $data['author_name'] ?? null;
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['expires'])) {
            $this->expires = new \DateTimeImmutable($data['expires']);
        }
    }
}
