import { z } from 'zod'
import { checkPattern } from './account-patterns.ts'
import type { Service } from './catalogue.ts'

/* The rule for the account numbers of a service, as a catalogue file says it (docs/bills.md, "The catalogue"). */

const count = z.int().min(1, 'This must be at least 1.')
const MAX_LENGTH = 60

const name = z
  .string()
  .regex(/^\S(.{0,38}\S)?$/, 'This must be a text of at most 40 characters, such as "IUC number".')
  .optional()

const pattern = z.string().superRefine((text, context) => {
  const problem = checkPattern(text)
  if (problem !== undefined) context.addIssue(problem)
})

const TextRule = z
  .strictObject({
    kind: z.literal('text'),
    least: count.optional(),
    most: count.max(MAX_LENGTH, `This must be at most ${MAX_LENGTH}.`).optional(),
    patterns: z
      .array(pattern)
      .min(1, 'There must be at least one pattern.')
      .max(10, 'There may be at most 10 patterns.')
      .optional(),
    keep_case: z.boolean().default(false),
    name,
  })
  .refine(
    ({ least, most, patterns }) =>
      patterns === undefined ? least !== undefined && most !== undefined : least === undefined && most === undefined,
    'There must be either patterns, or least and most.',
  )

/** The rule for the account numbers of one service in a file. */
export const accountRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('phone') }),
  z.strictObject({ kind: z.literal('meter') }),
  z.strictObject({ kind: z.literal('digits'), least: count, most: count, name }),
  TextRule,
])

/** The columns of a service that hold its rule. */
export function toAccountFields(rule: z.output<typeof accountRule> | undefined) {
  const fields = { account_name: null, min_account_digits: null, max_account_digits: null, account_patterns: null }
  const given: Partial<Service> =
    rule?.kind === 'digits' || rule?.kind === 'text'
      ? {
          account_name: rule.name ?? null,
          min_account_digits: rule.least ?? null,
          max_account_digits: rule.most ?? null,
        }
      : {}
  const of_text: Partial<Service> =
    rule?.kind === 'text' ? { account_patterns: rule.patterns ?? null, account_keeps_case: rule.keep_case } : {}
  return { account_kind: rule?.kind ?? null, ...fields, account_keeps_case: false, ...given, ...of_text }
}
