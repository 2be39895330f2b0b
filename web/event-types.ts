import type { EventType } from './wire.ts'

/** The events that there are, by the names of the interface; the compiler sees that none is missing. */
const known: Record<EventType, true> = {
  'collectionrequest.status.changed': true,
  'collection.received': true,
  'payment.status.changed': true,
  'contact.created': true,
  'billpayment.status.changed': true,
}
export const eventTypes = Object.keys(known)
