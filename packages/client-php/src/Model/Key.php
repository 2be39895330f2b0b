<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/**  */
final class Key extends Model
{
    /** Your organization. */
    public readonly int $organization;
    /** Sandbox or live. One of sandbox, live; new values may be added. */
    public readonly string $mode;
    /** @var list<string> Permissions of the key. */
    public readonly array $permissions;
    /** True if the key can only read. */
    public readonly bool $read_only;
    /** Null if it never expires. */
    public readonly ?\DateTimeImmutable $expires;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['organization'])) {
            $this->organization = $data['organization'];
        }
        if (isset($data['mode'])) {
            $this->mode = $data['mode'];
        }
        if (isset($data['permissions'])) {
            $this->permissions = $data['permissions'];
        }
        if (isset($data['read_only'])) {
            $this->read_only = $data['read_only'];
        }
        $this->expires = isset($data['expires']) ? new \DateTimeImmutable($data['expires']) : null;
    }
}
