import type { EventType } from './wire.ts'

/** All event types by their names in the interface. The compiler checks that none is missing. */
const all: Record<EventType, true> = {
  'collectionrequest.status.changed': true,
  'collection.received': true,
  'collection.reversed': true,
  'payment.status.changed': true,
  'contact.created': true,
  'billpayment.status.changed': true,
  'invoice.issued': true,
  'invoice.paid': true,
  'invoice.reopened': true,
  'invoice.voided': true,
}
export const eventTypes = Object.keys(all)
