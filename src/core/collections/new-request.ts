import { z } from 'zod'
import type { Limits } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, countDecimals, formatAmount } from '../../lib/money.ts'
import { parseObject } from '../../lib/structured-input.ts'
import { DEFAULT_TIME_ZONE } from '../../lib/text/time-zones.ts'
import { isTimestamp, parseTimestamp } from '../../lib/time.ts'
import type { ConnectionRef, NoNetwork } from '../connections/destinations.ts'
import {
  booleanField,
  choiceError,
  documented,
  errorMessage,
  fieldMessages,
  integer,
  metadata,
  NOT_A_DICTIONARY,
  optional,
  optionalName,
  phonenumber,
  positiveAmount,
  text,
} from '../fields.ts'
import { collectingAccount } from '../ledger/accounts.ts'
import { countryError, decimalsError } from '../ledger/currencies.ts'
import { type FieldErrors, Invalid } from '../refusals.ts'
import { readSchedule, type Schedule } from './recurring/recurrence.ts'
import type { NewCollectionRequest, RequestOrigin } from './requests.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Checks only the form. `readSchedule` reads the dates, which need the clock. */
const subscriptionSettings = z
  .unknown()
  .refine((input) => parseObject(input) !== undefined, NOT_A_DICTIONARY)
  .meta({
    type: ['object', 'string'],
    description:
      'A recurrence (object or its JSON text): `start_date` and `end_date` (DD/MM/YYYY HH:MM:SS, UTC), `weekdays`, `months`, `frequency` (yearly, monthly, weekly, daily, hourly, minutely), lists with commas.',
    examples: [{ start_date: '01/02/2030 08:00:00', end_date: '31/12/2030 08:00:00', frequency: 'monthly' }],
  })

/**
 * The body that creates a collection request (interface 4.3.1). This checks only the form of relative dates;
 * `toNewCollectionRequest` reads them, because they need the clock.
 */
export function newCollectionRequestBody(currencies: readonly string[]) {
  return z
    .object({
      phonenumber,
      first_name: optionalName('Default `Anonymous`.', 'Jane'),
      last_name: optionalName('Default `Contact`.', 'Doe'),
      amount: positiveAmount,
      currency: z
        .string({ error: choiceError(currencies) })
        .trim()
        .refine((code) => currencies.includes(code), {
          error: (issue) =>
            issue.input === '' ? fieldMessages.not_blank : fieldMessages.choice(issue.input, currencies),
        })
        .meta({ examples: ['BXC'], description: `One of ${currencies.join(', ')}.` }),
      account: optional(collectingAccount),
      reason: optional(documented(text(200), 'The reason; networks show about 20 characters.', 'Order 7')),
      metadata: optional(metadata),
      success_message: optional(
        documented(
          text(140),
          'Text of the SMS on success; `{amount}` and `{customer}` are replaced. Default: a standard text with `send_instructions`, else no SMS.',
          'Thank you!',
        ),
      ),
      send_instructions: optional(
        documented(booleanField, 'Whether the customer gets a prompt or instructions. Default false.', true),
      ),
      instructions: optional(
        documented(text(140), 'Text that replaces the usual instructions; `skip` for no SMS.', 'skip'),
      ),
      expiry_date: optional(dateText('expiry_date')),
      start_date: optional(dateText('start_date')),
      retry_interval_minutes: optional(
        documented(integer({ min: 10, max: 60 * 24 * 30 }), 'Minutes between prompts. Default 10.', 10),
      ),
      max_attempts: optional(
        documented(integer({ min: 0, max: 3 }), 'The maximum number of further prompts. Default 3; 0 for none.', 3),
      ),
      subscription_settings: optional(subscriptionSettings),
    })
    .meta({
      id: 'NewCollectionRequest',
      examples: [
        { phonenumber: '+80000000000', amount: '1500', currency: 'BXC', reason: 'Order 7', send_instructions: true },
      ],
    })
}
export type NewCollectionRequestBody = z.output<ReturnType<typeof newCollectionRequestBody>>

/** A network that can be asked for the money, and the accounts that may get it from there; null for all. */
export interface ChargeNetwork extends ConnectionRef {
  limits: Limits
  accounts?: readonly number[] | null
}

/** Data that the body does not contain: author, time and network. */
export interface RequestContext {
  now: Date
  organization: number
  /** Time zone of the organization, for the days of a plan. Default: UTC; a request without a plan needs none. */
  time_zone?: string
  author: number
  /** The network that carries the request, or why there is none. */
  network: ChargeNetwork | NoNetwork
  origin?: RequestOrigin | undefined
}

/**
 * Turns a valid body into a request: fills in defaults, reads dates against the clock, and checks the amount against the
 * limits of the network.
 * @throws Invalid with an error for each field that is wrong
 */
