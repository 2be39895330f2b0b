import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { amount } from '../fields.ts'
import { currencyError } from '../ledger/currencies.ts'
import { Invalid } from '../refusals.ts'
import { MAX_THRESHOLD } from '../spending/approval-rules.ts'

/** Above this amount money in a currency is matched by two persons. */
export const MatchingThreshold = z.object({ currency: z.string(), threshold: amount })
export type MatchingThreshold = z.output<typeof MatchingThreshold>

const thresholdTable = table('matching_thresholds', {
  organization: column.bigint().key(),
  currency: column.text().key(),
  threshold: column.numeric(),
})

/** The thresholds of an organization, by currency. */
export async function listMatchingThresholds(db: AnyReader, organization: number): Promise<MatchingThreshold[]> {
  const rows = await db<MatchingThreshold[]>`
    select currency, threshold from matching_thresholds where organization = ${organization} order by currency`
  return [...rows]
}

/** The threshold in a currency; null where one person matches any amount. */
export async function readMatchingThreshold(
  db: AnyReader,
  organization: number,
  currency: string,
): Promise<Amount | null> {
  const [row] = await db<{ threshold: Amount }[]>`
    select threshold from matching_thresholds where organization = ${organization} and currency = ${currency}`
  return row?.threshold ?? null
}

/** Sets a threshold; null removes it. Changes that wait already are not affected. */
export async function setMatchingThreshold(
  tx: Tx,
  organization: number,
  { currency, threshold }: { currency: string; threshold: Amount | null },
): Promise<void> {
  if (threshold === null)
    await tx`delete from matching_thresholds where organization = ${organization} and currency = ${currency}`
  else
    await tx`
      ${insert(thresholdTable, [{ currency, threshold }], { organization })} ${thresholdTable.replace(['threshold'])}`
}

/** @throws Invalid if the currency does not exist, or the amount cannot be stored */
export async function requireMatchingThreshold(
  db: Reader,
  { currency, threshold }: { currency: string; threshold: Amount | null },
): Promise<void> {
  const currency_error = await currencyError(db, currency)
  if (currency_error) throw new Invalid({ currency: [currency_error] })
  if (threshold !== null && threshold < 0n) throw new Invalid({ threshold: [getMessage('fields.not_negative')] })
  if (threshold !== null && threshold > MAX_THRESHOLD)
    throw new Invalid({ threshold: [getMessage('fields.digits', { max: 15 })] })
}
