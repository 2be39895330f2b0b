<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A further question to a customer. */
final class PaymentLinkField extends Model
{
    /** The key in the metadata of the request. */
    public readonly string $name;
    /** What the customer reads. */
    public readonly string $label;
    /** Text, a number, or one of `choices`. One of text, number, choice; new values may be added. */
    public readonly string $type;
    /** Whether the customer must answer. */
    public readonly bool $required;
    /** @var list<string> What can be chosen; empty for the other types. */
    public readonly array $choices;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['label'])) {
            $this->label = $data['label'];
        }
        if (isset($data['type'])) {
            $this->type = $data['type'];
        }
        if (isset($data['required'])) {
            $this->required = $data['required'];
        }
        if (isset($data['choices'])) {
            $this->choices = $data['choices'];
        }
    }
}
