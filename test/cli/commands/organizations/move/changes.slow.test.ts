import { afterAll, beforeAll, expect, it } from 'vitest'
import { moveOrganization } from '../../../../../src/cli/commands/organizations/move/steps.ts'
import { createOrganization } from '../../../../../src/core/access/organizations.ts'
import { passFence } from '../../../../../src/core/cells/move-rows.ts'
import { movedTables, rowsOf } from '../../../../../src/core/cells/moved-tables.ts'
import { checkRequestCounts } from '../../../../../src/core/collections/request-counts.ts'
import { begin, connect, type Tx } from '../../../../../src/db/client.ts'
import { sql } from '../../../../../src/db/sql.ts'
import { REQUIRED_FIELDS } from '../../../../interface/test-service.ts'
import { createRandom } from '../../../../simulation/random.ts'
import { eventually } from '../../../../test-app.ts'
import { openTwoCells, type TwoCells } from './two-cells.ts'

/*
 * Random writes while an organization is copied. When it opens, the new cell has the rows of the old one, row by row. MOVE_SEED
 * repeats a run, MOVE_WRITES makes it longer.
 */

const SEED = Number(process.env.MOVE_SEED ?? Date.now() % 2 ** 31)
const WRITES = Number(process.env.MOVE_WRITES ?? 150)
/** Columns with secrets, each under the key of its cell. Other tests compare their texts. */
const SEALED = ['secret', 'previous_secret', 'encrypted_secret', 'encrypted_credentials', 'sealed_secrets']
/** People may be in both cells, and differ. */
const SHARED = ['users', 'passkeys', 'recovery_codes']

let cells: TwoCells
let organization: number
beforeAll(async () => {
  cells = await openTwoCells({ zero: 'a'.repeat(64), three: 'b'.repeat(64) })
  organization = cells.zero.otherShop.organization
  await cells.addWebhook('collectionrequest.status.changed', 'https://127.0.0.1:1/hook')
  await cells.addWebhook('contact.created', 'https://127.0.0.1:1/hook')
})
afterAll(() => cells?.close())

const random = createRandom(SEED)
const inZero = (work: (tx: Tx) => Promise<unknown>) => begin(cells.zero.testApp.db, work)
/** SQL: a row of the organization, chosen by chance. */
const some = (table: string, column = 'id') => sql`(
  select ${sql.identifier(column)} from ${sql.identifier(table)} where organization = ${organization}
  order by hashtext(${sql.identifier(column)}::text || ${random.draw()}::text) limit 1)`

/** Writes that an organization makes, each with its weight. */
const writes: readonly (readonly [number, () => Promise<unknown>])[] = [
  [3, () => cells.zero.otherShop.post('/api/collectionrequests', { ...REQUIRED_FIELDS, phonenumber: phone() })],
  [2, () => cells.zero.otherShop.post('/api/contacts', { first_name: 'A', last_name: 'B', phone_number: phone() })],
  [1, async () => cells.zero.advance(random.between(1, 40))],
  [2, () => inZero((tx) => tx`update contacts set notes = notes || 'x' where id = ${some('contacts')}`)],
  [
    3,
    () =>
      inZero(
        (tx) => tx`
          insert into contact_tags (contact, organization, tag) select ${some('contacts')}, ${organization}::bigint, ${tag()}
          where exists (select from contacts where organization = ${organization}) on conflict do nothing`,
      ),
  ],
  [3, () => inZero((tx) => tx`delete from contact_tags where organization = ${organization} and tag = ${tag()}`)],
  [2, () => inZero(addRole)],
  // A name that becomes free is used again by another row.
  [
    1,
    () =>
      inZero(async (tx) => {
        await tx`delete from roles where organization = ${organization} and lower(name) = 'role 1'`
        await addRole(tx)
      }),
  ],
  [1, () => inZero((tx) => tx`update roles set name = ${`Renamed ${random.draw()}`} where id = ${some('roles')}`)],
  [1, () => inZero((tx) => tx`delete from roles where id = ${some('roles')}`)],
  [1, rollBack],
  // The retention of either cell deletes keys of both.
  [
    1,
    () =>
      inZero(
        (tx) =>
          tx`delete from idempotency_keys where organization = ${organization} and hash = ${some('idempotency_keys', 'hash')}`,
      ),
  ],
  [
    1,
    () =>
      begin(
        cells.three.testApp.db,
        (tx) =>
          tx`delete from idempotency_keys where organization = ${organization} and hash = ${some('idempotency_keys', 'hash')}`,
      ),
  ],
]

const phone = () => `+8000000${String(random.between(1000, 1030))}`
const tag = () => `tag ${random.between(1, 5)}`

async function addRole(tx: Tx): Promise<void> {
  await tx`
    insert into roles (organization, name, permissions, created, modified)
    values (${organization}, ${`Role ${random.between(1, 6)}`}, '{}', now(), now()) on conflict do nothing`
}

async function rollBack(): Promise<void> {
  const work = inZero(async (tx) => {
    await tx`update contacts set notes = 'undone' where organization = ${organization}`
    throw new Error('undone')
  })
  await expect(work).rejects.toThrow('undone')
}

