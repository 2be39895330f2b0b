<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Model;

/** The object that an event is about. */
final class EventData
{
    /** The data of an event, by its type. */
    public const MODELS = [
        'collectionrequest.status.changed' => CollectionRequest::class,
        'collection.received' => Collection::class,
        'collection.reversed' => Collection::class,
        'contact.created' => Contact::class,
        'contact.credit_changed' => CreditChange::class,
        'payment.status.changed' => PaymentEventData::class,
        'billpayment.status.changed' => PurchaseEventData::class,
        'invoice.issued' => Invoice::class,
        'invoice.paid' => Invoice::class,
        'invoice.partly_paid' => Invoice::class,
        'invoice.reopened' => Invoice::class,
        'invoice.voided' => Invoice::class,
    ];

    /**
     * The data of an event as its model. An unknown type, which is new, gives the JSON object.
     *
     * @param array<string, mixed> $data
     *
     * @return Model|array<string, mixed>
     */
    public static function read(string $type, array $data): Model|array
    {
        $model = self::MODELS[$type] ?? null;

        return $model === null ? $data : new $model($data);
    }
}
