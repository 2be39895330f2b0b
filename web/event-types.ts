import { t } from './texts/index.ts'
import type { EventType } from './wire.ts'

/** Names of the event types. The compiler checks that none is missing. */
const names: Record<EventType, string> = {
  'collectionrequest.status.changed': t('events.types.collectionrequest_status_changed'),
  'collection.received': t('events.types.collection_received'),
  'collection.reversed': t('events.types.collection_reversed'),
  'payment.status.changed': t('events.types.payment_status_changed'),
  'contact.created': t('events.types.contact_created'),
  'contact.credit_changed': t('events.types.contact_credit_changed'),
  'billpayment.status.changed': t('events.types.billpayment_status_changed'),
  'invoice.issued': t('events.types.invoice_issued'),
  'invoice.paid': t('events.types.invoice_paid'),
  'invoice.partly_paid': t('events.types.invoice_partly_paid'),
  'invoice.reopened': t('events.types.invoice_reopened'),
  'invoice.voided': t('events.types.invoice_voided'),
}
export const eventTypes = Object.keys(names)

/** The event types as choices of a filter. */
export const eventChoices = Object.entries(names).map(([value, label]) => ({ value, label }))

/** The same for people who write programs, and look for a type as the interface spells it. */
export const codedEventChoices = eventChoices.map(({ value, label }) => ({ value, label: `${label} (${value})` }))

/** The words for an event type of the interface. */
export function nameEvent(type: string): string {
  return names[type as EventType] ?? type
}
