import { type AnyEffect, type Effect, type Query, together, type Work } from '../../../db/unit-of-work.ts'
import type { IncomingPaymentReport } from '../../connections/destinations.ts'
import { dueOrders, type LearntOrder, lockedOrders, orderUpdates } from '../../connections/network-orders.ts'
import type { Contact } from '../../contacts/contacts.ts'
import { eventIds } from '../../events/events.ts'
import { enterMoney } from '../incoming-payments.ts'
import { lockedRequests, organizations, requestSchedules, requestTransitions } from '../orders.ts'
import { readContactsOfRequests } from '../requests.ts'
import { buildInstructions } from '../sms.ts'
import { type ChargeChange, decideCharge } from './outcomes.ts'
import { readPaidOrders } from './paid-orders.ts'

/**
 * Settles a charge: stores what was learnt, changes its request accordingly, and enters the money into the books.
 * @throws WriteConflict when it must be settled again. This is also the case when two are about the same request
 */
export async function settleCharge(work: Work, learnt: LearntOrder): Promise<ChargeChange> {
  const { id, organization, collection_request } = learnt.order
  const request_id = collection_request!
  // In the order of the locks.
  const { request, order, owner, contact, event_id } = await together({
    request: work.lock(lockedRequests, request_id),
    order: work.lock(lockedOrders, id),
    owner: work.load(organizations, organization),
    contact: work.load(contactsOfRequests, request_id),
    event_id: work.load(eventIds, learnt),
  })
  const change = decideCharge(request, order, learnt, work.now)
  work.add(orderUpdates, change)
  const { transition, ask_again, due_at, money, after } = change
  if (transition) {
    const { name, service_user: author } = owner
    const { instructions: template } = learnt.network
    const details = { organization: name, receiver: after.receiver, prompt_sent: true, template }
    const instructions = transition.to === 'instructions_sent' ? buildInstructions(request, details) : undefined
    work.add(requestTransitions, {
      request,
      author,
      contact,
      owner,
      event_id,
      ...transition,
      ...(instructions !== undefined && { instructions }),
    })
  }
  if (ask_again) work.add(dueOrders, id)
  if (due_at) work.add(requestSchedules, { ...request, due_at })
  if (money) work.add(moneyOfOrders, money)
  return change
}

/** The contact of a request never changes, so that it is read together with the lock. */
const contactsOfRequests: Query<number, Contact> = { read: readContactsOfRequests }

/** Money of paid orders, for the books. The orders say already that they are paid. */
const moneyOfOrders: Effect<IncomingPaymentReport> = {
  async write(tx, now, money) {
    await enterMoney(tx, now, await readPaidOrders(tx, money))
  },
}

/**
 * The effects of charges, in the order in which they are written. News of money has no other effect, so money concerns
 * other requests than the transitions.
 */
export const chargeEffects: readonly AnyEffect[] = [
  orderUpdates,
  dueOrders,
  requestTransitions,
  requestSchedules,
  moneyOfOrders,
]
