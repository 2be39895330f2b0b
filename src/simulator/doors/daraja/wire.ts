import { randomBytes, randomInt } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Amount, parseAmount } from '../../../lib/money.ts'

/*
 * Daraja's notation for dates of East Africa, ids, errors and numbers.
 */

/** East Africa has no summer time. */
const EAST_AFRICA_MS = 3 * 60 * 60 * 1_000

const toEat = (date: Date) => new Date(date.getTime() + EAST_AFRICA_MS).toISOString()

/** `20261122093021` */
export const compactDate = (date: Date): string => toEat(date).replace(/\D/g, '').slice(0, 14)

/** `22.11.2026 09:30:21` */
export function dottedDate(date: Date): string {
  const [day, time] = toEat(date).slice(0, 19).split('T') as [string, string]
  return `${day.split('-').reverse().join('.')} ${time}`
}

/** Read `20261122093021` or `2026-11-22 09:30:21`, in East Africa Time. */
export function readDate(text: string): Date | undefined {
  const parts = /^(\d{4})-?(\d\d)-?(\d\d) ?(\d{1,2}):?(\d\d):?(\d\d)$/.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1)
  const date = new Date(`${year}-${month}-${day}T${hour!.padStart(2, '0')}:${minute}:${second}+03:00`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const digits = (count: number) => String(randomInt(10 ** count)).padStart(count, '0')

/** The id of a prompt: `ws_CO_`, the date, digits, and the phone. */
export function newCheckoutId(now: Date, msisdn: string): string {
  const [day, time] = [toEat(now).slice(0, 10), toEat(now).slice(11, 19)]
  return `ws_CO_${day.split('-').reverse().join('')}${time.replaceAll(':', '')}${digits(6)}${msisdn.slice(3)}`
}

/** An id of a request: `29115-34620561-1`. */
export const newRequestId = (): string => `${digits(5)}-${digits(8)}-1`

/** The id of something that an API operator starts: `AG_20261122_201073bd3b2a6e4c1f0e`. */
export const newConversationId = (now: Date): string =>
  `AG_${compactDate(now).slice(0, 8)}_2010${randomBytes(8).toString('hex')}`

const LETTERS = '123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The year, the month and the day of a receipt, in one character each: 22 November 2026 is `UKM`. */
function receiptDay(now: Date): string {
  const [year, month, day] = toEat(now).slice(0, 10).split('-').map(Number) as [number, number, number]
  const letter = (index: number) => String.fromCharCode(65 + (index % 26))
  return `${letter(year - 2006)}${letter(month - 1)}${LETTERS[day - 1]}`
}

/** A receipt: `UKM1ABC234`. */
export function newReceipt(now: Date): string {
  return receiptDay(now) + Array.from({ length: 7 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** Stand-in for a receipt where no money moved. */
export const placeholderReceipt = (now: Date): string => `${receiptDay(now)}0000000`

/** Refuse a call in Daraja's form. */
export function refuse(reply: FastifyReply, code: string, message: string, with_200: boolean) {
  const status = with_200 ? 200 : Number(code.slice(0, 3))
  return reply.code(status).send({ requestId: newRequestId(), errorCode: code, errorMessage: message })
}

/** Write a number with two decimals, which `JSON.stringify` cannot do. */
export const withCents = (amount: Amount): string => `#${cents(amount)}#`

/** `1500.00` */
export function cents(amount: Amount): string {
  const sum = (amount < 0n ? -amount : amount) / 100n
  return `${amount < 0n ? '-' : ''}${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`
}

/** JSON with the numbers of `withCents`. */
export const toJson = (content: object): string => JSON.stringify(content).replaceAll(/"#(-?[\d.]+)#"/g, '$1')

/** The words that Daraja refuses in an address, and the services that it blocks. */
const REFUSED_ADDRESS = /m-?pesa|safaricom|exe|cmd|sql|query|ngrok|requestbin/i

/** Return true if Daraja reports to this address. Its sandbox allows http. */
export function isAllowedAddress(text: unknown): text is string {
  return typeof text === 'string' && /^https?:\/\//.test(text) && URL.canParse(text) && !REFUSED_ADDRESS.test(text)
}

const scalar = z.union([z.string(), z.number()]).transform(String)

/** Field that may be a text or a number. */
export const field = scalar.pipe(z.string().min(1))
export const optionalField = scalar.optional().transform((value) => value ?? '')

/** Whole shillings. */
export const shillings = scalar.transform((text, context): Amount => {
  const amount = /^\d{1,9}(\.0+)?$/.test(text) ? parseAmount(text) : undefined
  if (amount !== undefined && amount > 0n) return amount
  context.addIssue('Amount')
  return z.NEVER
})

/** A phone number of Kenya, `2547…` or `2541…`. */
export const msisdn = scalar.pipe(z.string().regex(/^254[17]\d{8}$/))
