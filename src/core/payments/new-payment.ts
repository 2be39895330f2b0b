import { z } from 'zod'
import type { Limits } from '../../lib/adapter-types.ts'
import { type Amount, countDecimals, formatAmount } from '../../lib/money.ts'
import { parseObjectList } from '../../lib/structured-input.ts'
import { isTimestamp, parseTimestamp } from '../../lib/time.ts'
import {
  booleanField,
  documented,
  errorMessage,
  fieldMessages,
  integer,
  metadata,
  optional,
  phonenumber,
  positiveAmount,
  requiredText,
  text,
} from '../fields.ts'
import type { DuplicateKeyClaim } from '../idempotency.ts'
import type { Account } from '../ledger/accounts.ts'
import { countryError, currencyCountries } from '../ledger/currencies.ts'
import { type FieldErrors, Forbidden, Invalid } from '../refusals.ts'
import type { NewPayment, NewRecipient } from './create.ts'
import { paymentTypes } from './payments.ts'

const INVALID_START_DATE = 'Enter a date such as tomorrow, 31/12/2030 or 31/12/2030 18:00:00.'
/** So many fit into a body of 1 MB with room for metadata, and into one transaction. */
const MAX_RECIPIENTS = 1_000
const MAX_AMOUNT: Amount = 9_999_999_999_999_999_999n

const personFields = {
  first_name: optional(documented(text(100), 'Default `Anonymous`.', 'Jane')),
  last_name: optional(documented(text(100), 'Default `Contact`.', 'Doe')),
  national_id: optional(documented(text(100), 'Number of an identity document of the recipient.', 'CM12345')),
  national_id_type: optional(choiceField(['national', 'passport', 'military'], 'What kind of document that is.')),
}

/** One row of `recipient_data`. */
const Recipient = z.object({
  phonenumber,
  amount: optional(positiveAmount),
  description: optional(text(500)),
  metadata: optional(metadata),
  ...personFields,
})

const recipientData = z
  .unknown()
  .transform((input, context): z.output<typeof Recipient>[] => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    const rows = parseObjectList(input) ?? []
    if (rows.length === 0) refuse('Expected a list of recipients, or a JSON text of one.')
    if (rows.length > MAX_RECIPIENTS) {
      refuse(`A payment may have at most ${MAX_RECIPIENTS} recipients.`)
      return []
    }
    return rows.flatMap((row, index) => {
      if (!row) {
        refuse(`${rowLabel(index)}: Expected a dictionary of items.`)
        return []
      }
      const read = Recipient.safeParse(row)
      for (const issue of read.error?.issues ?? [])
        refuse(`${rowLabel(index)}.${issue.path.join('.')}: ${issue.message}`)
      return read.data ?? []
    })
  })
  .meta({
    type: ['array', 'string'],
    description:
      'Many recipients of one payment, as a list of objects or a JSON text of one: `phonenumber`, and `amount`, `description`, `metadata`, `first_name`, `last_name`, `national_id`, `national_id_type` where they differ from those of the payment. One faulty row refuses the whole.',
    examples: [[{ phonenumber: '+80000000003', amount: '100' }]],
  })

