import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connect, type Database } from '../../src/db/client.ts'
import { UnsuitableDatabase } from '../../src/db/failures.ts'
import { requireSuitableDatabase } from '../../src/db/requirements.ts'
import { TIME_LIMITS } from '../../src/lib/time-limits.ts'
import { databaseUrl } from '../postgres.ts'
import { cloneDatabase } from '../test-app.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(async () => database.drop())

const limits = TIME_LIMITS
const PLAIN = { pooler: false, limits }

/** A database whose server says that it has another version. */
function serverOfVersion(version: number, name: string): Database {
  const answer = async () => [{ version, name, role: 'kusanya', encoding: 'UTF8', small: 'éṣñ' }]
  return answer as unknown as Database
}

describe('the database that the service needs', () => {
  it('is PostgreSQL 18 or later', async () => {
    const db = connect(database.url, { connections: 1, application: 'tests' })
    await requireSuitableDatabase(db, PLAIN)
    await db.end()
    await requireSuitableDatabase(serverOfVersion(190_000, '19.0'), PLAIN)
  })

  it('is not an earlier one, which one sentence says', async () => {
    const check = requireSuitableDatabase(serverOfVersion(160_004, '16.4'), PLAIN)
    await expect(check).rejects.toThrow(UnsuitableDatabase)
    await expect(check).rejects.toThrow(
      'Kusanya needs PostgreSQL 18 or later. The database at DATABASE_URL is PostgreSQL 16.4.',
    )
  })
})

describe('the letters of names', () => {
  let owner: Database
  const made: string[] = []
  beforeAll(() => {
    owner = connect(inject('postgres').url, { connections: 1, application: 'tests' })
  })
  afterAll(async () => {
    for (const name of made) await owner.unsafe(`drop database ${name} with (force)`)
    await owner.end()
  })

  /** Make a database as others do, and check it. */
  async function check(statement: string): Promise<void> {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await owner.unsafe(statement.replace('kusanya', name))
    made.push(name)
    const db = connect(databaseUrl(inject('postgres').url, name), { connections: 1, application: 'tests' })
    await requireSuitableDatabase(db, PLAIN).finally(() => db.end())
  }
  const LOCALE_C = "template template0 locale_provider libc locale 'C'"

  it.each(['SQL_ASCII', 'LATIN1'])('need UTF8, and not %s', async (encoding) => {
    const error = await check(`create database kusanya ${LOCALE_C} encoding '${encoding}'`).catch(String)
    expect(error).toContain(`The one at DATABASE_URL is in ${encoding}`)
  })

  it('need a locale with Unicode, and the statement of the error makes such a database', async () => {
    const error = await check(`create database kusanya ${LOCALE_C} encoding 'UTF8'`).catch(String)
    expect(error).toContain('does not know letters such as É')
    const [, statement] = /Create another: (.+);/.exec(String(error))!
    await check(statement!)
  })
})

describe('behind a connection pooler', () => {
  it('the settings of a session must come from the role, and the error says the SQL that sets them', async () => {
    const db = connect(database.url, { connections: 1, application: 'tests', pooler: true, direct_url: database.url })
    const check = requireSuitableDatabase(db, { pooler: true, limits })
    await expect(check).rejects.toThrow(UnsuitableDatabase)
    await expect(check).rejects.toThrow(/alter role \S+ set lock_timeout = '15s';/)
    await db.end()
  })
})
