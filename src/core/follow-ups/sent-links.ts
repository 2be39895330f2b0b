import type { Tx } from '../../db/client.ts'
import { displayAmount } from '../../lib/money.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { getOrganization } from '../access/organizations.ts'
import { toNewPaymentLink } from '../checkout/new-link.ts'
import { linkUrl, type PaymentLink, withUrl } from '../checkout/payment-link.ts'
import { createPaymentLink } from '../checkout/payment-links.ts'
import { shortenReason } from '../collections/sms.ts'
import { currencyCountries } from '../ledger/currencies.ts'
import { insertRequestAction } from '../request-actions.ts'
import { queueSms } from '../sms/outbox.ts'
import { type ActionInput, PERSONAL, type ReminderLimits, requireTurn } from './reminders.ts'
import { lockRetryable } from './retries.ts'

/** Lifetime of the link, unless the caller says otherwise. */
const DEFAULT_EXPIRY = '7 days'
const MAX_TITLE_CHARACTERS = 100

/**
 * Creates a payment link for one use with the amount of a failed or expired request, and sends its address by SMS.
 * Anyone who has the address can pay, from any phone.
 * @param input.expiry_date the time when the link stops, as text; in seven days unless given
 * @param input.base_url the public address of the service
 * @throws NotFound, Invalid with the reason why no link is sent
 */
export async function sendPaymentLink(
  tx: Tx,
  now: Date,
  input: ActionInput & { limits: ReminderLimits; base_url: string; expiry_date?: string | undefined },
): Promise<PaymentLink> {
  const { author, comment, limits, base_url, expiry_date = DEFAULT_EXPIRY } = input
  const request = await lockRetryable(tx, now, input.request)
  const { id, organization, phonenumber, amount, currency, account, reason, success_message } = request
  const number = await requireTurn(tx, now, request, 'payment_link', limits)
  const { name } = await getOrganization(tx, organization)
  const title = [...(reason.trim() || name)].slice(0, MAX_TITLE_CHARACTERS).join('')
  const known = Object.values(currencyCountries)
  const country = known.find((one) => one === readKnownPhone(phonenumber)?.country)
  const body = { title, amount, currency, account, country, single_use: true, expiry_date, success_message }
  const link = await createPaymentLink(tx, now, { organization, user: author }, toNewPaymentLink(body, now))
  const purpose = shortenReason(reason)
  const text = `Pay ${currency} ${displayAmount(amount)} to ${name}${purpose && ` for ${purpose}`}: ${linkUrl(base_url, link.token)}`
  const sms = { organization, collection_request: id, purpose: 'payment_link' as const, number, phonenumber }
  const [sent] = await queueSms(tx, now, [{ ...sms, ...PERSONAL, body: text, valid_until: link.expiry_date }])
  const action = { kind: 'payment_link' as const, sms_message: sent, payment_link: link.id }
  await insertRequestAction(tx, now, { organization, collection_request: id, author, comment, ...action })
  return withUrl(link, base_url)
}
