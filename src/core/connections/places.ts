import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { lockConnections } from './changes-lock.ts'
import { scheduleUnassigned } from './unassigned-payments.ts'

const placeTable = table('connection_places', {
  /** The slug. */
  connection: column.text().key(),
  account: column.bigint().key(),
  /** Number of ours: till, short code or merchant number. */
  number: column.text(),
  /** Currency of the account. */
  currency: column.text(),
  /** ISO 3166-1, two letters; null where the number serves all countries of the connection. */
  country: column.text().nullable(),
  /** Directions of use: the account collects here, pays out from here, or both. */
  collects: column.boolean().default(true),
  pays_out: column.boolean().default(true),
  /** True if money to this number without an order belongs to this account. */
  unrequested: column.boolean().default(true),
})

/** Account that uses a connection, and our number at the network. */
export interface ConnectionPlace extends Row<typeof placeTable> {
  /** Owner of the account. */
  organization: number
}

/** A place that is to be added. */
export type NewPlace = Pick<ConnectionPlace, 'connection' | 'account' | 'number'> &
  Partial<Pick<ConnectionPlace, 'country' | 'collects' | 'pays_out' | 'unrequested'>>

/** Changeable fields of a merchant number. */
type PlaceChange = Partial<Omit<NewPlace, 'connection' | 'account'>>

/** The places of one connection, or of all. */
export async function listPlaces(db: Reader, connection?: string): Promise<ConnectionPlace[]> {
  return db<ConnectionPlace[]>`
    select ${COLUMNS} from connection_places p join accounts a on a.id = p.account
    where ${connection === undefined ? sql.always : sql`p.connection = ${connection}`} order by p.connection, p.account`
}

/** Use of a connection by an account, if it has one. */
export async function findPlace(db: Reader, connection: string, account: number): Promise<ConnectionPlace | undefined> {
  const [place] = await db<ConnectionPlace[]>`
    select ${COLUMNS} from connection_places p join accounts a on a.id = p.account
    where p.connection = ${connection} and p.account = ${account}`
  return place
}

/** Reads the use of a connection by an account. @throws NotFound */
export async function getPlace(db: Reader, connection: string, account: number): Promise<ConnectionPlace> {
  const place = await findPlace(db, connection, account)
  if (!place) throw new NotFound(getMessage('places.account_no_place', { account, connection }))
  return place
}

/**
 * Lets an account use a connection, under a number of ours. A job assigns money that the number has received before to
 * the account, if the currency matches.
 * @throws Invalid if the account may not use it, has a number there already, or the number belongs to another one
 */
export async function addPlace(tx: Tx, place: NewPlace): Promise<ConnectionPlace> {
  await lockConnections(tx)
  await requireUsable(tx, place)
  const { connection, account, number, country } = place
  const { collects = true, pays_out = true, unrequested = true } = place
  const given = { currency: sql`a.currency`, country, collects, pays_out, unrequested }
  const inserted = await tx`
    ${insert(placeTable, [place], given)} join accounts a on a.id = r.account
    on conflict do nothing returning account`
  if (inserted.length === 0)
    throw new Invalid({ number: [getMessage('places.account_assigned_already', { number, connection })] })
  if (unrequested) await scheduleUnassigned(tx, place)
  return getPlace(tx, connection, account)
}

/**
 * Changes the use of a connection by an account. Another number is refused while orders of the account are open there.
 * @throws NotFound, Invalid
 */
export async function changePlace(
  tx: Tx,
  connection: string,
  account: number,
  change: PlaceChange,
): Promise<ConnectionPlace> {
  await lockConnections(tx)
  const before = await getPlace(tx, connection, account)
  const after = { ...before, ...change }
  if (after.number !== before.number) await requireNothingOpenAt(tx, connection, account)
  await requireUsable(tx, after)
  await requireFree(tx, after)
  await tx`
    update connection_places set number = ${after.number}, country = ${after.country}, collects = ${after.collects},
      pays_out = ${after.pays_out}, unrequested = ${after.unrequested}
    where connection = ${connection} and account = ${account}`
  if (after.unrequested) await scheduleUnassigned(tx, after)
  return after
}

