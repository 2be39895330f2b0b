import type { FastifyRequest } from 'fastify'
import type { Session } from '../core/access/sessions.ts'
import { decimalsOf } from '../core/ledger/currencies.ts'
import { Invalid } from '../core/refusals.ts'
import { formatAmount } from '../lib/money.ts'
import { parseLocalPhone } from '../lib/phone.ts'
import { endOfDayIn, isoDay, startOfDayIn, timeOfDayIn } from '../lib/text/time-zones.ts'
import { formatTimestamp } from '../lib/time.ts'
import { readTypedAmount } from '../lib/typed-amount.ts'

/*
 * People type phone numbers without country code and times without time zone. The interface takes neither, so the console
 * completes them with the country and the time zone of the organization, and its routes see what programs send.
 */

type Fields = Record<string, unknown>
type Place = Pick<Session, 'country' | 'time_zone'>

const PHONES = ['phonenumber', 'phone_number']
const AMOUNTS = [
  ...['amount', 'min_amount', 'max_amount', 'unit_price', 'price', 'fixed', 'min_fee', 'max_fee'],
  ...['threshold', 'second_threshold', 'third_threshold', 'per_day', 'per_recipient', 'per_user', 'per_payment'],
]
/** A bare day is its beginning. */
const TIMES = [
  ...['created_after', 'created_before', 'modified_after', 'modified_before', 'start_date', 'end_date'],
  ...['since', 'until', 'expires'],
]

/** Completes what was typed, before it is checked. What cannot be read stays, and the check says what is wrong with it. */
export async function completeTypedInput(request: FastifyRequest): Promise<void> {
  const { session } = request
  if (!session) return
  completeFields(request.params, session)
  completeFields(request.query, session)
  completeFields(request.body, session)
}

function completeFields(input: unknown, place: Place): void {
  if (!isObject(input)) return
  for (const name of PHONES) replaceText(input, name, (text) => completePhone(text, place))
  for (const name of TIMES) replaceText(input, name, (text) => completeTime(text, place))
  for (const name of AMOUNTS) replaceText(input, name, (text) => completeAmount(name, text, input, place))
  if (Array.isArray(input.amounts))
    input.amounts = input.amounts.map((one: unknown) =>
      typeof one === 'string' ? completeAmount('amounts', one, input, place) : one,
    )
  for (const list of [input.recipient_data, input.lines])
    if (Array.isArray(list)) for (const one of list) completeFields(one, place)
  if (isObject(input.subscription_settings)) completeEnd(input.subscription_settings, place)
  else replaceText(input, 'subscription_settings', (text) => completeEndInText(text, place))
}

function replaceText(input: Fields, name: string, replace: (text: string) => string): void {
  const value = Object.hasOwn(input, name) ? input[name] : undefined
  if (typeof value === 'string') input[name] = replace(value)
}

/**
 * `25,000` as the interface takes it. What is no amount stays, and the check says so; what the check would read as another
 * amount, such as `150.000`, is refused here. @throws Invalid
 */
function completeAmount(name: string, text: string, { currency }: Fields, { country }: Place): string {
  const code = typeof currency === 'string' && currency !== '' ? currency.trim().toUpperCase() : undefined
  if (!/\d/.test(text)) return text
  const decimals = code === undefined ? undefined : decimalsOf(code)
  const read = readTypedAmount(text, { country, currency: code, ...(decimals !== undefined && { decimals }) })
  if ('message' in read) throw new Invalid({ [name]: [read.message] })
  return formatAmount(read.amount)
}

/** `0772 000001` with its country code, where the organization has a country. */
function completePhone(text: string, { country }: Place): string {
  return (country === null ? undefined : parseLocalPhone(text, country)?.number) ?? text
}

const LOCAL_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?$/

function completeTime(text: string, { time_zone }: Place): string {
  const typed = text.trim()
  const day = isoDay(typed)
  if (day !== undefined) return formatTimestamp(startOfDayIn(day, time_zone))
  const [, date = '', minute, second = ':00'] = LOCAL_TIME.exec(typed) ?? []
  const exists = isoDay(date) !== undefined && !Number.isNaN(Date.parse(`${date}T${minute}${second}Z`))
  return exists ? formatTimestamp(timeOfDayIn(date, `${minute}${second}`, time_zone)) : text
}

/** The last day of a plan becomes its last second, in the form of the interface (section 2.7). */
function completeEnd(settings: Fields, { time_zone }: Place): void {
  replaceText(settings, 'end_date', (text) => {
    const day = isoDay(text)
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
