<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/**
 * The filters of lists. They match exactly, and all of them.
 *
 * @phpstan-type AccountsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', currency?: string, status?: string, created_after?: string|\DateTimeInterface, created_before?: string|\DateTimeInterface}
 * @phpstan-type CollectionRequestsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', amount?: string|int, currency?: string, collection?: int, phonenumber?: string, remote_transaction_id?: string, created_after?: string|\DateTimeInterface, created_before?: string|\DateTimeInterface, modified_after?: string|\DateTimeInterface, modified_before?: string|\DateTimeInterface, status?: string, reason?: string, contact_first_name?: string, contact_last_name?: string, network?: string, payment_link?: int, plan?: int}
 * @phpstan-type CollectionsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', amount?: string|int, currency?: string, phonenumber?: string, reference?: string, remote_transaction_id?: string, collection_request?: int, created_after?: string|\DateTimeInterface, created_before?: string|\DateTimeInterface, modified_after?: string|\DateTimeInterface, modified_before?: string|\DateTimeInterface, status?: string, network?: string, contact_first_name?: string, contact_last_name?: string}
 * @phpstan-type ContactsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', first_name?: string, last_name?: string, email?: string, phone_number?: string, number?: string, tag?: string, payer?: string, created_after?: string|\DateTimeInterface, created_before?: string|\DateTimeInterface}
 * @phpstan-type CurrenciesFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount'}
 * @phpstan-type EventsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', type?: string}
 * @phpstan-type InvoiceBatchesFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount'}
 * @phpstan-type InvoiceCustomersFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', tag: string, currency?: string, batch?: int, due_after?: string|\DateTimeInterface, due_before?: string|\DateTimeInterface}
 * @phpstan-type InvoicesByTagFilters array{tag?: string, currency?: string, batch?: int, due_after?: string|\DateTimeInterface, due_before?: string|\DateTimeInterface}
 * @phpstan-type InvoicesFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', number?: string, state?: string, overdue?: string, contact?: int, customer_number?: string, tag?: string, batch?: int, phonenumber?: string, collection_request?: int, collection?: int, currency?: string, total?: string|int, due_after?: string|\DateTimeInterface, due_before?: string|\DateTimeInterface, created_after?: string|\DateTimeInterface, created_before?: string|\DateTimeInterface, modified_after?: string|\DateTimeInterface, modified_before?: string|\DateTimeInterface}
 * @phpstan-type NetworksFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount'}
 * @phpstan-type PaymentLinksFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', currency?: string, state?: string, title?: string, created_after?: string|\DateTimeInterface, created_before?: string|\DateTimeInterface, modified_after?: string|\DateTimeInterface, modified_before?: string|\DateTimeInterface}
 * @phpstan-type PaymentsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', amount?: string|int, currency?: string, payment_type?: string, payment_id?: int, phone_number?: string, remote_transaction_id?: string, created_after?: string|\DateTimeInterface, created_before?: string|\DateTimeInterface, modified_after?: string|\DateTimeInterface, modified_before?: string|\DateTimeInterface, payment_state?: string, state?: string, network?: string, first_name?: string, last_name?: string}
 * @phpstan-type PlansFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', state?: 'active'|'paused'|'ended'|'stopped', phonenumber?: string, contact?: int, currency?: string, collection_request?: int}
 * @phpstan-type ReceiptsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', number?: string, collection?: int, collection_request?: int, amount?: string|int, currency?: string, phonenumber?: string, remote_transaction_id?: string, created_after?: string|\DateTimeInterface, created_before?: string|\DateTimeInterface, modified_after?: string|\DateTimeInterface, modified_before?: string|\DateTimeInterface}
 * @phpstan-type RequestActionsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount'}
 * @phpstan-type RequestBatchesFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount'}
 * @phpstan-type SmsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', state?: 'waiting'|'sent'|'delivered'|'failed'|'unknown', purpose?: 'instructions'|'reminder'|'payment_link'|'success'|'goods'|'message'|'reply', phonenumber?: string, collection_request?: int, bill_purchase?: int, payment?: int}
 * @phpstan-type TransactionsFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', account?: int, type?: string, created_after?: string|\DateTimeInterface, created_before?: string|\DateTimeInterface, start_date?: string|\DateTimeInterface, end_date?: string|\DateTimeInterface}
 * @phpstan-type WebhooksFilters array{limit?: int, offset?: int, ordering?: 'id'|'-id'|'created'|'-created'|'modified'|'-modified'|'amount'|'-amount', user?: int, event?: string}
 */
final class Filters
{
    private function __construct()
    {
    }
}
