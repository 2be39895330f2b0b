import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '../../src/db/client.ts'
import { UnsuitableDatabase } from '../../src/db/failures.ts'
import { requireSuitableDatabase } from '../../src/db/requirements.ts'
import { TIME_LIMITS } from '../../src/lib/time-limits.ts'
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
  const answer = async () => [{ version, name, role: 'kusanya' }]
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

describe('behind a connection pooler', () => {
  it('the settings of a session must come from the role, and the error says the SQL that sets them', async () => {
    const db = connect(database.url, { connections: 1, application: 'tests', pooler: true, direct_url: database.url })
    const check = requireSuitableDatabase(db, { pooler: true, limits })
    await expect(check).rejects.toThrow(UnsuitableDatabase)
    await expect(check).rejects.toThrow(/alter role \S+ set lock_timeout = '15s';/)
    await db.end()
  })
})
