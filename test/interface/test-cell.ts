import { connect, type Database } from '../../src/db/client.ts'
import { prepareDatabase } from '../../src/db/migrate.ts'
import { cloneDatabase } from '../test-app.ts'
import { openTestService, type TestService } from './test-service.ts'

/** Open a service on a new database of a cell, with jobs unless told otherwise. */
export async function openCell(cell: number, settings: Record<string, string> = {}, jobs = true): Promise<TestService> {
  const database = await cloneDatabase()
  const [owner, service] = [database.url, database.service_url].map((url) =>
    connect(url, { connections: 1, application: 'tests' }),
  ) as [Database, Database]
  await prepareDatabase(owner, service, {}, cell)
  await Promise.all([owner.end(), service.end()])
  return openTestService({ settings: { ...settings, CELL: String(cell) }, database, jobs })
}
