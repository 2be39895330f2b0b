import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { choiceError, optional } from '../fields.ts'
import { type OverpaymentRule, overpaymentRules } from './decide.ts'

/** The answers to a network that asks about an unknown number. */
export const unknownNumberRules = ['accept', 'reject'] as const

/** Settings of an organization for money that it did not ask for. */
export const MatchingSettings = z
  .object({
    overpayment: z.enum(overpaymentRules, { error: choiceError(overpaymentRules) }).meta({
      description:
        'Rule for overpayments: `keep` leaves the surplus unmatched, `credit` makes it credit for the next invoice, `return` sends it back.',
      examples: ['credit'],
    }),
    unknown_number: z.enum(unknownNumberRules, { error: choiceError(unknownNumberRules) }).meta({
      description: 'Answer to a network that validates payments in advance, when the payer typed an unknown number.',
      examples: ['accept'],
    }),
  })
  .meta({ id: 'MatchingSettings' })
export type MatchingSettings = z.output<typeof MatchingSettings>

/** Body that changes the settings. Missing fields stay as they are. */
export const matchingSettingsBody = z
  .object({
    overpayment: optional(MatchingSettings.shape.overpayment),
    unknown_number: optional(MatchingSettings.shape.unknown_number),
  })
  .meta({ id: 'MatchingSettingsChanges', examples: [{ overpayment: 'credit' }] })

const settingsTable = table('matching_settings', {
  organization: column.bigint().key(),
  overpayment: column.text<OverpaymentRule>(),
  unknown_number: column.text<MatchingSettings['unknown_number']>(),
  modified: column.timestamptz(),
})

const DEFAULT: MatchingSettings = { overpayment: 'keep', unknown_number: 'accept' }

export async function readMatchingSettings(db: AnyReader, organization: number): Promise<MatchingSettings> {
  const [row] = await db<MatchingSettings[]>`
    select overpayment, unknown_number from matching_settings where organization = ${organization}`
  return row ?? DEFAULT
}

/** Changes the settings of an organization. @returns all of them */
export async function setMatchingSettings(
  tx: Tx,
  now: Date,
  organization: number,
  given: { overpayment?: OverpaymentRule | undefined; unknown_number?: MatchingSettings['unknown_number'] | undefined },
): Promise<MatchingSettings> {
  const stored = await readMatchingSettings(tx, organization)
  const settings = {
    overpayment: given.overpayment ?? stored.overpayment,
    unknown_number: given.unknown_number ?? stored.unknown_number,
  }
  await tx`
    ${insert(settingsTable, [settings], { organization, modified: truncateToSecond(now) })}
    ${settingsTable.replace(['overpayment', 'unknown_number', 'modified'])}`
  return settings
}
