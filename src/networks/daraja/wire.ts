import { beginningOf } from '../../drivers/words.ts'
import { type Amount, countDecimals } from '../../lib/money.ts'
import { plainText, readJsonAmount } from '../shared/text.ts'

/*
 * Daraja's notation for amounts, phone numbers, dates and texts.
 */

const SHILLING: Amount = 10_000n

/** Daraja takes whole shillings. Undefined for an amount with cents, or for none. */
export function toShillings(amount: Amount): number | undefined {
  return countDecimals(amount) === 0 && amount > 0n ? Number(amount / SHILLING) : undefined
}

/** An amount of an answer, above zero. */
export function readAmount(value: unknown): Amount | undefined {
  const amount = readJsonAmount(typeof value === 'string' ? value.replaceAll(',', '') : value)
  return amount !== undefined && amount > 0n ? amount : undefined
}

/** A phone number as Daraja takes it: `+254708374149` is `254708374149`. Undefined for a number of another country. */
export function toMsisdn(phonenumber: string): string | undefined {
  return /^\+254[17]\d{8}$/.test(phonenumber) ? phonenumber.slice(1) : undefined
}

/**
 * Return a phone number in E.164. Version 2 masks it (`2547 ***** 149`) or sends its SHA-256. Such a text is returned
 * without blanks, because it still tells two customers apart.
 */
export function readPhone(value: string | number | undefined): string {
  const text = String(value ?? '').replace(/\s/g, '')
  const digits = /^\+?(?:254|0)?([17]\d{8})$/.exec(text)?.[1]
  if (digits) return `+254${digits}`
  return /^2547?\*/.test(text) ? `+${text}` : text
}

/** A text for the phone or the records of the network. Daraja takes letters, digits and a few marks. */
export function toDarajaText(text: string, max: number, otherwise: string): string {
  return plainText(text, { punctuation: '-.,', max, otherwise })
}

/** A message of the network as people read it. */
export function toMessage(text: string, otherwise: string): string {
  return beginningOf(text).replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_LENGTH) || otherwise
}

const MAX_MESSAGE_LENGTH = 200

/** East Africa has no summer time. */
const EAST_AFRICA_MS = 3 * 60 * 60 * 1_000

/** A date in East Africa Time as the API takes it: `20261122093000`. */
export function formatEat(date: Date): string {
  return toEatIso(date).replace(/\D/g, '').slice(0, 14)
}

/** A date in East Africa Time as Pull Transactions takes it: `2026-11-22 09:30:00`. */
export function formatEatDate(date: Date): string {
  return toEatIso(date).slice(0, 19).replace('T', ' ')
}

const toEatIso = (date: Date) => new Date(date.getTime() + EAST_AFRICA_MS).toISOString()

/**
 * Read a date of East Africa Time in one of the spellings of Daraja: `20261122093021`, also as a number, `22.11.2026
 * 09:30:21`, `2026-11-22 09:30:21`, `2026-11-22T09:30:21`. A date with a time zone counts as it says. Undefined for
 * anything else.
 */
export function readEat(value: string | number | undefined): Date | undefined {
  const text = String(value ?? '').trim()
  if (ZONED.test(text)) return existing(new Date(text))
  const compact = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  const dotted = /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d):(\d\d):(\d\d)$/.exec(text)
  const dashed = /^(\d{4})-(\d\d)-(\d\d)[ T](\d{1,2}):(\d\d):(\d\d)(?:\.\d+)?$/.exec(text)
  const parts = compact ?? dashed ?? (dotted && [dotted[0], dotted[3], dotted[2], dotted[1], ...dotted.slice(4)])
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7)
  return existing(new Date(`${year}-${month}-${day}T${hour!.padStart(2, '0')}:${minute}:${second}+03:00`))
}

const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/

const existing = (date: Date) => (Number.isNaN(date.getTime()) ? undefined : date)
