import type { Tx } from '../../db/client.ts'
import { findLastCommittedEventId } from './events.ts'

/** Starts to match the money that an organization receives with its purpose, if that has not started before. */
export async function followPayments(tx: Tx, organization: number): Promise<void> {
  const [known] = await tx`select 1 from money_positions where organization = ${organization}`
  if (known) return
  const position = await findLastCommittedEventId(tx)
  await tx`
    insert into money_positions (organization, event_position) values (${organization}, ${position})
    on conflict (organization) do nothing`
}
