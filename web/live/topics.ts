import type { LiveEvent } from './hub.ts'

function isRefused(data: unknown): boolean {
  const { money, not_retryable } = data as { money: unknown; not_retryable: string | null }
  return money === null && not_retryable !== null
}

/** The number beside the link to the queue is on every page, so it changes by events alone. */
function isApprovalQueue(data: unknown): boolean {
  return 'payments' in (data as object)
}

/** Rules for when the console reads data again. */
export interface Topic {
  /** The beginnings of the types of events that may change it. */
  events: readonly string[]
  /** True if it also changes shortly after such an event, without an own event: jobs make receipts and SMS. */
  settles?: boolean
  /** True if it may change without any event, so it is polled while its page is open. */
  slow?: boolean
  /** States of rows that end without an event, so it is polled while a row has one. */
  unsettled?: readonly string[]
  /** Condition under which it is polled. */
  slow_while?: (data: unknown) => boolean
  /** Minimum time between two reads in milliseconds, if not the default. */
  gap_ms?: number
}

const MONEY = ['collection', 'payment.', 'billpayment.']
const IN = ['collection', 'payment.']
const BY_TIME: Topic = { events: [], slow: true }
const SENDING: Topic = { events: ['collection', 'invoice.'], settles: true, unsettled: ['waiting'] }
const DELIVERIES: Topic = { events: [''], settles: true, unsettled: ['waiting'] }

/**
 * Topics that change the data of a query, by the first part of its key. Data that is not listed changes by people only.
 */
const topics: Readonly<Record<string, Topic>> = {
  '/collectionrequests': { events: ['collection'] },
  timeline: { ...DELIVERIES, events: ['collection', 'payment.'] },
  // A request is tried again only once its network has said the end of its order, which has no event.
  outcome: { events: IN, settles: true, gap_ms: 5_000, slow_while: isRefused },
  '/incoming': { events: IN },
  '/paymentlinks': { events: ['collection'], settles: true },
  '/payment-links': { events: ['collection'], settles: true },
  '/invoices': { events: ['invoice.', 'collection'], settles: true },
  '/invoices/customers': { events: ['invoice.', 'collection'], settles: true, gap_ms: 5_000 },
  '/reports/ageing': { events: ['invoice.', 'collection'], settles: true, gap_ms: 5_000 },
  '/reports/unmatched': { events: IN, settles: true, gap_ms: 5_000 },
  '/receipts': { events: ['collection'], settles: true },
  '/sms': SENDING,
  '/contacts': { events: ['contact.'], settles: true },
  'contact-history': { events: [...MONEY, 'invoice.', 'contact.'], settles: true, gap_ms: 5_000 },
  '/accounts': { events: MONEY },
  '/transactions': { events: MONEY },
  '/payments': { events: ['payment.'] },
  // Pauses and ends of plans have no events.
  '/plans': { events: ['collection'], slow: true },
  // Checks of names have no events.
  '/approvals': { events: ['payment.'], slow_while: isApprovalQueue },
  '/bulk-payments': { events: ['payment.'], slow: true },
  '/reconciliations': BY_TIME,
  '/purchases': { events: ['billpayment.'], settles: true },
  '/events': { events: [''] },
  '/webhooks/deliveries': DELIVERIES,
  '/webhooks/health': { ...DELIVERIES, slow: true },
  '/webhooks': { ...DELIVERIES, slow: true },
  home: { events: [''], settles: true, slow: true, gap_ms: 5_000 },
  '/unassigned': BY_TIME,
  '/late-payouts': BY_TIME,
  '/orders': BY_TIME,
  '/attestations': BY_TIME,
  '/connections': BY_TIME,
  '/go-live': BY_TIME,
  '/networks/state': BY_TIME,
  '/first-steps': { events: [''], settles: true, slow: true, gap_ms: 5_000 },
  '/control-changes': BY_TIME,
  '/settings/sms': BY_TIME,
  '/settings/sms/opt-outs': BY_TIME,
  '/bill-differences': BY_TIME,
  '/bill-floats': BY_TIME,
  '/bill-offers': BY_TIME,
}

/** Topics of what belongs to an object, by the beginning of the key. */
const below: Readonly<Record<string, Topic>> = {
  '/reconciliations/': BY_TIME,
  '/wallets/': { events: MONEY },
  '/webhooks/': DELIVERIES,
}

/** The queries about the whole service, which the stream reports by their own message. */
export const serviceKeys: readonly string[] = ['/sending', '/maintenance', 'clock']

/**
 * First parts of the keys whose data depend on the rules of approval. The stream reports a change of rules in a
 * separate message.
 */
const ruleKeys: readonly string[] = ['/approvals', '/payments', 'home']

/** Return true if a change of the rules of approval may change the data of a query. */
export function followsRules([name]: readonly unknown[]): boolean {
  return ruleKeys.includes(String(name))
}

/** Return the refresh rules of a query; undefined when only its page decides. */
export function topicOf([name]: readonly unknown[]): Topic | undefined {
  if (typeof name !== 'string') return undefined
  return topics[name] ?? Object.entries(below).find(([begin]) => name.startsWith(begin))?.[1]
}

/** The types of events whose objects have their own page, by the first part of the key of that page. */
const objects: Readonly<Record<string, string>> = {
  '/collectionrequests': 'collectionrequest.',
  timeline: 'collectionrequest.',
  outcome: 'collectionrequest.',
  '/incoming': 'collection.',
  '/payments': 'payment.',
  '/purchases': 'billpayment.',
  '/invoices': 'invoice.',
  '/contacts': 'contact.',
}

/**
 * Return true if an event may change the data of a query with this key. The page of one object ignores events about
 * others of its kind.
 */
export function concerns(key: readonly unknown[], event: LiveEvent): boolean {
  const topic = topicOf(key)
  if (!topic?.events.some((type) => event.type.startsWith(type))) return false
  const [name, id] = key
  const own = objects[name as string]
  const is_of_one = key.length === 2 && (typeof id === 'string' || typeof id === 'number')
  if (own === undefined || !event.type.startsWith(own) || !is_of_one) return true
  return String(event.data.id) === String(id)
}

/** The id of the object of an event, if rows of this list are such objects. */
export function changedRow(path: string, { type, data }: LiveEvent): string | undefined {
  const own = objects[path]
  return own !== undefined && type.startsWith(own) && data.id !== undefined ? String(data.id) : undefined
}

/** Return true if the data will still change without an event. */
export function isUnsettled(data: unknown, { unsettled, slow_while }: Topic): boolean {
  if (data !== undefined && slow_while?.(data)) return true
  if (!unsettled || typeof data !== 'object' || data === null) return false
  const rows = (data as { results?: unknown }).results
  return (Array.isArray(rows) ? rows : [data]).some((row: { state?: string }) => unsettled.includes(row.state ?? ''))
}
