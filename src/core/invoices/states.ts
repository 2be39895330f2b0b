import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { recordInvoiceEvent } from './events.ts'
import type { InvoiceRow, LockedInvoice } from './invoice.ts'
import { lockInvoice, type ReadOptions, readInvoices, readMoney } from './invoices.ts'
import { closePayLinks } from './pay-links.ts'
import { nextReminder } from './reminder-days.ts'
import { findOpenRequest } from './requests.ts'
import { reviseWaitingSms } from './waiting-sms.ts'

/** Author of a change of an invoice, and the public address. `user` is null for an operator. */
export type StateOptions = ReadOptions & { user: number | null }

/**
 * Voids an issued invoice: nothing asks for its money any more. It keeps its number.
 * @throws NotFound, Invalid if it is not issued, money arrived that was not refunded, or a request may still be paid
 */
export async function voidInvoice(
  tx: Tx,
  id: number,
  { user, reason, ...options }: StateOptions & { reason: string },
): Promise<void> {
  const invoice = await lockSettled(tx, id, options)
  const { state, amount_paid, amount_refunded, open_request } = invoice
  if (state === 'draft') throw new Invalid({ state: [getMessage('invoices.delete_instead')] })
  if (state === 'void') throw new Invalid({ state: [getMessage('invoices.already_void')] })
  if (amount_paid > amount_refunded) throw new Invalid({ state: [getMessage('invoices.refund_first')] })
  if (open_request !== undefined)
    throw new Invalid({
      state: [getMessage('invoices.open_request', { request: open_request })],
    })
  const at = truncateToSecond(options.now)
  await tx`
    update invoices set state = 'void', voided = ${at}, void_reason = ${reason}, due_at = null, leased_until = null,
      modified = ${at}, updated_by = ${user}
    where id = ${id}`
  await closePayLinks(tx, id)
  await reviseWaitingSms(tx, { ...invoice, state: 'void' }, options.base_url)
  await recordInvoiceEvent(tx, id, 'invoice.voided', options)
}

/**
 * Locks an invoice and counts its money, so that later steps decide on the present state. Open requests are looked for
 * before the money is counted: if one is paid in between, its money is counted.
 * @throws NotFound
 */
export async function lockSettled(tx: Tx, id: number, options: ReadOptions): Promise<LockedInvoice> {
  const locked = await lockInvoice(tx, id)
  if (!locked) throw new NotFound(getMessage('invoices.none', { id }))
  const open_request = await findOpenRequest(tx, id)
  const settled = await countMoney(tx, locked, options)
  return { ...settled, open_request }
}

/**
 * Counts the money of a locked invoice. When the sum is reached it is paid, when less has arrived it is partly paid; when a
 * network takes money back it is issued again. A refund opens nothing: the customer is never asked for money that the
 * organization gave back.
 */
export async function countMoney(tx: Tx, invoice: InvoiceRow, options: ReadOptions): Promise<InvoiceRow> {
  const { id, state, total } = invoice
  if (state === 'draft') return invoice
  const money = await readMoney(tx, id)
  const is_reached = money.amount_paid >= total
  const next = state === 'void' ? state : is_reached ? 'paid' : 'issued'
  const names = ['amount_paid', 'amount_reversed', 'amount_refunded'] as const
  if (next === state && names.every((name) => money[name] === invoice[name])) return invoice
  const at = truncateToSecond(options.now)
  const reopened = state === 'paid' && next === 'issued'
  const due_at = next !== 'issued' ? null : reopened ? nextReminder(invoice, options.now) : invoice.due_at
  await tx`
    update invoices set state = ${next}, amount_paid = ${money.amount_paid}, amount_reversed = ${money.amount_reversed},
      amount_refunded = ${money.amount_refunded}, due_at = ${due_at}, modified = ${at},
      paid = ${state === 'issued' && next === 'paid' ? at : invoice.paid}
    where id = ${id}`
  if (next === 'paid' && state === 'issued') {
    await closePayLinks(tx, id)
    await recordInvoiceEvent(tx, id, 'invoice.paid', options)
  }
  if (reopened) await recordInvoiceEvent(tx, id, 'invoice.reopened', options)
  if (next === 'issued' && money.amount_paid > invoice.amount_paid)
    await recordInvoiceEvent(tx, id, 'invoice.partly_paid', options)
  const [settled] = await readInvoices(tx, [id])
  await reviseWaitingSms(tx, settled!, options.base_url)
  return settled!
}
