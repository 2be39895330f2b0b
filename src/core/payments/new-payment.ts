import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Limits } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, countDecimals, formatAmount } from '../../lib/money.ts'
import type { Phone } from '../../lib/phone.ts'
import { isObject, type JsonObject, parseObjectList } from '../../lib/structured-input.ts'
import { isTimestamp, parseTimestamp } from '../../lib/time.ts'
import type { ConnectionRef, NoNetwork } from '../connections/destinations.ts'
import {
  booleanField,
  choiceError,
  documented,
  fieldMessages,
  integer,
  metadata,
  optional,
  optionalName,
  phonenumber,
  positiveAmount,
  requiredText,
  text,
} from '../fields.ts'
import type { Account } from '../ledger/accounts.ts'
import { countryError, currencyCountries, decimalsError } from '../ledger/currencies.ts'
import { type FieldErrors, Forbidden, Invalid } from '../refusals.ts'
import type { NewPayment, NewRecipient } from './create.ts'
import { paymentTypes } from './payments.ts'

const INVALID_START_DATE = getMessage('payments.date')
/** Maximum number of recipients: they fit into a body of 1 MB with space for metadata, and into one transaction. */
const MAX_RECIPIENTS = 1_000
const MAX_AMOUNT: Amount = 9_999_999_999_999_999_999n

const personFields = {
  first_name: optionalName('Default `Anonymous`.', 'Jane'),
  last_name: optionalName('Default `Contact`.', 'Doe'),
  national_id: optional(documented(text(100), 'Number of an identity document of the recipient.', 'CM12345')),
  national_id_type: optional(choiceField(['national', 'passport', 'military'], 'Type of the identity document.')),
}

/** Row of `recipient_data`. */
const Recipient = z.object({
  phonenumber,
  amount: optional(positiveAmount),
  description: optional(text(500)),
  metadata: optional(metadata),
  ...personFields,
})

/** The rows of `recipient_data` that are valid, and the errors of the others. */
class CheckedRecipients {
  readonly rows: z.output<typeof Recipient>[] = []
  readonly errors: string[] = []

  add(row: JsonObject | undefined, index: number): void {
    if (!row) {
      this.errors.push(getMessage('payments.row_no_object', { row: index }))
      return
    }
    const { data, error } = Recipient.safeParse(row)
    if (data) this.rows.push(data)
    for (const { path, message } of error?.issues ?? []) this.errors.push(rowError(index, path.join('.'), message))
  }
}

/** The rows of `recipient_data` that are to be checked, or the error of the whole list. */
function readRows(input: unknown): (JsonObject | undefined)[] | string {
  const rows = parseObjectList(input) ?? []
  if (rows.length === 0) return getMessage('payments.no_list')
  return rows.length > MAX_RECIPIENTS ? getMessage('payments.many_recipients', { max: MAX_RECIPIENTS }) : rows
}

/** A thousand rows take a tenth of a second and more, in which the process does nothing else. */
const ROWS_PER_TURN = 50

/**
 * Checks the rows of a body's `recipient_data` before the rest of the body. It takes some rows in each turn of the
 * event loop, so that other requests are answered meanwhile. It replaces them in the body with its result, which
 * `newPaymentBody` then takes over.
 * @param body any parsed body; anything but a list of recipients stays as it is
 */
export async function checkRecipientRows(body: unknown): Promise<void> {
  if (!isObject(body) || !body.recipient_data) return
  const rows = readRows(body.recipient_data)
  if (typeof rows === 'string') return
  const checked = new CheckedRecipients()
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % ROWS_PER_TURN === 0) await setImmediate()
    checked.add(row, index)
  }
  body.recipient_data = checked
}

function checkAllRows(input: unknown): CheckedRecipients {
  if (input instanceof CheckedRecipients) return input
  const checked = new CheckedRecipients()
  const rows = readRows(input)
  if (typeof rows === 'string') checked.errors.push(rows)
  else for (const [index, row] of rows.entries()) checked.add(row, index)
  return checked
}

const recipientData = z
  .unknown()
  .transform((input, context): z.output<typeof Recipient>[] => {
    const { rows, errors } = checkAllRows(input)
    for (const message of errors) context.addIssue({ code: 'custom', message })
    return rows
  })
  .meta({
    type: ['array', 'string'],
    description:
      'Many recipients: a list of objects, or a JSON text of it. Each has `phonenumber`, and `amount`, `description`, `metadata`, `first_name`, `last_name`, `national_id` and `national_id_type` where they differ from the payment. One invalid row makes the whole request invalid.',
    examples: [[{ phonenumber: '+80000000003', amount: '100' }]],
  })

