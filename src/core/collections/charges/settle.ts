import type { Tx } from '../../../db/client.ts'
import {
  type LearntOrder,
  lockOrders,
  type OrderUpdate,
  scheduleOrders,
  writeOrders,
} from '../../connections/network-orders.ts'
import { reserveEvents } from '../../events/events.ts'
import { WriteConflict } from '../../write-conflict.ts'
import { enterMoney } from '../incoming-payments.ts'
import {
  lockRequests,
  type RequestTransition,
  scheduleRequests,
  toChangedEvent,
  transitionRequests,
} from '../orders.ts'
import { contactsOfRequests } from '../requests.ts'
import { buildInstructions } from '../sms.ts'
import { readOrganizations } from './attempts.ts'
import { type ChargeChange, decideCharge } from './outcomes.ts'
import { readPaidOrders } from './paid-orders.ts'

/**
 * Settles charges: stores what was learnt, changes their requests accordingly, and enters the money into the books.
 * @returns the orders before and after, in the order given
 * @throws WriteConflict when they must be settled again, in parts. This is also the case when two are about the same
 *   request, because the second one must see the effect of the first.
 */
export async function settleCharges(tx: Tx, now: Date, learnt: readonly LearntOrder[]): Promise<OrderUpdate[]> {
  const given_orders = learnt.map(({ order }) => order)
  const ids = given_orders.map(({ collection_request }) => collection_request!)
  if (new Set(ids).size < ids.length) throw new WriteConflict()
  // Sent together, and carried out in this order: the requests are locked before their orders.
  const [locked, orders, organizations, contacts, reserved] = await Promise.all([
    lockRequests(tx, ids),
    lockOrders(
      tx,
      given_orders.map(({ id }) => id),
    ),
    readOrganizations(tx, given_orders),
    contactsOfRequests(tx, ids),
    reserveEvents(tx, given_orders.map(toChangedEvent)),
  ])
  const requests = new Map(locked.map((row) => [row.id, row]))
  const changes = learnt.map((one) =>
    decideCharge(requests.get(one.order.collection_request!), orders.get(one.order.id)!, one, now),
  )
  writeOrders(tx, now, changes)
  const transitions = changes.flatMap((change, index): RequestTransition[] => {
    const { transition, after } = change
    if (!transition) return []
    const request = requests.get(after.collection_request!)!
    const { name: organization, service_user: author } = organizations.get(request.organization)!
    const { instructions: template } = learnt[index]!.network
    const details = { organization, receiver: after.receiver, prompt_sent: true, template }
    const instructions = transition.to === 'instructions_sent' ? buildInstructions(request, details) : undefined
    return [{ request, author, ...transition, ...(instructions !== undefined && { instructions }) }]
  })
  scheduleOrders(
    tx,
    now,
    changes.flatMap(({ ask_again, after }) => (ask_again ? [after.id] : [])),
  )
  const schedule = changes.flatMap(({ due_at, after }) =>
    due_at ? [{ ...requests.get(after.collection_request!)!, due_at }] : [],
  )
  // News of money has no other effect, so the writes that go together here concern different requests.
  await Promise.all([
    transitionRequests(tx, now, transitions, { contacts, organizations, reserved }),
    scheduleRequests(tx, schedule),
    enterMoneyOf(tx, now, changes),
  ])
  return changes
}

/** Enters the money of paid orders. The orders say already that they are paid. */
async function enterMoneyOf(tx: Tx, now: Date, changes: readonly ChargeChange[]): Promise<void> {
  const money = changes.flatMap(({ money }) => money ?? [])
  if (money.length > 0) await enterMoney(tx, now, await readPaidOrders(tx, money))
}
