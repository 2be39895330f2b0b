import type { AnyReader } from '../../db/client.ts'
import type { PendingMatch } from './allocations.ts'

/** Reads the changes of a collection's allocations that wait for a second manager, oldest first. */
export async function readPendingMatches(
  db: AnyReader,
  now: Date,
  { organization, id }: { organization: number; id: number },
): Promise<PendingMatch[]> {
  const rows = await db<PendingMatch[]>`
    select c.id, c.description, c.author, a.name as author_name, c.created, c.expires
    from control_changes c left join users a on a.id = c.author
    where c.organization = ${organization} and c.state = 'pending' and c.expires > ${now}
      and c.change->'request'->>'collection' = ${String(id)}
    order by c.id`
  return [...rows]
}
