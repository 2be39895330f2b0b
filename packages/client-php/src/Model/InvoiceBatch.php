<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** Invoices that were made together, from a file or for a tag. */
final class InvoiceBatch extends Model
{
    public readonly int $id;
    /** `file`: from a file. `tag`: for all customers with a tag. One of file, tag; new values may be added. */
    public readonly string $source;
    /** The name of the file, or the tag. */
    public readonly string $name;
    /** Treatment of customers with an invoice with the same text and amount, unless it is paid and due. One of skip, create; new values may be added. */
    public readonly string $duplicates;
    /** Whether its invoices were issued at once; otherwise they are drafts. */
    public readonly bool $issue;
    /** Rows of the file, or customers with the tag. */
    public readonly int $rows;
    /** Rows of the file that were refused. */
    public readonly int $refused;
    /** Invoices skipped, because the customer already has the same. */
    public readonly int $skipped;
    /** Invoices created. */
    public readonly int $made;
    public readonly \DateTimeImmutable $created;
    /** The user who made it. */
    public readonly int $author;
    /** The name of this user. */
    public readonly string $author_name;
    /** When its last invoice was created. Null while it runs, and after an interruption: the same call continues it. */
    public readonly ?\DateTimeImmutable $finished;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['source'])) {
            $this->source = $data['source'];
        }
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['duplicates'])) {
            $this->duplicates = $data['duplicates'];
        }
        if (isset($data['issue'])) {
            $this->issue = $data['issue'];
        }
        if (isset($data['rows'])) {
            $this->rows = $data['rows'];
        }
        if (isset($data['refused'])) {
            $this->refused = $data['refused'];
        }
        if (isset($data['skipped'])) {
            $this->skipped = $data['skipped'];
        }
        if (isset($data['made'])) {
            $this->made = $data['made'];
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['author'])) {
            $this->author = $data['author'];
        }
        if (isset($data['author_name'])) {
            $this->author_name = $data['author_name'];
        }
        $this->finished = isset($data['finished']) ? new \DateTimeImmutable($data['finished']) : null;
    }
}
