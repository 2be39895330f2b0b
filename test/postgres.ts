import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { connect } from '../src/db/client.ts'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { prepareDatabase } from '../src/db/migrate.ts'
import { createServerFolder } from './server-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The server that all test files share, by the address for its owner and for the role of the service, and on it the migrated
     * database that each of them clones.
     */
    postgres: { url: string; service_url: string; template: string }
  }
}

const TEMPLATE = 'kusanya_template'

/** Starts one real PostgreSQL for the whole run; every test file clones a migrated database on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data_dir = await createServerFolder('kusanya-test-')
  // What these tests write need not outlive the machine; the tests of durability start servers of their own.
  // Each of the files that run at once has services with pools of their own.
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' }
  const server = await startEmbedded({ data_dir, settings })
  const admin = connect(server.url, { connections: 1, application: 'tests' })
  await admin.unsafe(`create database ${TEMPLATE}`)
  const template = connect(databaseUrl(server.url, TEMPLATE), { connections: 2, application: 'tests' })
  const service = connect(databaseUrl(server.service_url, TEMPLATE), { connections: 2, application: 'tests' })
  await prepareDatabase(template, service)
  await Promise.all([template.end(), service.end()])
  await admin.end()
  const [url, service_url] = [server.url, server.service_url].map(patient) as [string, string]
  project.provide('postgres', { url, service_url, template: TEMPLATE })
  return async () => {
    await server.stop()
    await rm(data_dir, { recursive: true, force: true })
    await rm(server.location, { recursive: true, force: true })
  }
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