/** The body that creates a payment ("The wider interface"). `toNewPayment` later compares its start date with the clock. */
export const newPaymentBody = z
  .object({
    phonenumber: optional(
      documented(phonenumber, 'Phone number of the recipient. Required without `recipient_data`.', '+80000000003'),
    ),
    amount: optional(
      documented(
        positiveAmount,
        'What the recipient gets; with `recipient_data` each recipient without its own amount.',
        '100',
      ),
    ),
    payment_type: optional(choiceField(paymentTypes, 'What is sent. Default `money`.')),
    currency: optional(
      documented(
        z.string({ error: choiceError(Object.keys(currencyCountries)) }).trim(),
        'Three-letter code. Not required if `account` is given.',
        'BXC',
      ),
    ),
    account: optional(
      documented(integer({ min: 0 }), 'The wallet that pays. Default: the oldest wallet in the currency.', 1),
    ),
    description: documented(
      requiredText(500),
      'Purpose of the payment. Networks show a part of it to the recipient.',
      'Wages',
    ),
    metadata: optional(metadata),
    recipient_data: optional(recipientData),
    start_date: optional(
      z
        .string(INVALID_START_DATE)
        .refine(isTimestamp, INVALID_START_DATE)
        .meta({
          description:
            'When to send it, if not at once: `tomorrow`, a time span from now, DD/MM/YYYY[ HH:MM:SS] or ISO 8601.',
          examples: ['tomorrow'],
        }),
    ),
    send_sms_message: optional(
      documented(
        booleanField,
        'Whether each recipient gets an SMS (from whom, how much, reference) when the money has arrived. Default false.',
        false,
      ),
    ),
    ...personFields,
  })
  .refine(
    (body) => body.phonenumber !== undefined || body.recipient_data !== undefined,
    requiredUnlessList('phonenumber'),
  )
  .refine((body) => body.amount !== undefined || body.recipient_data !== undefined, requiredUnlessList('amount'))
  .refine((body) => body.currency !== undefined || Boolean(body.account), requiredUnlessList('currency'))
  .meta({
    id: 'NewPayment',
    examples: [{ phonenumber: '+80000000003', amount: '100', currency: 'BXC', description: 'Wages' }],
  })
export type NewPaymentBody = z.output<typeof newPaymentBody>

/** Network of a payment, with its limits. */
export interface PayoutNetwork extends ConnectionRef {
  limits: Limits
}

/** Data that the body does not contain: payer, time, wallets and networks. */
interface PaymentContext {
  now: Date
  organization: number
  author: number
  /** The active wallets of the organization, oldest first. */
  wallets: readonly Account[]
  /** The organization that owns the account in the body. Undefined if the account does not exist. */
  owner: number | undefined
  /** Chooses the network that can send to this phone from this wallet, or the reason why there is none. */
  networkFor(phonenumber: string, wallet: Account, amount: Amount): PayoutNetwork | NoNetwork
}

/**
 * Turns a valid body into a new payment. It chooses the wallet, computes the start date from the clock, and checks each
 * recipient's phone number and amount against the limits of the network.
 * @throws Invalid with all invalid fields. Forbidden for the account of another organization.
 */
export function toNewPayment(body: NewPaymentBody, context: PaymentContext): NewPayment {
  const errors: FieldErrors = {}
  const start_date = parseStartDate(body.start_date, context.now, errors)
  const wallet = chooseWallet(body, context, errors)
  const recipients = wallet ? toNewRecipients(body, wallet, context, errors) : []
  const amount = recipients.reduce((sum, recipient) => sum + recipient.amount, 0n)
  if (amount > MAX_AMOUNT) errors.amount = [getMessage('fields.digits', { max: 15 })]
  if (Object.keys(errors).length > 0 || !wallet) throw new Invalid(errors)
  return {
    organization: context.organization,
    author: context.author,
    purpose: 'payment',
    collection: null,
    payment_type: body.payment_type ?? 'money',
    amount,
    currency: wallet.currency,
    account: wallet.id,
    source: wallet.id,
    description: body.description,
    metadata: body.metadata ?? {},
    send_sms_message: body.send_sms_message ?? false,
    start_date,
    recipients,
  }
}

function parseStartDate(text: string | undefined, now: Date, errors: FieldErrors): Date | null {
  if (text === undefined) return null
  const start = parseTimestamp(text, now)
  if (!start) errors.start_date = [INVALID_START_DATE]
  else if (start <= now) errors.start_date = [getMessage('payments.past_start')]
  return start ?? null
}

