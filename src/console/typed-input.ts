import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Session } from '../core/access/sessions.ts'
import { splitPayers } from '../core/contacts/customer-fields.ts'
import { readListDays } from '../core/figures/list-days.ts'
import { decimalsOf } from '../core/ledger/currencies.ts'
import { type FieldErrors, Invalid } from '../core/refusals.ts'
import { getMessage } from '../lib/messages/message.ts'
import { formatAmount } from '../lib/money.ts'
import { parseLocalPhone } from '../lib/phone.ts'
import { dayIn, endOfDayIn, startOfDayIn, typedDay, typedTimeIn } from '../lib/text/time-zones.ts'
import { formatTimestamp } from '../lib/time.ts'
import { readTypedAmount } from '../lib/typed-amount.ts'

/*
 * Completion of typed input. People type phone numbers without country code and times without time zone, which the
 * interface refuses. The console adds the country and the time zone of the organization. Its routes then see the same
 * input as from programs.
 */

type Fields = Record<string, unknown>
type Place = Pick<Session, 'country' | 'time_zone'>

const PHONES = ['phonenumber', 'phone_number', 'payer']
const AMOUNTS = [
  'amount',
  'min_amount',
  'max_amount',
  'min_part',
  'unit_price',
  'price',
  'fixed',
  'min_fee',
  'max_fee',
  'threshold',
  'second_threshold',
  'third_threshold',
  'per_day',
  'per_recipient',
  'per_user',
  'per_payment',
  'total_amount',
  'min',
  'max',
]
/** A bare day is its beginning. */
const TIMES = [
  'created_after',
  'created_before',
  'modified_after',
  'modified_before',
  'start_date',
  'end_date',
  'since',
  'until',
  'expires',
]
/** A bare day is its last second. */
const ENDS = ['expiry_date']

/** Make the hook that completes typed input before it is checked. Unreadable input stays, and the check names the fault. */
export function createInputCompletion({ clock }: Pick<App, 'clock'>): (request: FastifyRequest) => Promise<void> {
  return async ({ session, params, query, body }) => {
    if (!session) return
    const errors: FieldErrors = {}
    for (const input of [params, query, body]) completeFields(input, session, errors)
    completeDays(query, { now: clock.now(), time_zone: session.time_zone }, errors)
    if (Object.keys(errors).length > 0) throw new Invalid(errors)
  }
}

/**
 * Replace `days` of a list, such as `today`, by the filters that lists and statements have: `created_after`, `created_before`,
 * `from` and `to`.
 */
function completeDays(query: unknown, { now, time_zone }: { now: Date; time_zone: string }, errors: FieldErrors): void {
  if (!isObject(query) || typeof query.days !== 'string' || query.days === '') return
  const days = readListDays(query.days, dayIn(now, time_zone))
  if (!days) {
    errors.days = [getMessage('fields.days')]
    return
  }
  const { from, to } = days
  // The filter finds what is later, and the first moment of the day belongs to it. Lists have whole seconds.
  if (from) query.created_after = new Date(startOfDayIn(from, time_zone).getTime() - 1).toISOString()
  if (to) query.created_before = endOfDayIn(to, time_zone).toISOString()
  Object.assign(query, days)
}

function completeFields(input: unknown, place: Place, errors: FieldErrors): void {
  if (!isObject(input)) return
  completePart(input, place, (name, message) => {
    errors[name] = [message]
  })
  const refuseAmounts = (message: string) => {
    errors.amounts = [message]
  }
  if (typeof input.amounts === 'string' && !input.amounts.trim().startsWith('['))
    input.amounts = splitAmounts(input.amounts)
  if (Array.isArray(input.amounts))
    input.amounts = input.amounts.map((one: unknown) =>
      typeof one === 'string' ? completeAmount(one, input.currency, place, refuseAmounts) : one,
    )
  if (typeof input.payers === 'string' && !input.payers.trim().startsWith('[')) input.payers = splitPayers(input.payers)
  for (const name of ['recipient_data', 'lines', 'payers', 'parts']) {
    const parts = input[name]
    if (!Array.isArray(parts)) continue
    for (const [index, part] of parts.entries())
      if (isObject(part))
        completePart(
          part,
          place,
          (field, message) => {
            errors[name] = [...(errors[name] ?? []), `${name}[${index}].${field}: ${message}`]
          },
          input.currency,
        )
  }
  if (isObject(input.filter))
    completePart(input.filter, place, (field, message) => {
      errors.filter = [...(errors.filter ?? []), `${field}: ${message}`]
    })
  if (isObject(input.subscription_settings)) completeEnd(input.subscription_settings, place)
  else replaceText(input, 'subscription_settings', (text) => completeEndInText(text, place))
}

/** Several amounts in one field: `1,500, 2,750`, or `1500 2750`. */
function splitAmounts(text: string): string[] {
  const listed = text.split(/[;\n]|,\s/).filter((part) => part.trim() !== '')
  return listed.length === 1 && 'message' in readTypedAmount(text) ? text.split(/[\s,]+/) : listed
}

type Refuse = (name: string, message: string) => void

function completePart(input: Fields, place: Place, refuse: Refuse, currency = input.currency): void {
  for (const name of PHONES) replaceText(input, name, (text) => completePhone(text, place))
  for (const name of TIMES) replaceText(input, name, (text) => completeTime(text, place, 'start'))
  for (const name of ENDS) replaceText(input, name, (text) => completeTime(text, place, 'end'))
  for (const name of AMOUNTS)
    replaceText(input, name, (text) => completeAmount(text, currency, place, (message) => refuse(name, message)))
}

function replaceText(input: Fields, name: string, replace: (text: string) => string): void {
  const value = Object.hasOwn(input, name) ? input[name] : undefined
  if (typeof value === 'string') input[name] = replace(value)
}

/**
 * Convert `25,000` to the form of the interface. Input without a digit stays, and the check names the fault. Input that
 * the check would read as another amount, such as `150.000`, is refused here.
 */
function completeAmount(
  text: string,
  currency: unknown,
  { country }: Place,
  refuse: (message: string) => void,
): string {
  const code = typeof currency === 'string' && currency !== '' ? currency.trim().toUpperCase() : undefined
  if (!/\d/.test(text)) return text
  const decimals = code === undefined ? undefined : decimalsOf(code)
  const read = readTypedAmount(text, { country, currency: code, ...(decimals !== undefined && { decimals }) })
  if (!('message' in read)) return formatAmount(read.amount)
  refuse(read.message)
  return text
}

/** `0772 000001` with its country code, where the organization has a country. */
function completePhone(text: string, { country }: Place): string {
  return (country === null ? undefined : parseLocalPhone(text, country)?.number) ?? text
}

function completeTime(text: string, { time_zone }: Place, bare: 'start' | 'end'): string {
  const time = typedTimeIn(text, time_zone, bare)
  return time === undefined ? text : formatTimestamp(time)
}

/** The last day of a plan becomes its last second, in the form of the interface (section 2.7). */
function completeEnd(settings: Fields, { time_zone }: Place): void {
  replaceText(settings, 'end_date', (text) => {
    const day = typedDay(text)
    if (day === undefined) return text
    const end = new Date(endOfDayIn(day, time_zone).getTime() - 1_000).toISOString()
    return `${end.slice(8, 10)}/${end.slice(5, 7)}/${end.slice(0, 4)} ${end.slice(11, 19)}`
  })
}

function completeEndInText(text: string, place: Place): string {
  try {
    const settings: unknown = JSON.parse(text)
    if (!isObject(settings)) return text
    completeEnd(settings, place)
    return JSON.stringify(settings)
  } catch {
    return text
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
