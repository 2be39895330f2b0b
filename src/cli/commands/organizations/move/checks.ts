import type { App } from '../../../../app.ts'
import { listMovingUsers } from '../../../../core/cells/move-rows.ts'
import type { Reader } from '../../../../db/client.ts'

/**
 * Return the reasons why an organization cannot move to this cell, in sentences; empty if it can.
 * @param is_copied true if the target has a copy of it
 */
export async function findObstacles(
  source: App,
  target: App,
  organization: number,
  { is_copied } = { is_copied: false },
): Promise<string[]> {
  const settings = compareSettings(source, target)
  if (settings.length > 0) return settings
  const found = await Promise.all([
    compareMigrations(source.db, target.db),
    is_copied ? [] : checkPresence(target.db, organization),
    checkPeople(source.db, target.db, organization),
    checkConnections(source.db, target.db, organization),
    checkNames(source.db, target.db, organization),
    checkArchive(source.db),
  ])
  return found.flat()
}

function compareSettings({ config: source }: App, { config: target }: App): string[] {
  if (source.CELL === target.CELL) return [`The settings of --to belong to this cell, ${source.CELL}.`]
  const obstacles: string[] = []
  // Ids are the order in which things were made, in lists, feeds and positions.
  if (target.CELL < source.CELL)
    obstacles.push(
      `Ids of cell ${target.CELL} are lower than ids of cell ${source.CELL}. An organization moves to a cell with a higher number.`,
    )
  if (source.MODE !== target.MODE) obstacles.push(`MODE is ${source.MODE} here and ${target.MODE} there.`)
  if (source.CELLS[target.CELL] === undefined)
    obstacles.push(`CELLS of this cell has no address of cell ${target.CELL}, to which callbacks are passed on.`)
  if (source.CELLS_SECRET === undefined || source.CELLS_SECRET !== target.CELLS_SECRET)
    obstacles.push('CELLS_SECRET must be set, and the same in both cells.')
  return obstacles
}

async function compareMigrations(source: Reader, target: Reader): Promise<string[]> {
  const [here, there] = await Promise.all([source, target].map((db) => db`select name from migrations order by name`))
  return JSON.stringify(here) === JSON.stringify(there)
    ? []
    : ['The databases are of different versions. Upgrade both cells to the same version first.']
}

async function checkPresence(target: Reader, organization: number): Promise<string[]> {
  const found = await target`select 1 from organizations where id = ${organization}`
  return found.length === 0 ? [] : ['The other cell has this organization already.']
}

/** A person has one account in a cell. */
async function checkPeople(source: Reader, target: Reader, organization: number): Promise<string[]> {
  const people = await listMovingUsers(source, organization)
  const emails = people.flatMap(({ email }) => email ?? [])
  const others = await target<{ email: string }[]>`
    select email from users where email = any(${emails}::text[]) and id <> all(${people.map(({ id }) => id)}::bigint[])
    order by email`
  return others.map(
    ({ email }) => `${email} has another account in the other cell. Change the e-mail address of one of the two.`,
  )
}

/** Shared connections must be there under the same names, and own ones must not meet one of the same name. */
async function checkConnections(source: Reader, target: Reader, organization: number): Promise<string[]> {
  const used = await source<{ slug: string; driver: string; environment: string; is_own: boolean }[]>`
    select slug, driver, environment, organization is not null as is_own from connections
    where organization = ${organization} or slug in (
      select p.connection from connection_places p join accounts a on a.id = p.account where a.organization = ${organization}
      union select connection from accounts where organization = ${organization}
      union select connection from network_orders where organization = ${organization} and due_at is not null)
    order by slug`
  const there = await target<{ slug: string; driver: string; environment: string; organization: number | null }[]>`
    select slug, driver, environment, organization from connections where slug = any(${used.map(({ slug }) => slug)}::text[])`
  return used.flatMap(({ slug, driver, environment, is_own }) => {
    const same = there.find((one) => one.slug === slug)
    if (is_own)
      return same && same.organization !== organization ? [`The other cell has a connection ${slug} already.`] : []
    return same?.driver === driver && same.environment === environment
      ? []
      : [`The other cell needs the connection ${slug} (${driver}, ${environment}), to the same merchant account.`]
  })
}

/** Keys, signing names and numbers at shared connections must not mean somebody else there. */
async function checkNames(source: Reader, target: Reader, organization: number): Promise<string[]> {
  const [keys, signing, places] = await Promise.all([
    source<{ name: string; digest: string }[]>`
      select name, encode(hash, 'hex') as digest from api_keys where organization = ${organization} order by id`,
    source<{ name: string }[]>`
      select username as name from signing_users s join api_keys k on k.id = s.api_key where k.organization = ${organization}`,
    source<{ connection: string; number: string; currency: string }[]>`
      select p.connection, p.number, p.currency from connection_places p join accounts a on a.id = p.account
      where a.organization = ${organization} and p.unrequested`,
  ])
  const [known_keys, known_signing, known_places] = await Promise.all([
    target<{ digest: string }[]>`
      select encode(hash, 'hex') as digest from api_keys
      where hash in (select decode(text, 'hex') from unnest(${keys.map(({ digest }) => digest)}::text[]) as text)`,
    target<{ name: string }[]>`
      select username as name from signing_users where username = any(${signing.map(({ name }) => name)}::text[])`,
    target<{ connection: string; number: string; currency: string }[]>`
      select connection, number, currency from connection_places
      where unrequested and (connection, number, currency) in (
        select * from unnest(${places.map(({ connection }) => connection)}::text[], ${places.map(({ number }) => number)}::text[],
          ${places.map(({ currency }) => currency)}::text[]))
      order by 1, 2, 3`,
  ])
  const known = new Set(known_keys.map(({ digest }) => digest))
  return [
    ...keys.flatMap(({ name, digest }) =>
      known.has(digest) ? [`The other cell has an API key with the text of ${JSON.stringify(name)} already.`] : [],
    ),
    ...known_signing.map(({ name }) => `Bill payments are signed as ${name} in the other cell already.`),
    ...known_places.map(
      ({ connection, number, currency }) =>
        `Unrequested ${currency} to ${number} of ${connection} belongs to another account in the other cell.`,
    ),
  ]
}

async function checkArchive(source: Reader): Promise<string[]> {
  const pending = await source`select 1 from archive_pending limit 1`
  return pending.length === 0 ? [] : ['Rows wait for their removal to the archive. Finish `npx kusanya archive` first.']
}
