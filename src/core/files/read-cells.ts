import type { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { type Phone, parseLocalPhone, parsePhone } from '../../lib/phone.ts'
import { expandNumber } from '../../lib/sheets/expand-number.ts'
import type { Cell } from './cells.ts'

/** Value of a cell, or the reason why it has none. */
export type Read<Value> = { value: Value } | { message: string }

const NO_FORMULA = getMessage('cells.formula')
const NO_DATE = getMessage('cells.date')
const NO_ERROR = getMessage('cells.error')
export const SHORTENED = getMessage('cells.shortened')

/**
 * Reads a phone number as people of a country write it, or with a country code. A spreadsheet removes the zero in front
 * and the plus sign. A number without the zero is refused, because it could belong to another country.
 * @param country ISO 3166-1; null: only numbers with their country code are read
 */
export function readPhone(cell: Cell | undefined, country: string | null): Read<Phone> {
  if (!cell) return { message: getMessage('cells.no_phone') }
  const fault = faultOf(cell)
  if (fault) return { message: fault }
  const text = textOf(cell)
  if (/^\d+([.,]\d+)?[eE]\+?\d+$/.test(text) && cell.kind !== 'number') return { message: SHORTENED }
  const lost = withLostZero(text, country)
  if (lost) return { message: getMessage('cells.lost_zero', { number: text.trim(), full: lost.number }) }
  const phone = country ? parseLocalPhone(text, country) : parsePhone(text)
  return phone ? { value: phone } : { message: getMessage('cells.not_phone') }
}

/**
 * Returns the number that digits mean if a zero in front of them is missing. Numbers of the test country have no zero
 * in front.
 */
function withLostZero(text: string, country: string | null): Phone | undefined {
  const digits = text.replace(/[\s().-]/g, '')
  if (country === null || country === 'XX' || !/^[1-9]\d{6,9}$/.test(digits)) return undefined
  const phone = parseLocalPhone(`0${digits}`, country)
  return phone?.country === country ? phone : undefined
}

/** Reads a value as a field of the API does. */
export function readField<Value>(field: z.ZodType<Value>, value: unknown): Read<Value> {
  const { success, data, error } = field.safeParse(value)
  return success ? { value: data } : { message: error.issues.map(({ message }) => message).join(' ') }
}

/** Reads a text of at most `max` characters. An empty cell is an empty text. */
export function readText(cell: Cell | undefined, max: number): Read<string> {
  if (!cell) return { value: '' }
  const fault = faultOf(cell)
  if (fault) return { message: fault }
  const text = textOf(cell)
  return [...text].length > max ? { message: getMessage('fields.too_long', { max }) } : { value: text }
}

/** Returns the text of a cell, with the digits of a number written out. */
function textOf({ kind, text }: Cell): string {
  return kind === 'number' ? expandNumber(text) : text
}

/** Returns the reason why a cell has no readable value, whatever it is to contain. */
export function faultOf({ kind }: Cell): string | undefined {
  if (kind === 'formula') return NO_FORMULA
  if (kind === 'error') return NO_ERROR
  return kind === 'date' ? NO_DATE : undefined
}
