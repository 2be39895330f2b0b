import { z } from 'zod'
import { type Fragment, sql } from '../db/sql.ts'
import { type Amount, parseAmount } from '../lib/money.ts'
import { normalizePhoneFilter } from '../lib/phone.ts'
import { parseFilterDate } from '../lib/time.ts'
import { fieldMessages, integer } from './fields.ts'

/** A text that must match exactly, including upper and lower case. */
export function exactText(description: string, example: string) {
  return z
    .string()
    .optional()
    .meta({ description, examples: [example] })
}

/** The id of an object. */
export function exactId(description: string) {
  return integer()
    .optional()
    .meta({ description, examples: [12] })
}

/** Amount of a filter, in any notation: `100` matches `100.0000`. */
export const filterAmount = z.string().transform((text, context): Amount => {
  const amount = parseAmount(text.trim())
  if (amount === undefined) context.addIssue({ code: 'custom', message: fieldMessages.number })
  return amount ?? 0n
})

/** An amount that must match exactly. */
export function exactAmount() {
  return filterAmount.optional().meta({ description: 'Exact amount; `100` finds `100.0000`.', examples: ['1500'] })
}

/** Phone number of a filter, with or without its plus sign. */
export const filterPhone = z.string().transform(normalizePhoneFilter)

/** A phone number that must match exactly. */
export function exactPhone() {
  return filterPhone.optional().meta({
    description: 'International format; a missing `+` is added. A literal plus is sent as `%2B`.',
    examples: ['+80000000000'],
  })
}

/** Date or time of a filter, in any format that the lists accept (interface-gaps: Lists). */
export const filterTime = z.string().transform((text, context): Date => {
  const date = parseFilterDate(text)
  if (!date) context.addIssue({ code: 'custom', message: fieldMessages.timestamp })
  return date ?? new Date(0)
})

/** A limit of times, which it excludes. */
export function timestampFilter(description: string) {
  return filterTime.optional().meta({ description, examples: ['2030-01-31T12:00:00Z'] })
}

/** A condition of a where clause. */
export type Condition = Fragment

/** Functions that write the filters of a list as conditions. */
export type ConditionBuilders<Filters> = { [Name in keyof Filters]-?: (value: NonNullable<Filters[Name]>) => Condition }

/** Builds one condition that is true if all given filters match. */
export function buildCondition<Filters extends object>(
  builders: ConditionBuilders<Filters>,
  filters: Partial<Filters>,
): Condition {
  const write = <Name extends keyof Filters>(name: Name): Condition[] => {
    const value = filters[name]
    return value === undefined || value === null ? [] : [builders[name](value)]
  }
  const given = (Object.keys(builders) as (keyof Filters)[]).flatMap(write)
  return sql.join([sql.always, ...given], ' and ')
}

export interface PageOptions {
  limit: number
  offset: number
  descending: boolean
}
