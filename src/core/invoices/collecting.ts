import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
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
  if (open === 0n) throw new Invalid({ state: [getMessage('invoices.nothing_to_pay', { state: invoice.state })] })
  const amount = options.amount ?? open
  if (amount > open)
    throw new Invalid({
      amount: [getMessage('invoices.only_due', { amount: `${invoice.currency} ${displayAmount(open)}` })],
    })
  const { open_request } = invoice
  if (open_request !== undefined)
    throw new Invalid({
      state: [getMessage('invoices.open_request', { request: open_request })],
    })
  const waiting = await readWaitingMoneyOf(tx, id)
  if (waiting.length > 0) throw new Invalid({ state: [whyWaiting(invoice.currency, waiting)] })
  const phone = options.phone ?? readKnownPhone(phoneOf(invoice) ?? '')
  if (!phone)
    throw new Invalid({ phonenumber: [getMessage('customers.give_phone', { reason_text: whyNoPhone(invoice) })] })
  const network = await chooseNetwork(tx, invoice, { amount, phonenumber: phone.number })
  return requestMoney(tx, now, invoice, { amount, phone, network, source: 'manual', author })
}
