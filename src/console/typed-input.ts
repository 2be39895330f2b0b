import type { FastifyRequest } from 'fastify'
import type { Session } from '../core/access/sessions.ts'
import { parseLocalPhone } from '../lib/phone.ts'
import { endOfDayIn, isoDay, startOfDayIn, timeOfDayIn } from '../lib/text/time-zones.ts'
import { formatTimestamp } from '../lib/time.ts'

/*
 * People type phone numbers without country code and times without time zone. The interface takes neither, so the console
 * completes them with the country and the time zone of the organization, and its routes see what programs send.
 */

type Fields = Record<string, unknown>
type Place = Pick<Session, 'country' | 'time_zone'>

const PHONES = ['phonenumber', 'phone_number']
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
  if (Array.isArray(input.recipient_data))
    for (const recipient of input.recipient_data) completeFields(recipient, place)
  if (isObject(input.subscription_settings)) completeEnd(input.subscription_settings, place)
  else replaceText(input, 'subscription_settings', (text) => completeEndInText(text, place))
}

function replaceText(input: Fields, name: string, replace: (text: string) => string): void {
  const value = Object.hasOwn(input, name) ? input[name] : undefined
  if (typeof value === 'string') input[name] = replace(value)
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
