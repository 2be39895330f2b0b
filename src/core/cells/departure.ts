import type { Reader, Tx } from '../../db/client.ts'
import { cellMark } from '../../lib/text/cells.ts'
import { announceAccessChange } from '../access/api-keys.ts'
import { passFence } from './move-rows.ts'

/**
 * Let an organization leave this cell for good. Its numbers and addresses lead to the new cell, its people sign in there, and
 * what stays of it gives no permission.
 */
export async function departOrganization(tx: Tx, now: Date, organization: number): Promise<void> {
  await passFence(tx, organization)
  await tx`
    insert into departed_places (connection, number, currency, organization)
    select p.connection, p.number, p.currency, ${organization}::bigint from connection_places p join accounts a on a.id = p.account
    where a.organization = ${organization} and p.unrequested`
  await tx`
    insert into departed_codes (code, organization)
    select token, ${organization}::bigint from payment_links where organization = ${organization}
    union select code, ${organization}::bigint from receipts where organization = ${organization}
    union select code, ${organization}::bigint from invoices where organization = ${organization}
    union select o.reference, ${organization}::bigint from network_orders o join connection_places p
      on p.connection = o.connection and p.number = o.receiver and p.currency = o.currency join accounts a on a.id = p.account
    where o.organization = ${organization} and a.organization <> ${organization}`
  await tx`delete from passkey_challenges where session in (select id from sessions where organization = ${organization})`
  await tx`delete from sessions where organization = ${organization}`
  await tx`update memberships set permissions = '{}' where organization = ${organization}`
  // No new orders; callbacks that still come are taken and passed on.
  await tx`update connections set state = 'paused', modified = ${now} where organization = ${organization} and state = 'active'`
  const gone = await tx<{ id: number }[]>`
    update users u set email = 'moved-' || id || '@cell.invalid', password_hash = null, totp_secret = null, totp_confirmed = null
    where kind = 'person' and id in (select "user" from memberships where organization = ${organization})
      and not exists (select from memberships m where m."user" = u.id and m.permissions <> '{}')
    returning id`
  const ids = gone.map(({ id }) => id)
  await tx`delete from passkey_challenges where session in (select id from sessions where "user" = any(${ids}::bigint[]))`
  await tx`delete from sessions where "user" = any(${ids}::bigint[])`
  await tx`delete from passkeys where "user" = any(${ids}::bigint[])`
  await tx`delete from recovery_codes where "user" = any(${ids}::bigint[])`
  await announceAccessChange(tx)
}

/** Entry of a map of the load balancer, which leads calls of an organization that has left to its cell. */
export interface MapEntry {
  /** The file of deploy/cells/maps. */
  map: string
  entry: string
  cell: string
}

/**
 * List the entries of organizations that have left: digests of their keys, names that sign, and callback addresses of their own
 * connections. Their pages need none, since this cell leads them on.
 */
export async function listMapEntries(db: Reader, own: number): Promise<MapEntry[]> {
  const found = await db<{ map: string; entry: string; cell: number }[]>`
    select e.map, e.entry, m.other_cell as cell from organization_moves m cross join lateral (
      select 'moved-keys.map' as map, upper(encode(hash, 'hex')) as entry from api_keys
      where organization = m.organization and revoked is null
      union all
      select 'keys.map', s.username from signing_users s join api_keys k on k.id = s.api_key
      where k.organization = m.organization and s.revoked is null
      union all
      select 'paths.map', ${`/api/callbacks/${cellMark(own)}`} || slug || '/' from connections
      where organization = m.organization) e
    where m.role = 'source' and m.step in ('redirected', 'moved') order by 1, 2`
  return found.map((row) => ({ ...row, cell: `cell${row.cell}` }))
}