/** Takes a connection from an account. @throws NotFound, Invalid while orders of the account are open there */
export async function removePlace(tx: Tx, connection: string, account: number): Promise<ConnectionPlace> {
  await lockConnections(tx)
  const place = await getPlace(tx, connection, account)
  await requireNothingOpenAt(tx, connection, account)
  await tx`delete from connection_places where connection = ${connection} and account = ${account}`
  return place
}

/** Requires that the account may use the connection under this number. @throws Invalid with the reason */
export async function requireUsable(tx: Tx, { connection, account, number, country }: NewPlace): Promise<void> {
  const [[owner], [wallet]] = await Promise.all([
    tx<{ kind: string; organization: number | null; state: string }[]>`
      select kind, organization, state from connections where slug = ${connection} and state <> 'removed'`,
    tx<{ organization: number; currency: string }[]>`
      select organization, currency from accounts where id = ${account} and kind in ('local', 'cross_border')`,
  ])
  if (!owner) throw new Invalid({ connection: [getMessage('connections.none', { connection })] })
  if (owner.kind !== 'network')
    throw new Invalid({
      connection: [getMessage('places.connection_none_network', { connection })],
    })
  if (!wallet) throw new Invalid({ account: [getMessage('wallets.none', { account })] })
  if (owner.organization !== null && owner.organization !== wallet.organization)
    throw new Invalid({ account: [getMessage('places.connection_belongs_another', { connection })] })
  if (!/^\S(.{0,98}\S)?$/.test(number)) throw new Invalid({ number: [getMessage('places.number_1_100')] })
  if (country && !/^[A-Z]{2}$/.test(country)) throw new Invalid({ country: [getMessage('places.enter_two_capital')] })
  if (owner.state !== 'draft') await requireNoTwins(tx, connection, [{ number, currency: wallet.currency }])
}

/**
 * Requires that no other connection has one of these numbers at the same network, if it is or was in service. It would
 * report the same money, which would be credited twice. A draft keeps a number from nobody.
 * @throws Invalid. It names the other connection to its own organization and to the operator only.
 */
export async function requireNoTwins(
  tx: Tx,
  connection: string,
  places: readonly Pick<ConnectionPlace, 'number' | 'currency'>[],
): Promise<void> {
  if (places.length === 0) return
  const [twin] = await tx<{ slug: string; number: string; currency: string; may_be_named: boolean }[]>`
    select c.slug, p.number, p.currency,
      t.organization is null or c.organization is not distinct from t.organization as may_be_named
    from connections t
    join connections c on c.driver = t.driver and c.environment = t.environment and c.slug <> t.slug
      and c.state in ('active', 'paused')
    join connection_places p on p.connection = c.slug
    join ${rows(places, { number: 'text', currency: 'text' }).as('n')} on n.number = p.number and n.currency = p.currency
    where t.slug = ${connection} limit 1`
  if (!twin) return
  const { slug, number, currency, may_be_named } = twin
  throw new Invalid({
    number: [
      may_be_named
        ? getMessage('places.belongs_connection_same', { number, currency, slug })
        : getMessage('places.service_already_if', { number, currency }),
    ],
  })
}

/** @throws Invalid if the unrequested money of this number belongs to another account */
async function requireFree(tx: Tx, { connection, account, number, currency, unrequested }: ConnectionPlace) {
  if (!unrequested) return
  const [other] = await tx<{ account: number }[]>`
    select account from connection_places
    where connection = ${connection} and number = ${number} and currency = ${currency} and unrequested
      and account <> ${account}`
  if (other)
    throw new Invalid({
      number: [getMessage('places.unrequested_money_belongs', { number, connection, account: other.account })],
    })
}

/** @throws Invalid */
async function requireNothingOpenAt(tx: Tx, connection: string, account: number): Promise<void> {
  const [open] = await tx<{ requests: number; payouts: number }[]>`
    select
      (select count(*) from open_collection_requests o join collection_requests r on r.id = o.collection_request
        where o.account = ${account} and r.connection = ${connection}) as requests,
      (select count(*) from payment_recipients r join payments p on p.id = r.payment
        where r.connection = ${connection} and p.account = ${account}
          and r.state not in ('complete', 'error', 'aborted')) as payouts`
  const { requests, payouts } = open!
  if (requests + payouts > 0)
    throw new Invalid({
      account: [getMessage('places.account_still_open', { account, requests, payouts })],
    })
}

const COLUMNS = sql`${placeTable.columnsOf('p')}, a.organization`