export function toNewCollectionRequest(body: NewCollectionRequestBody, context: RequestContext): NewCollectionRequest {
  const errors: FieldErrors = {}
  const { now, network } = context
  const { start_date, schedule } = resolveStartDate(body, context, errors)
  const expiry_date = resolveExpiryDate(body, now, start_date, errors)
  // A named account may be a cross-border one, which collects from other countries. `chooseWallet` checks that.
  const country_error = body.account ? undefined : countryError(body.currency, body.phonenumber)
  if (country_error) errors.currency = [country_error]
  const decimals_error = decimalsError(body.amount, body.currency)
  if (decimals_error) errors.amount = [decimals_error]
  else if ('slug' in network) checkLimits(body.amount, network.limits, errors)
  else errors[network.field] = [network.message]
  if (Object.keys(errors).length > 0 || !('slug' in network)) throw new Invalid(errors)
  return {
    organization: context.organization,
    author: context.author,
    amount: body.amount,
    currency: body.currency,
    account: body.account || null,
    phonenumber: body.phonenumber.number,
    first_name: body.first_name,
    last_name: body.last_name,
    network: { slug: network.slug, code: network.code, name: network.name },
    usable_accounts: network.accounts,
    reason: body.reason ?? '',
    metadata: body.metadata ?? {},
    success_message: body.success_message ?? '',
    send_instructions: body.send_instructions ?? false,
    instructions: body.instructions ?? null,
    expiry_date,
    start_date,
    retry_interval_minutes: body.retry_interval_minutes ?? null,
    max_attempts: body.max_attempts ?? 3,
    subscription_settings: body.subscription_settings ?? null,
    schedule,
    origin: context.origin,
  }
}

/** Examples of a relative date for each date field. */
const DATE_EXAMPLES = { expiry_date: '2 minutes', start_date: 'tomorrow' }

function dateText(field: keyof typeof DATE_EXAMPLES) {
  const message = invalidDateMessage(field)
  return z
    .string({ error: errorMessage(message) })
    .refine(isTimestamp, message)
    .meta({
      description: 'A time from now such as `24 hours`, `tomorrow`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601.',
      examples: [DATE_EXAMPLES[field]],
    })
}

function invalidDateMessage(field: keyof typeof DATE_EXAMPLES): string {
  return getMessage('requests.date', { example: DATE_EXAMPLES[field] })
}

/** Reads a date field, relative to `from`; undefined when it is not given or, with an error, too far away. */
function readDateField(
  body: NewCollectionRequestBody,
  field: keyof typeof DATE_EXAMPLES,
  from: Date,
  errors: FieldErrors,
): Date | undefined {
  const text = body[field]
  if (text === undefined) return undefined
  const date = parseTimestamp(text, from)
  if (!date) errors[field] = [invalidDateMessage(field)]
  return date
}

function resolveStartDate(
  body: NewCollectionRequestBody,
  { now, time_zone = DEFAULT_TIME_ZONE }: RequestContext,
  errors: FieldErrors,
): { start_date: Date | null; schedule?: Schedule } {
  const requested = readDateField(body, 'start_date', now, errors) ?? null
  if (requested && requested <= now) errors.start_date = [getMessage('payments.past_start')]
  if (body.subscription_settings === undefined) return { start_date: requested }
  const schedule = readSchedule(body.subscription_settings, requested, { now, time_zone })
  // A plan whose first date is now starts at once, like a request without a start date.
  if (!Array.isArray(schedule)) return { start_date: schedule.first > now ? schedule.first : null, schedule }
  errors.subscription_settings = schedule
  return { start_date: requested }
}

function resolveExpiryDate(body: NewCollectionRequestBody, now: Date, start: Date | null, errors: FieldErrors): Date {
  // Relative to the start, because a request that starts tomorrow must not have expired by then.
  const from = start ?? now
  const expiry = readDateField(body, 'expiry_date', from, errors)
  if (!expiry) return new Date(from.getTime() + DAY_MS)
  if (expiry <= now) errors.expiry_date = [getMessage('requests.past_expiry')]
  else if (expiry <= from) errors.expiry_date = [getMessage('requests.expiry_before_start')]
  return expiry
}

function checkLimits(amount: Amount, limits: Limits, errors: FieldErrors): void {
  if (countDecimals(amount) > limits.decimals)
    errors.amount = [getMessage('amounts.network_decimals', { decimals: limits.decimals })]
  else if (amount < limits.min) errors.amount = [getMessage('fields.at_least', { min: formatAmount(limits.min) })]
  else if (amount > limits.max) errors.amount = [getMessage('fields.at_most', { max: formatAmount(limits.max) })]
}
