import { databaseOf } from '../../db/before-commit.ts'
import type { Tx } from '../../db/client.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { countParts, prepareText } from '../../lib/sms-text.ts'
import { toRouteQuery } from './attempts.ts'
import type { ClaimedSms } from './claims.ts'
import { type DirectStart, insertSms, type NewSmsMessage, noteQueued, queueSmsWithoutIds } from './outbox.ts'
import { createReferenceStart, toSmsReference } from './references.ts'
import { chooseRoute, type RouteConnection, type RoutePlan, readRoutePlan } from './routes.ts'
import { monthOf } from './usage.ts'

/*
 * SMS that the process which stores them also sends, as soon as their transaction has committed:
 *
 *     insert, leased, with route and attempt ──► commit ──► call ──► outcome
 *
 * No claim writes them again, and no index of due SMS has them. If the process ends before the outcome, `requeueLostSms` makes them
 * due when their lease is over.
 */

/** A slot for the call of one SMS, with the end of its lease on the real clock. */
export interface DirectSlot {
  lease_end: Date
  /** Sends the SMS. Called once its transaction has committed. */
  send(sms: ClaimedSms): void
  /** Gives the slot back. */
  release(): void
}

/** Sending of a process, as it offers it to the transactions that store SMS. */
export interface DirectSending {
  /** End of each text. */
  suffix: string
  /** Returns true while it may have slots, because no SMS waits. */
  isIdle(): boolean
  /** All connections, as routes are chosen. */
  connections(): readonly RouteConnection[]
  /** Takes a slot; undefined where SMS of this connection have to wait in turn. */
  takeSlot(connection: string): DirectSlot | undefined
}

const offers = new WeakMap<object, DirectSending>()

/** Offers the sending of this process to its transactions; undefined ends the offer. */
export function offerDirectSending(db: object, sending: DirectSending | undefined): void {
  if (sending) offers.set(db, sending)
  else offers.delete(db)
}

/**
 * Puts SMS of requests into the outbox, as `queueSms` does. Those that may be sent at once, and for which this process has a slot, are
 * stored leased to it, in turn by organization. It sends them after the commit.
 *
 * An SMS waits in the outbox as others do where a limit of the month has to be counted first, where STOP may end it, where its
 * connection has no slot or others wait for one, and where no route can be used now.
 */
export async function queueOrSendSms(tx: Tx, now: Date, messages: readonly NewSmsMessage[]): Promise<void> {
  const db = databaseOf(tx)
  const sending = db && offers.get(db)
  const timely = sending?.isIdle() ? messages.filter((one) => isTimely(one, now)) : []
  if (!sending || timely.length === 0) return queueSmsWithoutIds(tx, now, messages)
  const plan = await readRoutePlan(
    tx,
    timely.map(({ organization }) => organization),
  )
  const slots = new Map<NewSmsMessage, DirectSlot>()
  const starts = new Map<NewSmsMessage, DirectStart>()
  for (const message of inTurn(timely.filter((one) => isUnlimited(plan, one)))) {
    const begun = start(sending, plan, message, now)
    if (!begun) continue
    slots.set(message, begun.slot)
    starts.set(message, begun.start)
  }
  const claimed = new Map<NewSmsMessage, ClaimedSms>()
  tx.whenOver((committed) => {
    for (const [message, slot] of slots) {
      const sms = claimed.get(message)
      if (committed && sms) slot.send(sms)
      else slot.release()
    }
  })
  const by_key = new Map([...starts.keys()].map((message) => [keyOf(message), message]))
  const stored = tx<StoredSms[]>`
    ${insertSms(now, messages, starts)} returning id, organization, collection_request, purpose, number`
  // The commit travels behind it, so the ids are there when it is confirmed.
  void stored.then(
    (rows) => {
      noteQueued(tx, rows)
      for (const row of rows) {
        const message = by_key.get(keyOf(row))
        if (message) claimed.set(message, toClaimed(message, starts.get(message)!, row.id, now))
      }
    },
    () => {},
  )
  if (tx.facts) await stored
}

interface StoredSms {
  id: number
  organization: number
  collection_request: number
  purpose: NewSmsMessage['purpose']
  number: number
}

/** A request has one SMS for each purpose and number. */
function keyOf({ collection_request, purpose, number = 0 }: NewSmsMessage | StoredSms): string {
  return `${collection_request} ${purpose} ${number}`
}

/** True if an SMS answers what its customer has just done, and is still of use. */
function isTimely({ collection_request, transactional = true, valid_until = null }: NewSmsMessage, now: Date): boolean {
  return collection_request != null && transactional && (valid_until === null || valid_until > now)
}

/** True if nothing has to be counted before an SMS is sent, and STOP does not end it. */
function isUnlimited({ limits }: RoutePlan, { organization, purpose }: NewSmsMessage): boolean {
  const limit = limits.find((one) => one.organization === organization)
  return !limit || (limit.monthly_parts === null && !(limit.stop_covers_receipts && purpose === 'success'))
}

/** The first SMS of each organization, then the second ones, and so on. */
function inTurn(messages: readonly NewSmsMessage[]): NewSmsMessage[] {
  const by_organization = [...Map.groupBy(messages, ({ organization }) => organization).values()]
  const most = Math.max(0, ...by_organization.map((all) => all.length))
  return Array.from({ length: most }, (_, turn) => by_organization.flatMap((all) => all[turn] ?? [])).flat()
}

/** Chooses the route of an SMS and takes a slot; undefined where it has to wait. */
function start(
  sending: DirectSending,
  plan: RoutePlan,
  message: NewSmsMessage,
  now: Date,
): { slot: DirectSlot; start: DirectStart } | undefined {
  const country = readKnownPhone(message.phonenumber)?.country ?? null
  const connections = sending.connections()
  const route = chooseRoute(plan, connections, toRouteQuery({ ...message, country }, []))
  if (route === undefined || route === 'waits') return undefined
  // A try at a degraded connection is for an SMS that waits for it.
  if (connections.some(({ slug, is_degraded }) => slug === route.connection && is_degraded)) return undefined
  const slot = sending.takeSlot(route.connection)
  if (!slot) return undefined
  const { parts, encoding } = countParts(prepareText(prepareText(message.body) + sending.suffix))
  const { lease_end: leased_until } = slot
  const provider = {
    connection: route.connection,
    sender_id: route.sender_id,
    reference: createReferenceStart(),
    remote_id: null,
    outcome: null,
    parts,
    cost: null,
    currency: null,
    created: now,
    answers: [],
    // The row counts it.
    month: monthOf(now),
  }
  return { slot, start: { route, suffix: sending.suffix, parts, encoding, leased_until, provider } }
}

function toClaimed(message: NewSmsMessage, start: DirectStart, id: number, now: Date): ClaimedSms {
  const { organization, collection_request = null, purpose, phonenumber } = message
  return {
    id,
    organization,
    collection_request,
    purpose,
    phonenumber,
    transactional: true,
    state: 'waiting',
    queue: '',
    country: readKnownPhone(phonenumber)?.country ?? null,
    created: now,
    leased_until: start.leased_until,
    body: prepareText(prepareText(message.body) + start.suffix),
    suffix: start.suffix,
    ...start.route,
    route_attempt: 1,
    attempt: 1,
    attempts: 1,
    status_queries: 0,
    remote_id: null,
    outcome: null,
    started: now,
    valid_until: message.valid_until ?? new Date(now.getTime() + DAY_MS),
    reference: toSmsReference(start.provider.reference, id),
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000