/** The wallet that pays, chosen as for collection requests (interface-gaps: Collection requests). */
function chooseWallet(body: NewPaymentBody, context: PaymentContext, errors: FieldErrors): Account | undefined {
  const { account, currency } = body
  if (!account) {
    const wallet = context.wallets.find((one) => one.currency === currency && one.kind === 'local')
    if (currency !== undefined && !(currency in currencyCountries))
      errors.currency = [fieldMessages.choice(currency, Object.keys(currencyCountries))]
    else if (!wallet) errors.currency = [getMessage('wallets.none_in', { currency })]
    return wallet
  }
  const wallet = context.wallets.find((one) => one.id === account)
  if (!wallet) {
    if (context.owner !== undefined && context.owner !== context.organization) throw new Forbidden()
    const key = context.owner === undefined ? 'fields.no_object' : 'fields.inactive_account'
    errors.account = [getMessage(key, { id: account })]
  } else if (currency !== undefined && wallet.currency !== currency)
    errors.account = [getMessage('wallets.other_currency', { currency: wallet.currency })]
  return wallet
}

function toNewRecipients(
  body: NewPaymentBody,
  wallet: Account,
  context: PaymentContext,
  errors: FieldErrors,
): NewRecipient[] {
  const single = body.recipient_data === undefined
  const rows: z.output<typeof Recipient>[] = body.recipient_data ?? [{ ...body, phonenumber: body.phonenumber! }]
  return rows.flatMap((row, index) => {
    const refuse = (field: 'phonenumber' | 'amount' | 'currency', message: string) => {
      const name = single ? field : 'recipient_data'
      errors[name] ??= []
      errors[name].push(single ? message : rowError(index, field, message))
      return []
    }
    const amount = row.amount ?? body.amount
    if (amount === undefined) return refuse('amount', fieldMessages.required)
    const network = checkRecipient(row.phonenumber, amount, wallet, context.networkFor)
    if (!('slug' in network)) return refuse(single && network.is_country ? 'currency' : network.field, network.message)
    return [
      {
        phonenumber: row.phonenumber.number,
        amount,
        network: { slug: network.slug, code: network.code, name: network.name },
        description: row.description ?? body.description,
        metadata: (single ? undefined : row.metadata) ?? {},
        first_name: row.first_name,
        last_name: row.last_name,
        national_id: row.national_id ?? null,
        national_id_type: row.national_id_type ?? null,
      },
    ]
  })
}

/** Reason why a recipient cannot be paid. `is_country`: the reason is its country. */
type NoPayout = NoNetwork & { is_country?: boolean }

/**
 * Chooses the network that carries an amount from a wallet to a phone within its limits, or the reason why there is
 * none.
 */
export function checkRecipient(
  phone: Phone,
  amount: Amount,
  wallet: Account,
  networkFor: PaymentContext['networkFor'],
): PayoutNetwork | NoPayout {
  const wrong_country = wallet.kind === 'local' ? countryError(wallet.currency, phone) : undefined
  if (wrong_country) return { field: 'phonenumber', message: wrong_country, is_country: true }
  const decimals_error = decimalsError(amount, wallet.currency)
  if (decimals_error) return { field: 'amount', message: decimals_error }
  const network = networkFor(phone.number, wallet, amount)
  if (!('slug' in network)) return network
  const limit_error = limitError(amount, network.limits)
  return limit_error ? { field: 'amount', message: limit_error } : network
}

/** The error message if a network cannot send this amount, or undefined. */
export function limitError(amount: Amount, { decimals, min, max }: Limits): string | undefined {
  if (countDecimals(amount) > decimals) return getMessage('amounts.network_decimals', { decimals })
  if (amount < min) return getMessage('fields.at_least', { min: formatAmount(min) })
  if (amount > max) return getMessage('fields.at_most', { max: formatAmount(max) })
  return undefined
}

/** The message about a field of a recipient, who is named by the index in the list, from 0. */
function rowError(row: number, field: string, message: string): string {
  return getMessage('payments.row_field', { row, field, message_text: message })
}

function choiceField<const Choices extends readonly [string, ...string[]]>(choices: Choices, description: string) {
  return z.enum(choices, { error: choiceError(choices) }).meta({ description, examples: [choices[0]] })
}

/** Refuses a missing field that no other field replaces. The error is reported together with all other errors. */
function requiredUnlessList(field: string) {
  return {
    path: [field],
    error: fieldMessages.required,
    when: ({ value, issues }: { value: unknown; issues: { path?: PropertyKey[] }[] }) =>
      typeof value === 'object' && !issues.some(({ path }) => path?.[0] === field || path?.[0] === 'recipient_data'),
  }
}
