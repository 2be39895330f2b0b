import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { begin, CommitUnknown, connect, type Database, isUnavailable } from '../../src/db/client.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { cloneDatabase } from '../test-app.ts'
import { openMovingAddress } from './replica.ts'

describe('an address that leads to a replica until a primary is chosen', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  beforeAll(async () => {
    database = await cloneDatabase()
  })
  afterAll(() => database.drop())

  it('fails writes as a database that is away, and reaches the primary over a new connection', async () => {
    const address = await openMovingAddress(database.url)
    const db = connect(address.url, { connections: 1, application: 'tests' })
    const write = () => begin(db, (tx) => tx.unsafe('create table written (number integer)'))
    const refusal = await write().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: '25006' })
    expect(isUnavailable(refusal)).toBe(true)
    address.move()
    await write()
    expect(await db`select from written`).toHaveLength(0)
    await db.end({ timeout: 1 })
    await address.close()
  })

  it('is listened to at the primary, though the replica keeps the connection that it refused to listen on', async () => {
    const address = await openMovingAddress(database.url)
    const db = connect(address.url, { connections: 1, application: 'tests' })
    await expect(db.listen('news', () => {})).rejects.toMatchObject({ code: '25006' })
    address.move()
    const heard: string[] = []
    await db.listen('news', (text) => heard.push(text))
    await db.notify('news', 'it works')
    await vi.waitFor(() => expect(heard).toEqual(['it works']), 120_000)
    await db.end({ timeout: 1 })
    await address.close()
  })
})

describe('a commit that waits for a synchronous replica', () => {
  let folder: string
  let server: Awaited<ReturnType<typeof startEmbedded>>
  let admin: Database

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kusanya-failover-'))
    await chmod(folder, 0o755)
    server = await startEmbedded({ data_dir: folder, settings: {} })
    admin = connect(server.url, { connections: 2, application: 'tests' })
    await admin.unsafe('create table written (number integer)')
    await admin.unsafe("alter system set synchronous_standby_names = 'a_replica_that_is_away'")
    await admin.unsafe('select pg_reload_conf()')
  })
  afterAll(async () => {
    await admin?.end({ timeout: 1 })
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('may have happened or not when the wait is cancelled: it is not confirmed to the caller', async () => {
    const db = connect(server.url, { connections: 1, application: 'a writer' })
    const written = begin(db, (tx) => tx`insert into written values (1)`).catch((error: unknown) => error)
    await vi.waitFor(async () => {
      const [row] = await admin<{ cancelled: boolean }[]>`
        select pg_cancel_backend(pid) as cancelled from pg_stat_activity
        where application_name = 'a writer' and wait_event = 'SyncRep'`
      expect(row?.cancelled).toBe(true)
    }, 120_000)
    expect(await written).toBeInstanceOf(CommitUnknown)
    await db.end({ timeout: 1 })
  })
})
