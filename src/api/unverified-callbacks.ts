import { createBatchedWrite } from '../actions/batched-calls.ts'
import type { App } from '../app.ts'
import { hourOf, secondsToNextHour, spendCallbackBudget } from '../core/connections/callback-budget.ts'
import { type NewCallback, storeCallbacks } from '../core/connections/callbacks.ts'
import { Throttled } from '../core/refusals.ts'
import { begin, type Tx } from '../db/client.ts'
import { redactCallback } from '../drivers/redact.ts'
import { addressGroup } from '../lib/http/address-groups.ts'
import { getMessage } from '../lib/messages/message.ts'
import { toStorableText } from '../lib/storable-text.ts'
import type { OrderName } from '../networks/callbacks.ts'
import { namedOrder, type ReceivedCallback, summarizeCallback } from './raw-callbacks.ts'

/** Longer references and ids are none of ours or of a network. */
const MAX_REFERENCE_LENGTH = 200

/** Prefix for budgets of unreadable callbacks: strangers must not use up a network's budget. */
const UNREAD_SENDERS = 'unread '

interface UnverifiedCallback {
  row: NewCallback
  /** Sender whose budget it needs; undefined for none. */
  sender: string | undefined
}

/**
 * Make the write of unverified callbacks, which anyone can send. What is stored in an hour is limited, for each sender
 * and for all together (the settings UNVERIFIED_CALLBACK…). They have batches of their own, so that verified ones do
 * not wait for them.
 * @returns a write that ends with the id of the callback when it is on disk, and throws Throttled when the budget of
 * its
 *   sender or of all senders is used up
 */
export function createUnverifiedWriter(
  app: App,
  max_wait_ms: number,
): (received: ReceivedCallback, address: string | undefined) => Promise<number> {
  /** The senders whose budget is used up, in this hour. They are refused without asking the database. */
  let exceeded = { hour: 0, senders: new Set<string>() }
  const exceededNow = () => {
    const hour = hourOf(app.clock.real()).getTime()
    if (exceeded.hour !== hour) exceeded = { hour, senders: new Set() }
    return exceeded.senders
  }
  const write = createBatchedWrite(
    app,
    async (items: UnverifiedCallback[]) => {
      const real = app.clock.real()
      const { refused, ids } = await begin(app.db, (tx) => storeWithinBudget(tx, app, real, items))
      for (const sender of refused.values()) exceededNow().add(sender)
      return items.map((item) =>
        refused.has(item)
          ? { ok: false as const, error: new Throttled(secondsToNextHour(real)) }
          : { ok: true as const, value: ids.get(item)! },
      )
    },
    max_wait_ms,
  )
  return async (received, address) => {
    const pool = received.parsed ? '' : UNREAD_SENDERS
    const sender = address === undefined ? undefined : pool + addressGroup(address)
    if (sender !== undefined && (exceededNow().has(sender) || exceededNow().has(pool)))
      throw new Throttled(secondsToNextHour(app.clock.real()))
    return write({ row: toRow(received, received.address), sender })
  }
}

/**
 * Store the callbacks that their budgets allow. Returns whose budget refuses the others, and the ids of those stored.
 */
async function storeWithinBudget(tx: Tx, { config, clock }: App, real: Date, items: readonly UnverifiedCallback[]) {
  const counted = items.flatMap((item) => (item.sender === undefined ? [] : [{ item, sender: item.sender }]))
  const costs = counted.map(({ item: { row }, sender }) => ({
    sender,
    all: sender.startsWith(UNREAD_SENDERS) ? UNREAD_SENDERS : '',
    bytes: Buffer.byteLength(row.body) + (row.bytes?.length ?? 0) + JSON.stringify(row.headers).length,
  }))
  const results = await spendCallbackBudget(tx, real, costs, {
    sender: {
      callbacks: config.UNVERIFIED_CALLBACKS_PER_SENDER,
      bytes: config.UNVERIFIED_CALLBACK_KB_PER_SENDER * 1_024,
    },
    all: { callbacks: config.UNVERIFIED_CALLBACKS_PER_HOUR, bytes: config.UNVERIFIED_CALLBACK_KB_PER_HOUR * 1_024 },
  })
  const refused = new Map<UnverifiedCallback, string>()
  for (const [index, { item, sender }] of counted.entries()) {
    const result = results[index]
    if (result) refused.set(item, result === 'all' ? costs[index]!.all : sender)
  }
  const allowed = items.filter((item) => !refused.has(item))
  const stored = await storeCallbacks(
    tx,
    clock.now(),
    allowed.map(({ row }) => row),
  )
  return { refused, ids: new Map(allowed.map((item, index) => [item, stored[index]!])) }
}

function toRow(given: ReceivedCallback, address: string | null): NewCallback {
  const received = redactCallback(given, given.network.driver.secret_fields)
  const { network, method, path, query, headers, body, bytes, parsed, error } = received
  const base = { network: network.code, connection: network.slug, method, path, query, verified: false, address }
  // It may be signed, and a later version may read it. So it is kept whole.
  if (!parsed) {
    const note = `The connector failed: ${error instanceof Error ? error.message : String(error)}`
    return { ...base, headers, body, bytes, state: 'failed', note }
  }
  // The payer's text and the ids of the money are used after the network's answer, so they are not cut off. Only the
  // network can send them: to an address that it alone knows, or from its own.
  const is_used = ('has_ids' in parsed && parsed.has_ids) || 'account_number' in parsed
  const summary = is_used ? { headers, body, bytes } : summarizeCallback(received)
  if (parsed.subject === 'unrecognized') return { ...base, ...summary, state: 'ignored', note: parsed.message }
  const { subject } = parsed
  if (subject === 'balance')
    return { ...base, ...summary, state: 'ignored', note: getMessage('callbacks.callback_not_signed') }
  const reference = parsed.subject === 'order' ? nameOf(parsed.order) : parsed.remote_id
  if (reference.length > MAX_REFERENCE_LENGTH || toStorableText(reference) !== reference)
    return { ...base, ...summary, state: 'ignored', note: 'No order and no transaction can have this reference.' }
  const order_reference = namedOrder(given)
  return { ...base, ...summary, subject, reference, order_reference, state: 'waiting', note: null }
}

const nameOf = (order: OrderName) => ('reference' in order ? order.reference : order.remote_id)