async function write(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await random.weighted(writes)()
}

/** The rows of the organization in a cell, by table, each as text. */
async function readRows({ testApp: { db } }: TwoCells['zero']): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const table of Object.keys(movedTables).filter((one) => !SHARED.includes(one))) {
    const found = await db<{ row: string }[]>`
      select (to_jsonb(r) - ${SEALED}::text[])::text as row from ${sql.identifier(table)} r
      where ${rowsOf(table, organization)} order by 1`
    rows[table] = found.map(({ row }) => row)
  }
  return rows
}

it('are in the new cell, row by row, and copied once', async () => {
  process.stdout.write(`writes during a move: seed ${SEED}\n`)
  const { zero, three } = cells
  await write(WRITES)
  await zero.otherShop.post('/api/collectionrequests', REQUIRED_FIELDS, { 'Duplicate-Check-Key': 'one' })
  await inZero(
    (tx) => tx`
      insert into saved_views (organization, "user", list, name, search, created, modified)
      values (${organization}, ${zero.otherShop.user}, '/payments', 'mine', '{}', now(), now())`,
  )
  // A transaction with subtransactions is open during the first snapshot and all its copy.
  const late = connect(zero.testApp.app.config.DATABASE_URL!, { connections: 1, application: 'tests' })
  const ending = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const open = late.begin('begin', async (tx) => {
    await tx.unsafe('set local idle_in_transaction_session_timeout = 0')
    await tx`update organizations set name = 'Renamed' where id = ${organization}`
    for (const name of ['one', 'two']) {
      await tx.unsafe(`savepoint ${name}`)
      await tx`update saved_views set name = ${name} where organization = ${organization}`
    }
    begun.resolve()
    await ending.promise
  })
  await begun.promise
  let is_copying = false
  let writing: Promise<void> | undefined
  let rows: Record<string, string[]>[] = []
  const says: string[] = []
  const app = zero.testApp.app
  await moveOrganization(app, three.testApp.app, organization, async (one) => {
    says.push(one)
    if (one === 'copy') {
      is_copying = true
      writing = (async () => {
        while (is_copying) await write(1)
      })()
    }
    if (one === 'hold') {
      is_copying = false
      await writing
      ending.resolve()
      await open
      await late.end()
      await write(WRITES)
      await zero.testApp.db.unsafe('vacuum (freeze) contacts').catch(() => {})
    }
    if (one === 'verify') rows = [await readRows(zero), await readRows(three)]
  })
  expect(says).toEqual(['copy', 'hold', 'changes', 'verify', 'redirect', 'release', 'moved'])
  const [here, there] = rows
  expect(here!.collection_requests!.length).toBeGreaterThan(10)
  expect(here!.roles!.length + here!.contact_tags!.length).toBeGreaterThan(0)
  for (const table of Object.keys(here!)) expect([table, there![table]]).toEqual([table, here![table]])
  expect(here!.organizations![0]).toContain('Renamed')
  expect(here!.saved_views).toEqual([expect.stringContaining('"name": "two"')])
  for (const cell of [zero, three])
    await eventually('the counts of requests to be right', async () => {
      return (await checkRequestCounts(cell.testApp.db)).length === 0 || undefined
    })
})

it('are copied anew where rows have exchanged a name, and where the comparison finds that a row differs', async () => {
  const { zero, three } = cells
  const [here, there] = [zero.testApp.app, three.testApp.app]
  const { id } = await begin(here.db, (tx) => createOrganization(tx, here.clock.now(), 'Third Shop'))
  const rename = (tx: Tx, from: string, to: string) =>
    tx`update roles set name = ${to} where organization = ${id} and name = ${from}`
  await inZero(
    (tx) => tx`
      insert into roles (organization, name, permissions, created, modified)
      select ${id}, name, '{}', now(), now() from unnest('{Clerk,Cashier}'::text[]) name`,
  )
  const says: string[] = []
  const move = moveOrganization(here, there, id, async (one) => {
    says.push(one)
    if (one === 'hold')
      await inZero(async (tx) => {
        await rename(tx, 'Clerk', 'Other')
        await rename(tx, 'Cashier', 'Clerk')
        await rename(tx, 'Other', 'Cashier')
      })
    if (one === 'verify')
      await begin(there.db, async (tx) => {
        await passFence(tx, id)
        await rename(tx, 'Clerk', 'Changed')
      })
  })
  await expect(move).rejects.toThrow('The cells differ in roles. Run the command again to copy anew.')
  expect(says).toEqual(['copy', 'hold', 'changes', 'anew', 'verify'])
  const rest: string[] = []
  await moveOrganization(here, there, id, (one) => void rest.push(one))
  expect(rest).toEqual(['changes', 'verify', 'redirect', 'release', 'moved'])
  const names = await there.db<{ name: string }[]>`select name from roles where organization = ${id} order by id`
  expect(names.map(({ name }) => name)).toEqual(['Cashier', 'Clerk'])
})
