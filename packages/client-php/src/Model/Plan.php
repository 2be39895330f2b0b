<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** A recurring collection request. */
final class Plan extends Model
{
    public readonly int $id;
    /** Your organization. */
    public readonly int $organization;
    /** `active`, `paused`, `ended` when no date is left, or `stopped` when a user ended it. One of active, paused, ended, stopped; new values may be added. */
    public readonly string $state;
    /** The first request, which the later ones copy. */
    public readonly int $collection_request;
    /** The contact of the customer. */
    public readonly int $contact;
    /** The phone number of the customer, in E.164. */
    public readonly string $phonenumber;
    /** First and last name of the contact. */
    public readonly string $customer_name;
    /** The amount of each request. A decimal number as text. */
    public readonly string $amount;
    /** Three-letter code. */
    public readonly string $currency;
    /** The reason; empty when none was given. */
    public readonly string $reason;
    /** @var list<string> How often it recurs. */
    public readonly array $frequencies;
    /** @var list<int> The weekdays, 0 is Monday; empty: no choice of weekdays. */
    public readonly array $weekdays;
    /** @var list<int> The months, 1 is January; empty: every month. */
    public readonly array $months;
    /** When it starts. */
    public readonly \DateTimeImmutable $start_date;
    /** The latest possible date. */
    public readonly \DateTimeImmutable $end_date;
    /** When it was paused; null if it is not paused. */
    public readonly ?\DateTimeImmutable $paused;
    /** When it was stopped; null if it was not. */
    public readonly ?\DateTimeImmutable $stopped;
    /** The next date; null when there is none. */
    public readonly ?\DateTimeImmutable $next_date;
    /** @var list<\DateTimeImmutable> At most 5 of the next dates. */
    public readonly array $next_dates;
    /** How many requests there are, including the first. */
    public readonly int $occurrence_count;
    /** How many of its requests were paid. */
    public readonly int $collected_count;
    /** What they collected; reversed payments are not counted. A decimal number as text. */
    public readonly string $collected_amount;
    /** How many of its requests failed or expired. */
    public readonly int $failed_count;
    /** How many of its requests are open. */
    public readonly int $open_count;
    /** How many of its requests were paid and then reversed. */
    public readonly int $reversed_count;

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
        if (isset($data['state'])) {
            $this->state = $data['state'];
        }
        if (isset($data['collection_request'])) {
            $this->collection_request = $data['collection_request'];
        }
        if (isset($data['contact'])) {
            $this->contact = $data['contact'];
        }
        if (isset($data['phonenumber'])) {
            $this->phonenumber = $data['phonenumber'];
        }
        if (isset($data['customer_name'])) {
            $this->customer_name = $data['customer_name'];
        }
        if (isset($data['amount'])) {
            $this->amount = self::amount($data['amount']);
        }
        if (isset($data['currency'])) {
            $this->currency = $data['currency'];
        }
        if (isset($data['reason'])) {
            $this->reason = $data['reason'];
        }
        if (isset($data['frequencies'])) {
            $this->frequencies = $data['frequencies'];
        }
        if (isset($data['weekdays'])) {
            $this->weekdays = $data['weekdays'];
        }
        if (isset($data['months'])) {
            $this->months = $data['months'];
        }
        if (isset($data['start_date'])) {
            $this->start_date = new \DateTimeImmutable($data['start_date']);
        }
        if (isset($data['end_date'])) {
            $this->end_date = new \DateTimeImmutable($data['end_date']);
        }
        $this->paused = isset($data['paused']) ? new \DateTimeImmutable($data['paused']) : null;
        $this->stopped = isset($data['stopped']) ? new \DateTimeImmutable($data['stopped']) : null;
        $this->next_date = isset($data['next_date']) ? new \DateTimeImmutable($data['next_date']) : null;
        if (isset($data['next_dates'])) {
            $this->next_dates = $data['next_dates'];
        }
        if (isset($data['occurrence_count'])) {
            $this->occurrence_count = $data['occurrence_count'];
        }
        if (isset($data['collected_count'])) {
            $this->collected_count = $data['collected_count'];
        }
        if (isset($data['collected_amount'])) {
            $this->collected_amount = self::amount($data['collected_amount']);
        }
        if (isset($data['failed_count'])) {
            $this->failed_count = $data['failed_count'];
        }
        if (isset($data['open_count'])) {
            $this->open_count = $data['open_count'];
        }
        if (isset($data['reversed_count'])) {
            $this->reversed_count = $data['reversed_count'];
        }
    }
}