/** The body that creates a payment ("The wider interface"). Its start is read against the clock later, in `planPayment`. */
export const newPaymentBody = z
  .object({
    phonenumber: optional(documented(phonenumber, 'Who gets it, unless there is `recipient_data`.', '+80000000003')),
    amount: optional(
      documented(positiveAmount, 'What the recipient gets, or each that has no amount of its own.', '100'),
    ),
    payment_type: optional(choiceField(paymentTypes, 'What is sent. Default `money`.')),
    currency: optional(
      documented(
        z.string({ error: errorMessage(fieldMessages.choice) }).trim(),
        'Three-letter code; not needed when the account is named.',
        'BXC',
      ),
    ),
    account: optional(
      documented(integer({ min: 0 }), 'The wallet it is taken from; else the oldest in the currency.', 1),
    ),
    description: documented(requiredText(500), 'What it is for; networks show some of it to the recipient.', 'Wages'),
    metadata: optional(metadata),
    recipient_data: optional(recipientData),
    start_date: optional(
      z
        .string(INVALID_START_DATE)
        .refine(isTimestamp, INVALID_START_DATE)
        .meta({
          description: 'Sends it later: `tomorrow`, a span from now, DD/MM/YYYY[ HH:MM:SS] or ISO 8601.',
          examples: ['tomorrow'],
        }),
    ),
    send_sms_message: optional(documented(booleanField, 'Kept with the payment. Default false.', false)),
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

/** A network as far as a payment must know it. */
export interface PayoutNetwork {
  code: string
  name: string
  limits: Limits
}

/** Who pays, when, and through what: what the body itself does not say. */
export interface PaymentContext {
  now: Date
  organization: number
  author: number
  /** The active wallets of the organization, oldest first. */
  wallets: readonly Account[]
  /** Who owns the account that the body names, if anybody. */
  owner: number | undefined
  /** The network that can send to this phone in this currency. */
  networkFor(phonenumber: string, currency: string): PayoutNetwork | undefined
  claim?: DuplicateKeyClaim
}

/**
 * Turns a valid body into the payment to be made: wallet chosen, start fixed against the clock, every recipient's phone
 * and amount held against what its network can send.
 * @throws Invalid naming every faulty field, Forbidden for the account of another organization.
 */
export function toNewPayment(body: NewPaymentBody, context: PaymentContext): NewPayment {
  const errors: FieldErrors = {}
  const start_date = parseStartDate(body.start_date, context.now, errors)
  const wallet = chooseWallet(body, context, errors)
  const recipients = wallet ? toNewRecipients(body, wallet, context, errors) : []
  const amount = recipients.reduce((sum, recipient) => sum + recipient.amount, 0n)
  if (amount > MAX_AMOUNT) errors.amount = ['Ensure that there are no more than 15 digits before the decimal point.']
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
    claim: context.claim,
  }
}

function parseStartDate(text: string | undefined, now: Date, errors: FieldErrors): Date | null {
  if (text === undefined) return null
  const start = parseTimestamp(text, now)
  if (!start) errors.start_date = [INVALID_START_DATE]
  else if (start <= now) errors.start_date = ['The start date must be in the future.']
  return start ?? null
}

/** The wallet that the money is taken from, as for collection requests (interface-gaps: Collection requests). */
function chooseWallet(body: NewPaymentBody, context: PaymentContext, errors: FieldErrors): Account | undefined {
  const { account, currency } = body
  if (!account) {
    const wallet = context.wallets.find((one) => one.currency === currency && one.kind === 'local')
    if (currency !== undefined && !(currency in currencyCountries)) errors.currency = [fieldMessages.choice(currency)]
    else if (!wallet) errors.currency = [`You have no active account in ${currency}.`]
    return wallet
  }
  const wallet = context.wallets.find((one) => one.id === account)
  if (!wallet) {
    if (context.owner !== undefined && context.owner !== context.organization) throw new Forbidden()
    const why = context.owner === undefined ? 'object does not exist' : 'the account is not active'
    errors.account = [`Invalid pk "${account}" - ${why}.`]
  } else if (currency !== undefined && wallet.currency !== currency)
    errors.account = [`This account is in ${wallet.currency}.`]
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
      errors[name].push(single ? message : `${rowLabel(index)}.${field}: ${message}`)
      return []
    }
    const amount = row.amount ?? body.amount
    if (amount === undefined) return refuse('amount', fieldMessages.required)
    const foreign = wallet.kind === 'local' ? countryError(wallet.currency, row.phonenumber) : undefined
    if (foreign) return refuse(single ? 'currency' : 'phonenumber', foreign)
    const network = context.networkFor(row.phonenumber.number, wallet.currency)
    if (!network) return refuse('phonenumber', `No network sends to this number in ${wallet.currency}.`)
    const fault = limitError(amount, network.limits)
    if (fault) return refuse('amount', fault)
    return [
      {
        phonenumber: row.phonenumber.number,
        amount,
        network: { code: network.code, name: network.name },
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

/** What is wrong with sending this amount through a network, if anything. */
export function limitError(amount: Amount, { decimals, min: least, max: most }: Limits): string | undefined {
  if (countDecimals(amount) > decimals)
    return `The network of this number takes amounts with at most ${decimals} decimals.`
  if (amount < least) return `Ensure this value is greater than or equal to ${formatAmount(least)}.`
  if (amount > most) return `Ensure this value is less than or equal to ${formatAmount(most)}.`
  return undefined
}

/** How a refusal names a row: by its place in the list, from 0. */
function rowLabel(index: number): string {
  return `recipient_data[${index}]`
}

function choiceField<const Choices extends readonly [string, ...string[]]>(choices: Choices, description: string) {
  return z
    .enum(choices, { error: (issue) => fieldMessages.choice(issue.input) })
    .meta({ description, examples: [choices[0]] })
}

/** A field that may be missing only when another takes its place. It is missed together with whatever else is wrong. */
function requiredUnlessList(field: string) {
  return {
    path: [field],
    error: fieldMessages.required,
    when: ({ value, issues }: { value: unknown; issues: { path?: PropertyKey[] }[] }) =>
      typeof value === 'object' && !issues.some(({ path }) => path?.[0] === field || path?.[0] === 'recipient_data'),
  }
}
