import type { Tx } from '../../db/client.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { type Phone, readKnownPhone } from '../../lib/phone.ts'
import type { CollectionRequest } from '../collections/collection-request.ts'
import { Invalid } from '../refusals.ts'
import { openAmount, phoneOf, whyNoPhone } from './invoice.ts'
import type { ReadOptions } from './invoices.ts'
import { type ChooseNetwork, requestMoney } from './requests.ts'
import { lockSettled } from './states.ts'
import { readWaitingMoneyOf, whyWaiting } from './waiting-money.ts'

/**
 * Requests the open amount of an invoice, or a part of it, now.
 * @param options.phone the phone that is asked; the customer's unless given
 * @throws NotFound, Forbidden, Invalid if nothing is open, the amount is too large, or another request may still be
 *   paid
 */
export async function collectInvoice(
  tx: Tx,
  id: number,
  options: ReadOptions & {
    chooseNetwork: ChooseNetwork
    author: number
    amount?: Amount | undefined
    phone?: Phone | undefined
  },
): Promise<CollectionRequest> {
  const { now, chooseNetwork, author } = options
  const invoice = await lockSettled(tx, id, options)
  const open = openAmount(invoice)
  if (open === 0n) throw new Invalid({ state: [`This invoice is ${invoice.state}. There is nothing to pay.`] })
  const amount = options.amount ?? open
  if (amount > open) throw new Invalid({ amount: [`Only ${invoice.currency} ${displayAmount(open)} is still due.`] })
  const { open_request } = invoice
  if (open_request !== undefined)
    throw new Invalid({
      state: [`Collection request ${open_request} can still be paid. Cancel it, or wait until it ends.`],
    })
  const waiting = await readWaitingMoneyOf(tx, id)
  if (waiting.length > 0) throw new Invalid({ state: [whyWaiting(invoice.currency, waiting)] })
  const phone = options.phone ?? readKnownPhone(phoneOf(invoice) ?? '')
  if (!phone) throw new Invalid({ phonenumber: [`${whyNoPhone(invoice)} Give one.`] })
  const network = await chooseNetwork(tx, invoice, { amount, phonenumber: phone.number })
  return requestMoney(tx, now, invoice, { amount, phone, network, source: 'manual', author })
}
