import type { CallbackFault, CallbackRequest, Change, Charge, Payment, Payout } from './world.ts'

/** A callback on its way into the table. */
export interface QueuedCallback extends CallbackRequest {
  door: string
  /** The order that it reports. */
  about: string | null
  /** True if the callback waits for the next one about the same order. */
  held: boolean
}

/** A held callback is sent after this time, if no other callback about the order lets it go earlier. */
const HELD_S = 3_600

/** Return true if the fault changes the callback's content. */
export function hasContentFault({ kind }: CallbackFault): boolean {
  return kind === 'forged' || kind.startsWith('other_')
}

/** Apply a fault to callbacks: drop, delay, hold or repeat them. */
export function withFault(callbacks: QueuedCallback[], { kind, seconds }: CallbackFault): QueuedCallback[] {
  if (kind === 'never') return []
  if (kind === 'twice') return [...callbacks, ...callbacks]
  if (kind === 'late') return callbacks.map((callback) => ({ ...callback, after_s: seconds }))
  if (kind === 'out_of_order') return callbacks.map((callback) => ({ ...callback, after_s: HELD_S, held: true }))
  if (kind === 'put' || kind === 'post')
    return callbacks.map((callback) => ({ ...callback, method: kind === 'put' ? 'PUT' : 'POST' }))
  return callbacks
}

/** The change as a callback that lies reports it. A forged one claims money for an order that has failed. */
export function toFaulty(change: Change, { kind }: CallbackFault): Change {
  if (kind === 'forged') return toForged(change)
  const alter = <Order extends Charge | Payout>(order: Order): Order => ({ ...order, ...otherMoney(order, kind) })
  if ('payout' in change) return { ...change, payout: alter(change.payout) }
  if (change.event === 'charge.failed') return { ...change, charge: alter(change.charge) }
  const payment: Payment = { ...change.payment, ...otherMoney(change.payment, kind) }
  if (change.event === 'payment.received') return { ...change, payment }
  if (change.event === 'charge.paid') return { ...change, payment, charge: { ...alter(change.charge), payment } }
  return { ...change, payment, charge: change.charge && { ...alter(change.charge), payment } }
}

const ONE_UNIT = 10_000n

function otherMoney(money: Charge | Payout | Payment, kind: CallbackFault['kind']) {
  if (kind === 'other_amount') return { amount: money.amount + ONE_UNIT }
  if (kind === 'other_currency') return { currency: money.currency === 'USD' ? 'EUR' : 'USD' }
  if (kind === 'other_receiver') return 'sender' in money ? { sender: '999999' } : { receiver: '999999' }
  // Name an order that does not exist.
  const key = otherReference('key' in money ? money.key : (money.order ?? ''))
  if ('key' in money)
    return { key, reference: otherReference(money.reference), remote_id: otherReference(money.remote_id) }
  return money.order === null ? { remote_id: otherReference(money.remote_id) } : { order: key }
}

/** A reference of the same form: its letters and digits in the opposite order. */
function otherReference(reference: string): string {
  const characters = [...reference.replaceAll(/[^0-9A-Za-z]/g, '')].reverse()
  return reference.replaceAll(/[0-9A-Za-z]/g, () => characters.shift()!)
}

function toForged(change: Change): Change {
  if (change.event === 'charge.failed') {
    const { charge } = change
    const payment: Payment = {
      remote_id: '9999999999',
      door: charge.door,
      status: 'successful',
      receiver: charge.receiver,
      phonenumber: charge.phonenumber,
      amount: charge.amount,
      currency: charge.currency,
      order: charge.key,
      reference: null,
      name: 'Nobody',
      reversals: [],
      refunded: 0n,
      details: {},
      paid_at: charge.created,
    }
    return { event: 'charge.paid', payment, charge: { ...charge, state: 'paid', failure: null, payment } }
  }
  if (change.event === 'payout.ended' && change.payout.state === 'failed')
    return { ...change, payout: { ...change.payout, state: 'paid', failure: null, transaction: '9999999999' } }
  return change
}
