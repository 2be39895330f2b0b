import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { maintainPartitions, partitionedTables } from '../../../src/core/partitions.ts'
import { begin, connect, type Database } from '../../../src/db/client.ts'
import { pendingMigrations, prepareDatabase } from '../../../src/db/migrate.ts'
import { countOwnedTables, currentRole, findWrongRights } from '../../../src/db/roles/service-role.ts'
import { databaseUrl } from '../../postgres.ts'

const name = `roles_${randomUUID().replaceAll('-', '')}`
const { url, service_url } = inject('postgres')
let admin: Database
let owner: Database
let service: Database

beforeAll(async () => {
  admin = connect(url, { connections: 1, application: 'tests' })
  await admin.unsafe(`create database ${name}`)
  owner = connect(databaseUrl(url, name), { connections: 2, application: 'tests' })
  service = connect(databaseUrl(service_url, name), { connections: 2, application: 'tests' })
})
afterAll(async () => {
  await Promise.all([owner, service].map((db) => db.end({ timeout: 1 })))
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

describe('the role of the service', () => {
  it('cannot migrate, and the message says what to do', async () => {
    await expect(prepareDatabase(service, service)).rejects.toThrow(/npx kusanya migrate.*MIGRATION_DATABASE_URL/)
  })

  it('owns nothing after the owner has migrated, and has exactly its rights', async () => {
    expect(await prepareDatabase(owner, service)).toContain('0001_installation.sql')
    const role = await currentRole(service)
    expect(await countOwnedTables(service)).toBe(0)
    expect(await countOwnedTables(owner)).toBeGreaterThan(0)
    expect(await findWrongRights(owner, role)).toEqual([])
    expect(await pendingMigrations(service)).toEqual([])
    await expect(service`delete from migrations`).rejects.toThrow('permission denied')
    await service`select nextval('events_id_seq')`
  })

  it('gets rights that it lacks, and loses rights that it should not have', async () => {
    const role = await currentRole(service)
    await owner.unsafe(`grant update, delete, truncate on transfers to ${role}; revoke select on events from ${role};
      create table later (id integer)`)
    const wrong = (await findWrongRights(owner, role)).map(({ table }) => table)
    expect(wrong).toEqual(['events', 'later', 'transfers'])
    // A service that starts without the owner's password starts, and changes nothing.
    expect(await prepareDatabase(service, service)).toEqual([])
    expect(await prepareDatabase(owner, service)).toEqual([])
    expect(await findWrongRights(owner, role)).toEqual([])
    await expect(service`delete from transfers`).rejects.toThrow('permission denied')
  })

  it('maintains partitions whose owner is no superuser, and nothing else', async () => {
    const made = await createOwnDatabase()
    try {
      const now = new Date('2031-03-05T12:00:00Z')
      for (const table of partitionedTables) await begin(made.service, (tx) => maintainPartitions(tx, now, table, 30))
      const [row] = await made.service<{ owner: string; count: number }[]>`
        select min(pg_get_userbyid(relowner)) as owner, count(*) from pg_class where relname ~ '_203103(03|10)$' and relkind = 'r'`
      expect(row).toEqual({ owner: made.role, count: 2 * partitionedTables.length })
      for (const table of partitionedTables)
        await begin(made.service, (tx) => maintainPartitions(tx, new Date('2032-03-05T12:00:00Z'), table, 30))
      const [gone] = await made.service`select count(*) from pg_class where relname ~ '_203103(03|10)$'`
      expect(gone).toEqual({ count: 0 })
      await expect(made.service`select drop_time_partition('events', 'transfers')`).rejects.toThrow('not a partition')
      await expect(made.service`select create_time_partition('transfers', now(), now())`).rejects.toThrow(
        'no partitions',
      )
    } finally {
      await made.close()
    }
  })

  it('may be the owner as well, as in installations with one role', async () => {
    expect(await prepareDatabase(owner, owner)).toEqual([])
  })
})

/** A database as docs/operating/database.md tells to create it ("Two roles"), migrated by its owner. */
async function createOwnDatabase() {
  const role = `owner_${randomUUID().replaceAll('-', '')}`
  await admin.unsafe(`create role ${role} login password 'secret'`)
  await admin.unsafe(`create database ${role} owner ${role}`)
  const owner_url = new URL(databaseUrl(url, role))
  owner_url.username = role
  owner_url.password = 'secret'
  const own = connect(owner_url.href, { connections: 2, application: 'tests' })
  const working = connect(databaseUrl(service_url, role), { connections: 2, application: 'tests' })
  await prepareDatabase(own, working)
  return {
    role,
    service: working,
    async close() {
      await Promise.all([own.end({ timeout: 1 }), working.end({ timeout: 1 })])
      await admin.unsafe(`drop database ${role} with (force)`)
      await admin.unsafe(`drop role ${role}`)
    },
  }
}
