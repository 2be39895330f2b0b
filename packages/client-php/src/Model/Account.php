<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A wallet. */
final class Account extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** What you call it. */
    public readonly string $name;
    /** Whether it collects from other countries. One of local, cross_border; new values may be added. */
    public readonly string $kind;
    /** Its balance. A decimal number as text. */
    public readonly string $balance;
    /** Three-letter code. */
    public readonly string $currency;
    /** Whether it is in use. One of active, inactive; new values may be added. */
    public readonly string $status;
    public readonly \DateTimeImmutable $created;
    /** The user who opened it. */
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
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['kind'])) {
            $this->kind = $data['kind'];
        }
        if (isset($data['balance'])) {
            $this->balance = self::amount($data['balance']);
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['status'])) {
            $this->status = $data['status'];
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
