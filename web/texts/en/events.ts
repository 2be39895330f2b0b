/** Events: list and page of one event. */
export const events = {
  about: 'Events in your organization, as webhooks receive them. New events appear automatically.',
  none: 'No events yet.',
  live: 'Live',
  event: 'Event',
  object: 'Object',
  object_about: 'State of the object at the time of the event.',
  time: 'Time',
  types: {
    collectionrequest_status_changed: 'Request status changed',
    collection_received: 'Collection received',
    collection_reversed: 'Collection reversed',
    payment_status_changed: 'Payment status changed',
    contact_created: 'Contact created',
    contact_credit_changed: 'Customer credit changed',
    billpayment_status_changed: 'Purchase status changed',
    invoice_issued: 'Invoice issued',
    invoice_paid: 'Invoice paid',
    invoice_partly_paid: 'Invoice partly paid',
    invoice_reopened: 'Invoice reopened',
    invoice_voided: 'Invoice voided',
  },
} as const
