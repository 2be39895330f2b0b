import { z } from 'zod'
import { getMessage } from '../lib/messages/message.ts'
import { type Amount, formatAmount, parseAmount } from '../lib/money.ts'
import { parsePhone } from '../lib/phone.ts'
import { parseList, parseObject } from '../lib/structured-input.ts'
import { formatTimestamp } from '../lib/time.ts'
import type { FieldErrors } from './refusals.ts'

/** The field messages that existing clients know (interface-gaps: Errors). */
export const fieldMessages = {
  required: getMessage('fields.required'),
  not_null: getMessage('fields.not_null'),
  not_blank: getMessage('fields.not_blank'),
  number: getMessage('fields.number'),
  integer: getMessage('fields.integer'),
  boolean: getMessage('fields.boolean'),
  string: getMessage('fields.string'),
  email: getMessage('fields.email'),
  phone: getMessage('fields.phone'),
  timestamp: getMessage('fields.timestamp'),
  /** @param choices those that there are */
  choice: (value: unknown, choices: readonly unknown[]) =>
    getMessage('fields.choice', { value: shorten(JSON.stringify(value) ?? 'undefined'), choices: choices.join(', ') }),
  too_long: (max: number) => getMessage('fields.too_long', { max }),
}

/** Cuts a sent text to its beginning: an error is not as long as its cause. */
function shorten(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}…` : text
}

const MAX_QUOTED_LENGTH = 200

/** Message for a wrong field, or for a missing field or null. */
export function errorMessage(message: string | ((input: unknown) => string)) {
  return (issue: { input?: unknown }): string => {
    if (issue.input === undefined) return fieldMessages.required
    if (issue.input === null) return fieldMessages.not_null
    return typeof message === 'string' ? message : message(issue.input)
  }
}

/** Message for a value that is none of these, or for a missing field or null. */
export function choiceError(choices: readonly unknown[]) {
  return errorMessage((input) => fieldMessages.choice(input, choices))
}

/** Text that is one of these. */
export function choice<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: choiceError(values) })
}

/** Adds the description and examples of a field for the OpenAPI document. Examples have the wire form. */
export function documented<Field extends z.ZodType>(field: Field, description: string, ...examples: unknown[]): Field {
  return field.meta({ description, ...(examples.length > 0 && { examples }) })
}

/**
 * An optional field. A missing field, null and empty text all mean "not given".
 * @param isEmpty which texts are empty
 */
export function optional<T extends z.ZodType>(field: T, isEmpty: (text: string) => boolean = (text) => text === '') {
  const read = (input: unknown) => (input === null || (typeof input === 'string' && isEmpty(input)) ? undefined : input)
  return z.preprocess(read, field.optional()) as z.ZodPipe<
    z.ZodTransform<unknown, z.input<T> | null | undefined>,
    z.ZodOptional<T>
  >
}

/** A field that null or an empty text takes away. */
export function nullable<Field extends z.ZodType>(field: Field) {
  return z.preprocess((input) => (input === '' ? null : input), field.nullable().optional())
}

/** A name of a person, of at most 100 characters. A blank one means "not given". */
export function optionalName(description: string, example: string) {
  return optional(documented(text(100), description, example), (name) => name.trim() === '')
}

/** A text that is not blank, of at most `max` characters. */
export function requiredText(max: number) {
  return text(max).refine((value) => value.trim() !== '', fieldMessages.not_blank)
}

/** A text of at most `max` characters. A number becomes text, because form bodies do not distinguish the two. */
export function text(max: number) {
  return z
    .union([z.string(), z.number()], { error: errorMessage(fieldMessages.string) })
    .transform(String)
    .refine((value) => isAtMost(max, value), { error: fieldMessages.too_long(max), abort: true })
    .meta({ type: 'string', maxLength: max })
}

/** Returns true if a text has at most `max` characters. Skips the count if the length alone shows that it has more. */
function isAtMost(max: number, value: string): boolean {
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max)
}

/** An amount as a person types it. It may be zero or negative unless the caller checks that. */
export const anyAmount = requiredText(25).transform((text, context) => {
  const parsed = parseAmount(text.trim())
  if (parsed === undefined) context.addIssue({ code: 'custom', message: fieldMessages.number })
  return parsed ?? 0n
})

/** A positive amount: at most four decimals and fifteen digits before the point, no separators. */
export const positiveAmount = z
  .union([z.string(), z.number()], { error: errorMessage(fieldMessages.number) })
  .transform((input, context): Amount => {
    const [amount, message] = parsePositiveAmount(String(input).trim())
    if (message) context.addIssue({ code: 'custom', message })
    return amount
  })
  .meta({ description: 'Decimal without thousands separators; a string keeps all digits.', examples: ['1500'] })

/** A whole number, as a number or as text. */
export function integer(bounds: { min?: number; max?: number } = {}) {
  const { min, max } = bounds
  return z
    .union([z.string(), z.number()], { error: errorMessage(fieldMessages.integer) })
    .transform((input, context) => {
      const plain = String(input).trim()
      const value = /^[+-]?\d{1,16}(\.0+)?$/.test(plain) ? Number(plain) : Number.NaN
      if (!Number.isSafeInteger(value)) context.addIssue({ code: 'custom', message: fieldMessages.integer })
      else if (min !== undefined && value < min)
        context.addIssue({ code: 'custom', message: getMessage('fields.at_least', { min }) })
      else if (max !== undefined && value > max)
        context.addIssue({ code: 'custom', message: getMessage('fields.at_most', { max }) })
      return value
    })
    .meta({
      type: 'integer',
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    })
}

/** A boolean in any of the spellings that forms use: `true`, `1`, `yes`, `false`, `0`, `no`. */
export const booleanField = z
  .union([z.boolean(), z.string(), z.number()], { error: errorMessage(fieldMessages.boolean) })
  .transform((input, context) => {
    const word = String(input).trim().toLowerCase()
    if (['true', '1', 'yes'].includes(word)) return true
    if (!['false', '0', 'no'].includes(word)) context.addIssue({ code: 'custom', message: fieldMessages.boolean })
    return false
  })
  .meta({ type: 'boolean' })

/** The wire form of a timestamp: `2026-01-31T12:00:00Z` (interface section 1). */
export const timestamp = z
  .codec(z.string(), z.date(), { decode: (wire) => new Date(wire), encode: formatTimestamp })
  .meta({ format: 'date-time', examples: ['2030-01-31T12:00:00Z'] })

/** The wire form of an amount: a string with four decimals. */
export const amount = z
  .codec(z.string(), z.bigint(), { decode: (wire) => parseAmount(wire) ?? 0n, encode: formatAmount })
  .meta({ examples: ['1500.0000'] })

/** An amount as a JSON number on the wire. It is written from its exact text, never from a float. */
export const amountNumber = z
  .codec(z.unknown(), z.bigint(), {
    decode: (wire) => parseAmount(String(wire)) ?? 0n,
    encode: (exact) => rawJson(formatAmount(exact)),
  })
  .meta({ type: 'number', examples: [1500.5] })

/** The id of an object. A JSON number holds it exactly. */
export const id = z.int().meta({ examples: [1] })

/** The wire form of `updated_by` is a string of digits or null (interface-gaps: Objects). */
export const updatedBy = z
  .codec(z.string().nullable(), z.int().nullable(), {
    decode: (wire) => (wire === null ? null : Number(wire)),
    encode: (user) => (user === null ? null : String(user)),
  })
  .meta({ examples: [null, '7'] })

/** The errors of zod in the form of the interface: every invalid field with its messages (section 7). */
export function fieldErrors(issues: readonly { path: readonly PropertyKey[]; message: string }[]): FieldErrors {
  const fields = new Map<string, Set<string>>()
  for (const issue of issues) {
    const field = String(issue.path[0] ?? 'non_field_errors')
    const messages = fields.get(field) ?? new Set()
    fields.set(field, messages.add(issue.message))
  }
  return Object.fromEntries(Array.from(fields, ([field, messages]) => [field, [...messages]]))
}

const MAX_WHOLE_DIGITS = 15

function parsePositiveAmount(plain: string): [Amount, string | undefined] {
  const value = parseAmount(plain)
  if (value === undefined) {
    const too_many_decimals = /^[+-]?\d+\.\d+$/.test(plain)
    return [0n, too_many_decimals ? getMessage('fields.decimals') : fieldMessages.number]
  }
  if (value <= 0n) return [0n, getMessage('fields.above_zero')]
  if (value >= 10n ** BigInt(MAX_WHOLE_DIGITS + 4)) return [0n, getMessage('fields.digits', { max: MAX_WHOLE_DIGITS })]
  return [value, undefined]
}

/** ECMAScript's JSON.rawJSON, which TypeScript does not know yet: JSON.stringify writes this text unchanged. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }

export const NOT_A_DICTIONARY = getMessage('fields.dictionary')

/** A phone number with its country code, in any usual notation. The result includes its country. */
export const phonenumber = z
  .union([z.string(), z.number()], { error: errorMessage(fieldMessages.phone) })
  .transform((input, context) => {
    const phone = parsePhone(String(input))
    if (!phone) context.addIssue({ code: 'custom', message: fieldMessages.phone })
    return phone ?? { number: '', country: '' }
  })
  .meta({ type: 'string', description: 'Phone number with the country code.', examples: ['+80000000000'] })

/**
 * An object of the caller, on its way out unchanged. A record of zod would leave out the name `__proto__`, which is allowed
 * as every other.
 */
export const callersObject = z
  .unknown()
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} }) as unknown as z.ZodType<
  Record<string, unknown>,
  Record<string, unknown>
>

/** Metadata limits: 50 keys of 40 characters, string values of 500 (interface-gaps: Requests and answers). */
export const metadata = z
  .unknown()
  .transform((input, context) => {
    const object = parseObject(input)
    const message = object ? metadataError(object) : NOT_A_DICTIONARY
    if (message) context.addIssue({ code: 'custom', message })
    return object ?? {}
  })
  .meta({
    type: ['object', 'string'],
    description: 'Custom attributes, as an object or a JSON text of one. `the service` is also accepted as the name.',
    examples: [{ order: 7 }],
  })

function metadataError(object: Record<string, unknown>): string | undefined {
  const entries = Object.entries(object)
  if (entries.length > 50) return getMessage('fields.metadata_keys')
  if (entries.some(([key]) => key.length > 40)) return getMessage('fields.metadata_key')
  if (entries.some(([, value]) => textLength(value) > 500)) return getMessage('fields.metadata_value')
  return undefined
}

/** The length of a metadata value. A nested value counts as its JSON text. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length
  return value !== null && typeof value === 'object' ? JSON.stringify(value).length : 0
}

/**
 * Reads a list that forms and some clients send as a JSON text. A text that is no list, or holds values that no body
 * may hold, stays a text.
 */
export function readList(input: unknown): unknown {
  return typeof input === 'string' ? (parseList(input) ?? input) : input
}

/** Every list that may be a text has fewer items. */
const MAX_ITEMS_OF_TEXT = 1_001

/** The items of a list that is written as a text, with commas or blanks between them. */
export function splitList(text: string): string[] {
  return text.split(/[\s,]+/, MAX_ITEMS_OF_TEXT).filter((item) => item !== '')
}
