import { createHmac } from 'node:crypto'
import { runAction, stranger } from '../actions/run.ts'
import type { App } from '../app.ts'
import { type ChosenConnection, canCarry, findConnection, hasSeveralNetworks } from '../connections/choose.ts'
import { type AmountFault, readLinkAmount } from '../core/checkout/new-link.ts'
import { type AnswerFault, LINK_KEY, readAnswers } from '../core/checkout/own-fields.ts'
import type { LinkRow } from '../core/checkout/payment-link.ts'
import { type NewVisit, readVisitState, type VisitRefusal } from '../core/checkout/visits.ts'
import { toNewCollectionRequest } from '../core/collections/new-request.ts'
import type { NewCollectionRequest, RequestOrigin } from '../core/collections/requests.ts'
import { findNetworkNames } from '../core/contacts/lookups.ts'
import { startVisitAction } from '../core/invoices/customer-actions.ts'
import { findInvoiceOfLink } from '../core/invoices/invoices.ts'
import { INVOICE_KEY } from '../core/invoices/requests.ts'
import { countryError } from '../core/ledger/currencies.ts'
import { Invalid } from '../core/refusals.ts'
import type { Limits } from '../lib/adapter-types.ts'
import { addressGroup } from '../lib/http/address-groups.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Amount } from '../lib/money.ts'
import { type Phone, parseLocalPhone } from '../lib/phone.ts'
import type { FormTokens } from './form-tokens.ts'

/** Input of a customer, as texts. */
export interface FormValues {
  amount: string
  phone: string
  /** The answers to the link's own fields, by name. */
  fields: Record<string, string>
  /** The token of the form. */
  form: string
  /** The receipt of the payment that is tried again; empty for none. */
  previous: string
  /** Invisible field. Bots fill it in. */
  trap: string
}

export interface FormFaults {
  /** Reason for refusing the whole form. */
  form?: VisitRefusal | 'too_old' | 'not_possible'
  amount?: AmountFault | { network: string; limits: Limits }
  phone?: 'unreadable' | 'not_served'
  fields: Record<string, AnswerFault>
}

/** Read the fields of a form. Everything that is not a text counts as missing. */
export function readForm(link: LinkRow, body: unknown): FormValues {
  const given = (body ?? {}) as Record<string, unknown>
  const read = (name: string) => (typeof given[name] === 'string' ? given[name].slice(0, MAX_TEXT) : '')
  return {
    amount: read('amount'),
    phone: read('phone'),
    form: read('form'),
    previous: read('previous'),
    trap: read('website'),
    fields: Object.fromEntries(link.fields.map(({ name }) => [name, read(`field_${name}`)])),
  }
}

const MAX_TEXT = 1_000

/**
 * Send the prompt of a form, as an ordinary collection request of the organization. The same form sends one prompt,
 * however often it arrives.
 * @param address the network address of the customer
 * @param origin the HTTP request of the form
 * @returns the random part of the receipt's address, or the faults; then nothing was stored
 */
export async function startPayment(
  app: App,
  tokens: FormTokens,
  link: LinkRow,
  values: FormValues,
  { address, origin }: { address: string; origin: RequestOrigin },
): Promise<{ receipt: string } | { faults: FormFaults }> {
  if (values.trap !== '' || !tokens.isValid(link.token, values.form, app.clock.real()))
    return { faults: { form: 'too_old', fields: {} } }
  const receipt = tokens.receiptOf(values.form)
  // Whoever sends a form again, because its answer was lost, must learn of the prompt, whatever has changed meanwhile.
  if (await readVisitState(app.db, link.id, receipt)) return { receipt }
  const read = await readPayment(app, link, values)
  if ('faults' in read) return read
  const { phone, amount, answers, connection } = read
  const invoice = await findInvoiceOfLink(app.db, link.id)
  try {
    const request = { ...toRequest(app, link, { phone, amount, answers, connection }), origin }
    if (invoice) request.metadata = { ...request.metadata, [INVOICE_KEY]: invoice.id }
    const visit: NewVisit = {
      link: link.id,
      single_use: link.single_use,
      form: values.form,
      token: receipt,
      request,
      previous: values.previous || null,
      source: { phone: digestOf(app, phone.number), address: digestOf(app, addressGroup(address)) },
    }
    const result = await runAction(app, stranger(address), startVisitAction, { link, visit })
    if (typeof result === 'object') return { faults: { form: result.refused, fields: {} } }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    // Faults that a customer can correct were found above. The shop must repair the rest.
    logEvent(app.log, 'payment_link_refused', { link: link.id, error })
    return { faults: { form: 'not_possible', fields: {} } }
  }
  return { receipt }
}

