<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A suggestion for unmatched money. */
final class MatchSuggestion extends Model
{
    /** `named`: the payer typed its number, and others, or the money does not fit. `near_number`: the number differs by one digit. `same_phone`: the phone pays for this customer. `same_name`: payer and customer have one name. `same_amount`: an open invoice has this amount. `adds_up`: the open amounts make this sum. `near_amount`: an open request of the phone asks for another amount. One of named, near_number, same_phone, same_name, same_amount, adds_up, near_amount; new values may be added. */
    public readonly string $reason;
    /** @var list<SuggestedPart> Suggested allocations; several parts split the money. */
    public readonly array $parts;

    /** @param array<string, mixed> $data */
    public function __construct(array $data)
    {
        parent::__construct($data);
        if (isset($data['reason'])) {
            $this->reason = $data['reason'];
        }
        if (isset($data['parts'])) {
            $this->parts = array_map(static fn (array $item) => new SuggestedPart($item), $data['parts']);
        }
    }
}
