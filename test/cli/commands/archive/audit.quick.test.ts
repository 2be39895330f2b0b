import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stretchReader } from '../../../../src/cli/commands/archive/audit-stretch.ts'
import { readArchived, searchArchive } from '../../../../src/cli/commands/archive/find.ts'
import { verifyArchive } from '../../../../src/cli/commands/archive/verify.ts'
import { findArchivedStretch, recordAudit } from '../../../../src/core/access/audit.ts'
import { listAnchors } from '../../../../src/core/access/audit-anchors.ts'
import { readChainHead, type VerifyOptions, verifyChain } from '../../../../src/core/access/audit-chain.ts'
import { listSegments } from '../../../../src/core/archive/segments.ts'
import { begin } from '../../../../src/db/client.ts'
import { testClock } from '../../../test-app.ts'
import { type OldShop, openOldShop } from './old-shop.ts'

const YEAR_S = 365 * 24 * 3_600
const NOW = new Date()
let shop: OldShop

beforeAll(async () => {
  // The database refuses entries that are young on its own clock, so these are old on it.
  const clock = testClock(new Date(NOW.getTime() - 12 * YEAR_S * 1_000))
  shop = await openOldShop({ clock })
  await record(5)
  clock.advance(11.5 * YEAR_S)
  await record(3)
})
afterAll(() => shop.close())

async function record(count: number): Promise<void> {
  const { organization, now } = shop
  for (let index = 0; index < count; index += 1)
    await begin(shop.testApp.app.db, (tx) =>
      recordAudit(tx, now(), { organization, user: null, action: 'sign in', details: { index, text: 'Ünïcode, ""' } }),
    )
}

const verify = (options?: VerifyOptions) => verifyChain(shop.db, options)
const verifyAll = () => verify({ readStretch: stretchReader(shop.folder) })
const archiveLog = () => shop.archive({ kinds: ['audit'] })
const entriesHere = async () => (await shop.db`select from audit_log`).length

/** Change a table as its owner can: without its triggers. */
const change = (table: string, statement: string) =>
  shop.db.unsafe(`alter table ${table} disable trigger user; ${statement}; alter table ${table} enable trigger user`)

describe('the archive of the audit log', () => {
  it('takes the oldest stretch, and the chain goes on from its anchor', async () => {
    const head = await readChainHead(shop.db)
    const [first] = await shop.db<{ position: number; digest: string }[]>`
      select position, encode(digest, 'hex') as digest from audit_chain where position = 1`
    const before = await entriesHere()
    const run = await archiveLog()
    expect(run).toMatchObject({ written: before - 3, removed: before - 3, changed: 0 })
    expect(await archiveLog()).toMatchObject({ written: 0, removed: 0 })
    // The young ones, and one entry about each segment.
    expect(await entriesHere()).toBe(3 + run.segments.length)
    expect(await verify({ kept: [head] })).toMatchObject({ faults: [], archived: before - 3, archive_verified: false })
    expect(await verifyAll()).toMatchObject({ faults: [], archived: before - 3, archive_verified: true })
    // A head that was noted while these entries were still here.
    expect((await verify({ kept: [first!] })).faults).toEqual([expect.stringContaining('--archives')])
    const readStretch = stretchReader(shop.folder)
    expect((await verify({ kept: [first!], readStretch })).faults).toEqual([])
    expect(await findArchivedStretch(shop.db)).toMatchObject({ entries: before - 3 })
    expect((await verifyArchive(shop.folder, await listSegments(shop.db))).faults).toEqual([])
  })

  it('is searched and shown as the other kinds', async () => {
    const [found] = await searchArchive(shop.db, shop, { kind: 'audit', organization: shop.organization }, 1)
    expect(found).toMatchObject({ kind: 'audit', status: 'sign in', organization: String(shop.organization) })
    const shown = await readArchived(shop.db, shop, 'audit', found!.id)
    expect(shown!.tables.audit_log).toMatchObject([{ id: String(found!.id), action: 'sign in' }])
  })
})