interface ReadPayment {
  phone: Phone
  amount: Amount
  answers: Record<string, string>
  connection: ChosenConnection
}

/** Check everything that a customer types, so that all that is wrong is said at once. */
async function readPayment(app: App, link: LinkRow, values: FormValues): Promise<ReadPayment | { faults: FormFaults }> {
  const given = readLinkAmount(link, values.amount)
  const { answers, faults: fields } = readAnswers(link.fields, values.fields)
  const phone = parseLocalPhone(values.phone, link.country)
  const faults: FormFaults = { fields }
  if ('fault' in given) faults.amount = given.fault
  if (!phone) faults.phone = 'unreadable'
  const amount = 'amount' in given ? given.amount : undefined
  const connection = phone && connectionFor(app, link, phone, amount, await findNetworkName(app, link, phone))
  if (phone && !connection) faults.phone = 'not_served'
  if (connection && amount !== undefined && !canCarry(connection.limits, amount))
    faults.amount = { network: connection.name, limits: connection.limits }
  const is_wrong = faults.amount || faults.phone || Object.keys(fields).length > 0
  return is_wrong ? { faults } : { phone: phone!, amount: amount!, answers, connection: connection! }
}

/**
 * The connection that can prompt this phone for the link; undefined if none can.
 * @param network_name the network that knows the number as its customer, where that is known; else its prefix decides
 */
export function connectionFor(
  app: App,
  link: LinkRow,
  phone: Phone,
  amount?: Amount,
  network_name?: string,
): ChosenConnection | undefined {
  const { organization, currency, account } = link
  if (account === null && countryError(currency, phone)) return undefined
  const found = findConnection(app.connections.list(), {
    kind: 'charge',
    organization,
    phonenumber: phone.number,
    currency,
    amount,
    network_name,
    ...(account === null ? {} : { account }),
  })
  return 'slug' in found ? found : undefined
}

/** The network that has said that it knows a number, read only where several could. */
async function findNetworkName(app: App, { organization }: LinkRow, { number }: Phone): Promise<string | undefined> {
  if (!hasSeveralNetworks(app.connections.list(), organization)) return undefined
  return (await findNetworkNames(app.db, organization, [number])).get(number)
}

/** A prompt is forgotten after so long; the customer is in front of the page. Networks give them a few minutes. */
const EXPIRY = '15 minutes'

/** @throws Invalid */
function toRequest(app: App, link: LinkRow, { phone, amount, answers, connection }: ReadPayment): NewCollectionRequest {
  const can_prompt = app.connections.find(connection.slug)?.operations.charge !== undefined
  const body = {
    phonenumber: phone,
    amount,
    currency: link.currency,
    account: link.account ?? undefined,
    reason: link.title,
    metadata: { [LINK_KEY]: link.id, ...answers },
    success_message: link.success_message || undefined,
    send_instructions: true,
    // The page gives instructions. An SMS does so only where no prompt comes.
    instructions: can_prompt ? 'skip' : undefined,
    expiry_date: EXPIRY,
    // The customer presses the button again; a prompt out of nowhere would frighten people.
    max_attempts: 0,
    ...NOT_GIVEN,
  }
  return toNewCollectionRequest(body, {
    now: app.clock.now(),
    organization: link.organization,
    author: link.author,
    network: connection,
  })
}

const NOT_GIVEN = {
  first_name: undefined,
  last_name: undefined,
  start_date: undefined,
  retry_interval_minutes: undefined,
  subscription_settings: undefined,
}

/** A keyed digest, by which prompts are counted: it can be compared, and says nothing about the person. */
function digestOf(app: App, value: string): Buffer {
  return createHmac('sha256', app.deriveSecret('payment link prompts')).update(value).digest()
}
