<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A customer or recipient, with the document of identity, customer number, tags, notes and payers. */
final class ContactDetails extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** `Anonymous` until a name is given. */
    public readonly string $first_name;
    /** `Contact` until a name is given. */
    public readonly string $last_name;
    /** E-mail address. */
    public readonly ?string $email;
    /** E.164; empty for a customer without a phone. */
    public readonly string $phone_number;
    /** `employee`, `beneficiary`, `vendor` or `other`. */
    public readonly string $type;
    /** `active` or `inactive`. */
    public readonly string $status;
    /** @var array<string, mixed>|null Your own attributes. */
    public readonly ?array $metadata;
    /** `yes` when a network serves the number. */
    public readonly string $phone_is_supported;
    /** Whether it has mobile money: `yes`, `no`, or `unknown` until the network responds. */
    public readonly string $phone_is_mm_registered;
    /** The name that the network knows; empty until the network responds. */
    public readonly string $name_on_network;
    /** `checked` after the two names were compared, else `unchecked`. */
    public readonly string $name_matches_network_status;
    /** How similar the two names are, 0 to 100. */
    public readonly float $name_matches_network_score;
    /** The network that serves the number. */
    public readonly string $network_name;
    public readonly \DateTimeImmutable $created;
    public readonly \DateTimeImmutable $modified;
    /** The user who created the contact. */
    public readonly int $author;
    /** The user who changed it last. */
    public readonly ?int $updated_by;
    /** Number of an identity document. */
    public readonly ?string $national_id;
    /** Type of the document. One of passport, military, national; new values may be added. */
    public readonly ?string $national_id_type;
    /** The customer number, which payers type; unique. */
    public readonly ?string $number;
    /** @var list<string> Groups of customers, such as a class or a route. */
    public readonly array $tags;
    /** Your own text about the customer. */
    public readonly string $notes;
    /** @var list<ContactPayer> Other payers of the customer. The first one is asked if the customer has no phone. */
    public readonly array $payers;

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
        if (isset($data['first_name'])) {
            $this->first_name = $data['first_name'];
        }
        if (isset($data['last_name'])) {
            $this->last_name = $data['last_name'];
        }
        $this->email = $data['email'] ?? null;
        if (isset($data['phone_number'])) {
            $this->phone_number = $data['phone_number'];
        }
        if (isset($data['type'])) {
            $this->type = $data['type'];
        }
        if (isset($data['status'])) {
            $this->status = $data['status'];
        }
        $this->metadata = $data['metadata'] ?? null;
        if (isset($data['phone_is_supported'])) {
            $this->phone_is_supported = $data['phone_is_supported'];
        }
        if (isset($data['phone_is_mm_registered'])) {
            $this->phone_is_mm_registered = $data['phone_is_mm_registered'];
        }
        if (isset($data['name_on_network'])) {
            $this->name_on_network = $data['name_on_network'];
        }
        if (isset($data['name_matches_network_status'])) {
            $this->name_matches_network_status = $data['name_matches_network_status'];
        }
        if (isset($data['name_matches_network_score'])) {
            $this->name_matches_network_score = $data['name_matches_network_score'];
        }
        if (isset($data['network_name'])) {
            $this->network_name = $data['network_name'];
        }
        if (isset($data['created'])) {
            $this->created = new \DateTimeImmutable($data['created']);
        }
        if (isset($data['modified'])) {
            $this->modified = new \DateTimeImmutable($data['modified']);
        }
        if (isset($data['author'])) {
            $this->author = $data['author'];
        }
        $this->updated_by = $data['updated_by'] ?? null;
        $this->national_id = $data['national_id'] ?? null;
        $this->national_id_type = $data['national_id_type'] ?? null;
        $this->number = $data['number'] ?? null;
        if (isset($data['tags'])) {
            $this->tags = $data['tags'];
        }
        if (isset($data['notes'])) {
            $this->notes = $data['notes'];
        }
        if (isset($data['payers'])) {
            $this->payers = array_map(static fn (array $item) => new ContactPayer($item), $data['payers']);
        }
    }
}
