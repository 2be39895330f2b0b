import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createOrganization, createUser } from '../../src/core/access/organizations.ts'
import { readContacts } from '../../src/core/contacts/contacts.ts'
import { begin, beginFrequent, connect, type Database } from '../../src/db/client.ts'
import { cloneDatabase } from '../test-app.ts'

const CONTACTS = 20_000

let database: Awaited<ReturnType<typeof cloneDatabase>>
let db: Database
let organization: number

beforeAll(async () => {
  database = await cloneDatabase()
  // A single connection makes every transaction use the plans of earlier ones.
  db = connect(database.url, { connections: 1, application: 'tests' })
  await db.unsafe('alter table contacts set (autovacuum_enabled = off)')
  await begin(db, async (tx) => {
    const now = new Date('2030-01-15')
    organization = (await createOrganization(tx, now, 'Shop')).id
    await createUser(tx, now, { name: 'Ann', email: 'ann@shop.example' })
  })
})
afterAll(async () => {
  await db.end({ timeout: 1 })
  await database.drop()
})

describe('a plan that frequent work keeps', () => {
  it('is made again when its table has grown, without any statistics', async () => {
    const read = () => beginFrequent(db, (tx) => readContacts(tx, [{ organization, phone_number: '+80000000077' }]))
    expect([...(await read()).keys()]).toEqual([])
    await fill()
    await vi.waitFor(async () => {
      expect((await read()).size).toBe(1)
      expect(await keptPlan()).toMatch(/Index Cond: .*organization = .*phone_number = /)
    }, 120_000)
  })

  it('reads keys by an index, whatever the table holds', async () => {
    const plan = await keptPlan()
    expect(plan).toContain('Nested Loop')
    expect(plan).not.toMatch(/Seq Scan|Hash|Merge|Materialize/)
  })
})

/** The plan that the connection keeps of the statement that reads contacts. */
function keptPlan(): Promise<string> {
  return beginFrequent(db, async (tx) => {
    const [prepared] = await tx<{ name: string }[]>`
      select name from pg_prepared_statements where statement like '%join contacts c on%' and statement not like '%pg_prepared%'`
    const lines = await tx.unsafe<{ 'QUERY PLAN': string }[]>(
      `explain execute "${prepared!.name}" ('{1}', '{+80000000077}')`,
    )
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  })
}

function fill(): Promise<unknown> {
  return db.unsafe(`
    insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
      phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
      created, modified, author)
    select ${organization}, 'Ann', 'Other', '+8' || lpad(n::text, 10, '0'), 'employee', 'active', 'yes', 'unknown', '',
      'unchecked', 0, 'Sandbox Network', now(), now(), (select min(id) from users)
    from generate_series(1, ${CONTACTS}) n`)
}
