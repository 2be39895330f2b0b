import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { connect, type Database } from '../src/db/client.ts'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { prepareDatabase } from '../src/db/migrate.ts'
import { prepareSandbox } from './sandbox.ts'
import { createServerFolder } from './server-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Server that all test files share, by the addresses of its owner and of the service's role. The files clone its
     * databases: a migrated one, and a sandbox in which the service has worked on the test clock's day.
     */
    postgres: { url: string; service_url: string; migrated: string; sandbox: string }
  }
}

const MIGRATED = 'kusanya_migrated'
const SANDBOX = 'kusanya_sandbox'

/** Defaults that a server of others may have. Sessions of ours must not depend on them. */
const OTHER_DEFAULTS = {
  datestyle: 'SQL,DMY',
  bytea_output: 'escape',
  timezone: 'Africa/Lagos',
  default_transaction_isolation: 'serializable',
}

/** Environment variable with which a run inside of a test uses the server of the run around it. */
export const SHARED_SERVER = 'KUSANYA_TEST_SERVER'

/** Start one real PostgreSQL for the whole run; every test file clones a migrated database on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = process.env[SHARED_SERVER]
  if (shared) {
    project.provide('postgres', JSON.parse(shared))
    return async () => {}
  }
  const data_dir = await createServerFolder('kusanya-test-')
  // Rows of these tests need not outlive the machine; the tests of durability start their own servers. Each
  // simultaneous file has services with their own pools.
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' }
  const server = await startEmbedded({ data_dir, settings: { ...settings, ...OTHER_DEFAULTS } })
  const admin = connect(server.url, { connections: 1, application: 'tests' })
  await admin.unsafe(`create database ${MIGRATED}`)
  await withPools(server, MIGRATED, prepareDatabase)
  await admin.unsafe(`create database ${SANDBOX} template ${MIGRATED}`)
  await withPools(server, SANDBOX, (_owner, service) => prepareSandbox(service))
  await admin.end()
  const [url, service_url] = [server.url, server.service_url].map(patient) as [string, string]
  project.provide('postgres', { url, service_url, migrated: MIGRATED, sandbox: SANDBOX })
  return async () => {
    await server.stop()
    await rm(data_dir, { recursive: true, force: true })
    await rm(server.location, { recursive: true, force: true })
  }
}

async function withPools(
  { url, service_url }: { url: string; service_url: string },
  name: string,
  work: (owner: Database, service: Database) => Promise<unknown>,
): Promise<void> {
  const [owner, service] = [url, service_url].map((server_url) =>
    connect(databaseUrl(server_url, name), { connections: 2, application: 'tests' }),
  ) as [Database, Database]
  await work(owner, service).finally(() => Promise.all([owner.end(), service.end()]))
}

/** The address for those who wait for a connection as long as a busy machine needs. */
function patient(server_url: string): string {
  const url = new URL(server_url)
  url.searchParams.set('connect_timeout', '60')
  return url.href
}

export function databaseUrl(server_url: string, name: string): string {
  const url = new URL(server_url)
  url.pathname = `/${name}`
  return url.href
}
