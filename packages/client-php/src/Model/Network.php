<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A mobile-money network. */
final class Network extends Model
{
    public readonly int $id;
    /** Value for the filter `network` of the lists. */
    public readonly string $code;
    /** Name of the network. */
    public readonly string $name;
    public readonly Country $country;
    /** Pattern of its phone numbers, in E.164. */
    public readonly string $phone_regex;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['id'])) {
            $this->id = $data['id'];
        }
        if (isset($data['code'])) {
            $this->code = $data['code'];
        }
        if (isset($data['name'])) {
            $this->name = $data['name'];
        }
        if (isset($data['country'])) {
            $this->country = new Country($data['country']);
        }
        if (isset($data['phone_regex'])) {
            $this->phone_regex = $data['phone_regex'];
        }
    }
}
