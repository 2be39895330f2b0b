import type { CallbackRequest, Change, Charge, Payout } from '../../world/world.ts'
import type { Mark } from './signatures.ts'
import type { PawapayState, PawapaySwitches } from './switches.ts'
import { v1 } from './v1.ts'
import { v2 } from './v2.ts'
import { type OrderDetails, operationOf } from './wire.ts'

/** Maximum attempts of a callback without a 2xx answer. They take seven minutes; pawaPay itself stops after fifteen. */
const MAX_ATTEMPTS = 8

/** The callback about the end of an order, in the form of the version with which it was placed. */
export function callbackOf(order: Charge | Payout, switches: PawapaySwitches, forged: boolean): CallbackRequest[] {
  const url = switches[`${operationOf(order)}_callback_url`]
  if (url === '') return []
  const form = (order.details as OrderDetails).is_v1 ? v1 : v2
  const mark: Mark = `${forged ? 'forged' : 'genuine'} ${switches.signature_form}`
  const headers = { 'content-type': 'application/json', ...(switches.signed_callbacks && { signature: mark }) }
  return [{ url, headers, body: JSON.stringify(form.show(order, switches)), max_attempts: MAX_ATTEMPTS }]
}

/** The callbacks about a change: one when an order ends. */
export function callbacksOf(change: Change, { switches, forged }: PawapayState): CallbackRequest[] {
  const order = endedOrder(change)
  return order ? callbackOf(order, switches, forged) : []
}

function endedOrder(change: Change): Charge | Payout | undefined {
  if (change.event === 'charge.paid') return { ...change.charge, payment: change.payment }
  if (change.event === 'charge.failed') return change.charge
  return change.event === 'payout.ended' ? change.payout : undefined
}
