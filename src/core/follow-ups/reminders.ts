import type { Reader, Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { getOrganization } from '../access/organizations.ts'
import type { ChargeConnection, ChargeConnections } from '../collections/charges/attempts.ts'
import { isOpen, type RequestRow } from '../collections/collection-request.ts'
import { lastOrders, lockRequests } from '../collections/orders.ts'
import { buildInstructions } from '../collections/sms.ts'
import { isPaid, listOrdersOf, type NetworkOrder } from '../connections/network-orders.ts'
import { openAmount } from '../invoices/invoice.ts'
import { findInvoiceOfRequest, readInvoices } from '../invoices/invoices.ts'
import { readWaitingMoneyOf, whyWaiting } from '../invoices/waiting-money.ts'
import { receiversOf } from '../ledger/accounts.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { insertRequestAction, type RequestAction, readActions } from '../request-actions.ts'
import { endOfQuietHours, type QuietHours, readCountryRules, withQuietHours } from '../sms/country-rules.ts'
import { queueSms } from '../sms/outbox.ts'

/** Limits for asking a customer again. */
export interface ReminderLimits {
  /** Maximum number of SMS with reminders, and of SMS with links, for one request. */
  max_per_request: number
  /** The shortest time between two of them, in minutes. */
  interval_minutes: number
  /** The hours of the customer's clock without reminders, where the country has no rule of its own; null for none. */
  quiet_hours: QuietHours | null
}

/** Author of an action, and its request. */
export interface ActionInput {
  request: number
  author: number
  /** Reason in the author's words; may be empty. */
  comment: string
}

/**
 * Reminds the customer of an open request: sends the instructions again by SMS. It brings the next prompt forward if
 * the last one has ended and another one is to come. The job of the requests makes one more status query before it
 * sends that prompt, so a customer never has two.
 * @throws NotFound, Invalid with the reason why no reminder is sent
 */
export async function remindCustomer(
  tx: Tx,
  now: Date,
  input: ActionInput & { limits: ReminderLimits; connections: Pick<ChargeConnections, 'find'> },
): Promise<RequestAction> {
  const { author, comment, limits, connections } = input
  const request = await lockStarted(tx, now, input.request)
  const { id, organization, phonenumber, expiry_date: valid_until } = request
  const number = await requireTurn(tx, now, request, 'reminder', limits)
  const order = (await lastOrders(tx, [request])).get(request)
  const connection = connections.find(request.connection)
  const prompt = request.send_instructions && connection?.can_prompt === true && hasEnded(order)
  const body = await instructionsFor(tx, request, order, connection)
  if (body === undefined && !prompt) throw refuse(getMessage('requests.nothing_to_send'))
  const reminder = { organization, collection_request: id, purpose: 'reminder' as const, number, phonenumber }
  const [sms] = body === undefined ? [] : await queueSms(tx, now, [{ ...reminder, ...PERSONAL, body, valid_until }])
  if (prompt)
    await Promise.all([
      tx`update collection_requests set prompt_again_at = ${now} where id = ${id}`,
      tx`update open_collection_requests set due_at = ${now} where collection_request = ${id}`,
    ])
  const action = { kind: 'reminder' as const, sms_message: sms, prompt }
  return insertRequestAction(tx, now, { organization, collection_request: id, author, comment, ...action })
}

/** A person sends it; it does not answer an act of the customer. So STOP and quiet hours count. */
export const PERSONAL = { transactional: false }

/** The request must have started, and its customer must owe the money. @throws NotFound, Invalid */
async function lockStarted(tx: Tx, now: Date, id: number): Promise<RequestRow> {
  const [request] = await lockRequests(tx, [id])
  if (!request) throw new NotFound(getMessage('requests.none', { id }))
  if (!isOpen(request)) throw refuse(getMessage('requests.already', { id, status: request.status }))
  if (request.status === 'pending') throw refuse(getMessage('requests.not_started', { id }))
  if (request.expiry_date <= now) throw refuse(getMessage('requests.past_its_expiry', { id }))
  if ((await listOrdersOf(tx, { collection_request: id })).some(isPaid))
    throw refuse(getMessage('requests.customer_paid'))
  await requireOwed(tx, request)
  return request
}

/** Money for an invoice also comes without its request. @throws Invalid if less is open, or money waits for a match */
async function requireOwed(tx: Tx, { id, amount }: RequestRow): Promise<void> {
  const of_request = await findInvoiceOfRequest(tx, id)
  if (of_request === undefined) return
  const [waiting, [invoice]] = await Promise.all([readWaitingMoneyOf(tx, of_request), readInvoices(tx, [of_request])])
  const { currency } = invoice!
  if (waiting.length > 0) throw refuse(whyWaiting(currency, waiting))
  const open = openAmount(invoice!)
  if (open < amount) throw refuse(getMessage('invoices.only_due', { amount: `${currency} ${displayAmount(open)}` }))
}

/** True if the network has said that the last prompt is over, so that another one may follow. */
function hasEnded(order: NetworkOrder | undefined): boolean {
  return order !== undefined && (order.state === 'failed' || order.state === 'not_sent')
}

async function instructionsFor(
  tx: Tx,
  request: RequestRow,
  order: NetworkOrder | undefined,
  connection: ChargeConnection | undefined,
): Promise<string | undefined> {
  const { account, connection: slug } = request
  const numbers = await receiversOf(tx, [account])
  const receiver = order?.receiver ?? numbers.get(`${slug}:${account}`)
  if (receiver === undefined) return undefined
  const { name: organization } = await getOrganization(tx, request.organization)
  const prompt_sent = order?.prompt === true
  return buildInstructions(request, { organization, receiver, prompt_sent, template: connection?.instructions })
}

/**
 * Checks how often the customer was asked already, and when. The caller has locked the request, so that two people who
 * ask at once follow each other.
 * @returns the number of the next SMS of this kind
 * @throws Invalid with the reason why no SMS is sent now
 */
export async function requireTurn(
  tx: Tx,
  now: Date,
  request: Pick<RequestRow, 'id' | 'phonenumber'>,
  kind: 'reminder' | 'payment_link',
  limits: ReminderLimits,
): Promise<number> {
  const asked = (await readActions(tx, { request: request.id })).filter(
    (action) =>
      action.collection_request === request.id && (action.kind === 'reminder' || action.kind === 'payment_link'),
  )
  const count = asked.filter((action) => action.kind === kind).length
  if (count >= limits.max_per_request)
    throw refuse(
      kind === 'reminder'
        ? getMessage('requests.many_reminders', { count })
        : getMessage('requests.many_links', { count }),
    )
  const last = asked.at(-1)
  const next = new Date((last?.created.getTime() ?? 0) + limits.interval_minutes * 60_000)
  if (next > now) throw refuse(getMessage('requests.asked_recently', { time: formatTimestamp(next) }))
  const quiet_until = await endOfQuiet(tx, now, request.phonenumber, limits)
  if (quiet_until) throw refuse(getMessage('requests.night', { time: formatTimestamp(quiet_until) }))
  return count + 1
}

/**
 * Returns the end of the quiet hours in the customer's country; undefined outside of them, and for a country without a
 * clock.
 */
async function endOfQuiet(
  db: Reader,
  now: Date,
  phonenumber: string,
  { quiet_hours }: ReminderLimits,
): Promise<Date | undefined> {
  const rule = (await readCountryRules(db)).get(readKnownPhone(phonenumber)?.country ?? '')
  return endOfQuietHours(rule && withQuietHours(rule, quiet_hours), now)
}

/** A refusal because of the state of the request. */
export function refuse(message: string): Invalid {
  return new Invalid({ collection_request: [message] })
}
