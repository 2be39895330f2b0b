/** Events: list and page of one event. */
export const events = {
  about: 'Everything that happened, as webhooks receive it. New events appear by themselves.',
  none: 'No events yet.',
  live: 'Live',
  event: 'Event',
  object: 'Object',
  object_about: 'As it was when the event happened.',
  time: 'Time',
  types: {
    collectionrequest_status_changed: 'Request changed its status',
    collection_received: 'Collection received',
    collection_reversed: 'Collection reversed',
    payment_status_changed: 'Payment changed its status',
    contact_created: 'Contact created',
    contact_credit_changed: 'Credit of a customer changed',
    billpayment_status_changed: 'Purchase changed its status',
    invoice_issued: 'Invoice issued',
    invoice_paid: 'Invoice paid',
    invoice_partly_paid: 'Invoice partly paid',
    invoice_reopened: 'Invoice reopened',
    invoice_voided: 'Invoice voided',
  },
} as const
