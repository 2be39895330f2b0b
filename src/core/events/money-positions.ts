import type { Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { findLastCommittedEventId } from './events.ts'

const positionTable = table('money_positions', { organization: column.bigint().key(), event_position: column.bigint() })

/** Starts to match the money that an organization receives with its purpose, if that has not started before. */
export async function followPayments(tx: Tx, organization: number): Promise<void> {
  const [known] = await tx`select 1 from money_positions where organization = ${organization}`
  if (known) return
  const position = { organization, event_position: await findLastCommittedEventId(tx) }
  await tx`${insert(positionTable, [position], {})} on conflict (organization) do nothing`
}
