import type { AnyReader } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'

/**
 * SQL: the name of the service of a purchase, as the catalogue has it: "Ikeja Prepaid". A service that has left the
 * catalogue has the words of its code.
 * @param purchase the alias of the row with the `kind` and the `service_type`
 */
export function serviceName(purchase: string): Fragment {
  const column = (name: string) => sql.identifier(`${purchase}.${name}`)
  return sql`coalesce(
    (select s.name from catalogue_services s where s.category = ${column('kind')} and s.service_type = ${column('service_type')}),
    replace(${column('service_type')}, '_', ' '))`
}

/** Adds the names of their services to purchases that a person reads. Programs get the codes alone. */
export async function nameServices<Named extends { id: number; kind: string; service_type: string }>(
  db: AnyReader,
  purchases: readonly Named[],
): Promise<(Named & { service_name: string })[]> {
  if (purchases.length === 0) return []
  const asked = purchases.map(({ id, kind, service_type }) => ({ id, kind, service_type }))
  const known = await db<{ id: number; name: string }[]>`
    select p.id, ${serviceName('p')} as name
    from ${rows(asked, { id: 'bigint', kind: 'text', service_type: 'text' }).as('p')}`
  const byId = new Map(known.map(({ id, name }) => [id, name]))
  return purchases.map((purchase) => ({ ...purchase, service_name: byId.get(purchase.id)! }))
}
