import type { Tx } from '../../db/client.ts'
import { findLastCommittedEventId } from './events.ts'

/** From now on, the money that an organization receives is matched with what it is for, if it was not so before. */
export async function followPayments(tx: Tx, organization: number): Promise<void> {
  const [known] = await tx`select 1 from money_positions where organization = ${organization}`
  if (known) return
  const position = await findLastCommittedEventId(tx)
  await tx`
    insert into money_positions (organization, event_position) values (${organization}, ${position})
    on conflict (organization) do nothing`
}
