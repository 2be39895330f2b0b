import { z } from 'zod'
import { type Fragment, sql } from '../db/sql.ts'
import { type Amount, parseAmount } from '../lib/money.ts'
import { normalizePhoneFilter } from '../lib/phone.ts'
import { parseFilterDate } from '../lib/time.ts'
import { fieldMessages } from './fields.ts'

/** A text that is matched exactly, case included. */
export function exactText(description: string, example: string) {
  return z
    .string()
    .optional()
    .meta({ description, examples: [example] })
}

/** An amount that is matched exactly, however it is written. */
export function exactAmount() {
  return z
    .string()
    .transform((text, context): Amount => {
      const amount = parseAmount(text.trim())
      if (amount === undefined) context.addIssue({ code: 'custom', message: fieldMessages.number })
      return amount ?? 0n
    })
    .optional()
    .meta({ description: 'Exact amount; `100` finds `100.0000`.', examples: ['1500'] })
}

/** A phone number, with its plus sign or without. */
export function exactPhone() {
  return z
    .string()
    .transform(normalizePhoneFilter)
    .optional()
    .meta({
      description: 'International format; a missing `+` is added. A literal plus is sent as `%2B`.',
      examples: ['+80000000000'],
    })
}

/** A moment, in any of the forms that the lists take (interface-gaps: Lists). */
export function timestampFilter(description: string) {
  return z
    .string()
    .transform((text, context): Date => {
      const date = parseFilterDate(text)
      if (!date) context.addIssue({ code: 'custom', message: fieldMessages.moment })
      return date ?? new Date(0)
    })
    .optional()
    .meta({ description, examples: ['2030-01-31T12:00:00Z'] })
}

/** What a where clause asks of a row. */
export type Condition = Fragment

/** How each filter of a list is written as a condition. */
export type ConditionBuilders<Filters> = { [Name in keyof Filters]-?: (value: NonNullable<Filters[Name]>) => Condition }

/** The filters that are given, each as a condition, all of which must hold. */
export function buildCondition<Filters extends object>(
  written: ConditionBuilders<Filters>,
  filters: Partial<Filters>,
): Condition {
  const write = <Name extends keyof Filters>(name: Name): Condition[] => {
    const value = filters[name]
    return value === undefined || value === null ? [] : [written[name](value)]
  }
  const given = (Object.keys(written) as (keyof Filters)[]).flatMap(write)
  return sql.join([sql.always, ...given], ' and ')
}

export interface PageOptions {
  limit: number
  offset: number
  descending: boolean
}
