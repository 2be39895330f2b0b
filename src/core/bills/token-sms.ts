import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import { toInternational } from '../../lib/phone.ts'
import { countParts, prepareText } from '../../lib/sms-text.ts'
import { id, timestamp } from '../fields.ts'
import { Invalid } from '../refusals.ts'
import { smsSuffix } from '../sms/message.ts'
import { type NewSmsMessage, queueSms } from '../sms/outbox.ts'
import { findPurchasesById, type Purchase } from './purchases.ts'
import { nameServices } from './service-names.ts'

/** Settings of the selling organization for the SMS with a token. */
export interface TokenSender {
  name: string
  /** True if its customers get their tokens when a purchase does not say. */
  send_bill_tokens: boolean
}

/**
 * Queues the SMS with the tokens of successful prepaid purchases, in the transaction that records the success. The
 * purchase decides if the customer gets it; without a word there, its organization decides. A purchase has at most one
 * such SMS.
 * @param senders the organizations of the purchases, by id
 */
export async function queueTokens(
  tx: Tx,
  now: Date,
  ended: readonly Purchase[],
  senders: ReadonlyMap<number, TokenSender>,
): Promise<void> {
  const sent = ended.filter(
    ({ status, vended, send_token, organization, phone }) =>
      status === 'success' &&
      vended?.token &&
      (send_token ?? senders.get(organization)!.send_bill_tokens) &&
      toInternational(phone) !== undefined,
  )
  if (sent.length === 0) return
  const messages = (await nameServices(tx, sent)).map((purchase): NewSmsMessage => {
    const { id, organization, phone } = purchase
    const body = buildTokenText(purchase, senders.get(organization)!.name)
    return { organization, bill_purchase: id, purpose: 'goods', phonenumber: toInternational(phone)!, body }
  })
  await queueSms(tx, now, messages)
}

/**
 * Queues the SMS with the token of a purchase because a person asks for it.
 * @throws Invalid if the purchase has no token, its phone gets no SMS, or it has its SMS already
 */
export async function sendTokenNow(tx: Tx, now: Date, purchase: number): Promise<void> {
  await tx`select id from bill_purchases where id = ${purchase} for update`
  const bought = (await findPurchasesById(tx, [purchase])).get(purchase)
  if (bought?.status !== 'success' || !bought.vended?.token)
    throw new Invalid({ token: [getMessage('sms.purchase_no_token')] })
  if (toInternational(bought.phone) === undefined) throw new Invalid({ phone: [getMessage('sms.phone_number_gets')] })
  if ((await listGoodsSms(tx, purchase)).length > 0)
    throw new Invalid({ token: [getMessage('sms.token_exists_already')] })
  const senders = await tx<(TokenSender & { id: number })[]>`
    select id, name, send_bill_tokens from organizations where id = ${bought.organization}`
  await queueTokens(tx, now, [{ ...bought, send_token: true }], new Map(senders.map((one) => [one.id, one])))
}

/**
 * Builds the text with the service and the token of a purchase, in groups of four digits. Tokens that must be entered
 * before it come along. The service is left out if its name makes it one SMS more.
 */
export function buildTokenText(
  sold: Pick<Purchase, 'account_number' | 'amount' | 'currency' | 'vended'> & { service_name: string },
  organization: string,
): string {
  const { service_name, account_number, amount, currency, vended } = sold
  const { token, amount_of_power, more } = vended!
  const first = [more.resetToken, more.configureToken].filter((one) => typeof one === 'string' && one !== '')
  const before =
    first.length === 0 ? '' : ` Enter first: ${first.map((one) => inGroups(one as string)).join(', then ')}.`
  const power = amount_of_power === null ? '' : ` (${amount_of_power})`
  const paid = `${currency} ${displayAmount(amount)}`
  const text = `Token for meter ${account_number}: ${inGroups(token!)}${power}.${before} ${paid} paid at ${organization}.`
  const named = `${service_name}. ${text}`
  return countSent(named) > countSent(text) ? text : named
}

/** Counts the SMS of a text with the suffix of every SMS, for a service name of up to 20 letters. */
function countSent(text: string): number {
  return countParts(prepareText(text + smsSuffix('x'.repeat(USUAL_NAME_LENGTH)))).parts
}

const USUAL_NAME_LENGTH = 20

/** Writes digits in groups of four, as people type them: `0123 4567 8901 2345 6789`. */
export function inGroups(token: string): string {
  return token.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')
}

/** SMS with the goods of a customer, as the console and the CLI show it. */
export const GoodsSms = z.object({
  id,
  phonenumber: z.string(),
  body: z.string(),
  state: z.string(),
  /** The connection of the last attempt. */
  sender: z.string().nullable(),
  last_error: z.string().nullable(),
  created: timestamp,
  sent_at: timestamp.nullable(),
})
export type GoodsSms = z.output<typeof GoodsSms>

export function listGoodsSms(db: AnyReader, purchase: number): Promise<GoodsSms[]> {
  return db<GoodsSms[]>`
    select id, phonenumber, body, state, sender, last_error, created, sent_at from sms_messages
    where bill_purchase = ${purchase} order by id`
}
