import type { TimelineEntry } from '../../wire.ts'

type Kind = TimelineEntry['kind']
export type Entry<K extends Kind> = Extract<TimelineEntry, { kind: K }>

/** Line of the timeline: the entry, and the events that report it. */
export interface TimelineItem {
  key: string
  entry: TimelineEntry
  events: Entry<'event'>[]
}

/** Return a key that is unique in a timeline: a request enters each status once. */
export function keyOf(entry: TimelineEntry): string {
  const { kind, at } = entry
  switch (kind) {
    case 'move':
      return `${kind} ${entry.to_status}`
    case 'delivery':
      return `${kind} ${entry.event} ${entry.webhook}`
    case 'event':
    case 'collection':
    case 'callback':
      return `${kind} ${entry.id}`
    case 'action':
      return `${kind} ${entry.action.id}`
    case 'order':
      return `${kind} ${entry.reference}`
    case 'answer':
      return `${kind} ${entry.reference} ${entry.outcome} ${at}`
    case 'text':
      return `${kind} ${entry.purpose} ${at}`
    case 'text_answer':
      return `${kind} ${entry.purpose} ${entry.connection} ${entry.outcome} ${at}`
    default:
      return `${kind} ${at}`
  }
}

/**
 * Update the entries of a timeline. A shown entry keeps its place and its moment, and new knowledge is at the end, even
 * if it happened before. So no line moves while a person reads.
 */
export function keepPlaces(shown: readonly TimelineEntry[], read: readonly TimelineEntry[]): TimelineEntry[] {
  const fresh = new Map(read.map((entry) => [keyOf(entry), entry]))
  const kept = shown.flatMap((before) => {
    const key = keyOf(before)
    const now = fresh.get(key)
    fresh.delete(key)
    return now ? [{ ...now, at: before.at }] : []
  })
  return [...kept, ...fresh.values()]
}

/**
 * Make the lines of a timeline. An event is a part of the line that it reports; without one it has its own line. A note
 * that repeats the message of a network is left out: the network's answer says it in words.
 */
export function toItems(timeline: readonly TimelineEntry[]): TimelineItem[] {
  const items = new Map<string, TimelineItem>()
  const said = new Set(timeline.map((entry) => (entry.kind === 'answer' ? entry.message : null)))
  const entries = timeline.map((entry) =>
    entry.kind === 'move' && said.has(entry.note) ? { ...entry, note: null } : entry,
  )
  for (const entry of entries)
    if (entry.kind !== 'event') items.set(keyOf(entry), { key: keyOf(entry), entry, events: [] })
  for (const entry of entries) {
    if (entry.kind !== 'event') continue
    const reported = [...items.values()].find((item) => reports(entry, item.entry))
    if (reported) reported.events.push(entry)
    else items.set(keyOf(entry), { key: keyOf(entry), entry, events: [] })
  }
  const order = new Map(entries.map((entry, index) => [keyOf(entry), index]))
  return [...items.values()].sort((a, b) => order.get(a.key)! - order.get(b.key)!)
}

function reports(event: Entry<'event'>, entry: TimelineEntry): boolean {
  if (event.type === 'collection.received') return entry.kind === 'collection'
  return entry.kind === 'move' && event.type === 'collectionrequest.status.changed' && entry.to_status === event.status
}

/** The tries of a delivery in one line: how many failed, and when one succeeded. */
export function summarizeTries({ state, attempts }: Entry<'delivery'>): { failed: number; delivered: string | null } {
  const last = attempts.at(-1)
  const delivered = state === 'delivered' && last ? last.at : null
  return { failed: attempts.length - (delivered === null ? 0 : 1), delivered }
}
