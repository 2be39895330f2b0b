import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connect, type Database } from '../../src/db/client.ts'
import { pendingMigrations, prepareDatabase } from '../../src/db/migrate.ts'
import { countOwnedTables, currentRole, findWrongRights } from '../../src/db/service-role.ts'
import { databaseUrl } from '../postgres.ts'

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
    expect(await prepareDatabase(owner, service)).toContain('0001_core.sql')
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

  it('may be the owner as well, as in installations with one role', async () => {
    expect(await prepareDatabase(owner, owner)).toEqual([])
  })
})