describe('the archived entries of the audit log', () => {
  it('cannot be changed unseen: a file, an anchor, or the first entry that is here', async () => {
    const [anchor] = (await listAnchors(shop.db)).slice(-1)
    const folder = (await readdir(shop.folder)).find((name) => Number.parseInt(name, 10) === anchor!.segment)
    const path = join(shop.folder, folder!, 'audit_log.csv.gz')
    const right = await readFile(path)
    await writeFile(path, Buffer.concat([right.subarray(0, -1), Buffer.from([right.at(-1)! ^ 1])]))
    await expect(verifyAll()).rejects.toThrow('audit_log.csv.gz')
    await writeFile(path, right)

    const was = `'\\x${anchor!.digest}'::bytea where position = ${anchor!.position}`
    await change(
      'audit_anchors',
      `update audit_anchors set digest = sha256('other') where position = ${anchor!.position}`,
    )
    expect((await verify()).faults).toEqual([expect.stringContaining('is not the one that was recorded')])
    expect((await verifyAll()).faults[0]).toContain('does not end at the anchor')
    await change('audit_anchors', `update audit_anchors set digest = ${was}`)

    await change('audit_anchors', `delete from audit_anchors where position = ${anchor!.position}`)
    expect((await verify()).faults).toEqual([expect.stringContaining('lacks position')])
    const { entry, position, digest, segment, manifest_sha256 } = anchor!
    await change(
      'audit_anchors',
      `insert into audit_anchors values (${position}, ${entry}, '\\x${digest}', ${segment}, '${manifest_sha256}')`,
    )
    expect((await verifyAll()).faults).toEqual([])

    const [first] = await shop.db<{ id: number }[]>`select min(id) as id from audit_log`
    await change('audit_log', `update audit_log set address = '192.0.2.1' where id = ${first!.id}`)
    expect((await verify()).faults).toEqual([expect.stringContaining(`Entry ${first!.id} of the audit log`)])
    await expect(archiveLog()).rejects.toThrow('The audit log was changed')
    await change('audit_log', `update audit_log set address = null where id = ${first!.id}`)
    expect((await verifyAll()).faults).toEqual([])
  })

  it('is all that the database lets go: not for the service, nor by the function out of order', async () => {
    const { db } = shop.testApp.app
    for (const table of ['audit_log', 'audit_chain', 'audit_anchors'])
      for (const statement of [`delete from ${table}`, `truncate ${table}`, `update ${table} set entry = 1`])
        await expect(db.unsafe(statement)).rejects.toThrow(/permission denied|does not exist/)
    // The owner is refused by the triggers.
    await expect(shop.db`delete from audit_log`).rejects.toThrow('append-only')
    await expect(shop.db`delete from audit_chain`).rejects.toThrow('append-only')
    await expect(shop.db`delete from audit_anchors`).rejects.toThrow('append-only')

    const [last] = await listSegments(shop.db).then((all) => all.slice(-1))
    const remove = (segment: number, until: number) =>
      db`select remove_archived_audit_entries(${segment}::bigint, ${until}::bigint)`
    const { position } = await readChainHead(shop.db)
    await expect(remove(last!.sequence, position - 1)).rejects.toThrow('is not an open segment')
    const [young] = await shop.db<{ position: number; entry: number }[]>`
      select position, entry from audit_chain order by position limit 1`
    // A service that lies about its segment still gets nothing younger than a year, and never the newest entry.
    await db`
      insert into archive_segments (sequence, kind, manifest_sha256, subjects, row_count, bytes, first_id, last_id, oldest, newest, written)
      values (${last!.sequence + 1}, 'audit', ${'0'.repeat(64)}, 1, 1, 1, 1, 1, ${NOW}, ${NOW}, ${NOW})`
    await expect(remove(last!.sequence + 1, young!.position)).rejects.toThrow('does not have the entries')
    await db`insert into archive_pending values (${last!.sequence + 1}, ${young!.entry}, 'none')`
    await expect(remove(last!.sequence + 1, young!.position)).rejects.toThrow('younger than a year')
    await expect(remove(last!.sequence + 1, position)).rejects.toThrow('is not the end of a stretch')
    await db`delete from archive_pending`
    await db`delete from archive_segments where sequence = ${last!.sequence + 1}`
    expect((await verifyAll()).faults).toEqual([])
  })
})
