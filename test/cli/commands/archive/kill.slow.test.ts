import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MANIFEST, readManifest, readTable, segmentFolder } from '../../../../src/cli/commands/archive/files.ts'
import { verifyArchive } from '../../../../src/cli/commands/archive/verify.ts'
import { verifyChain } from '../../../../src/core/access/audit-chain.ts'
import { decryptCell, keyOfCell, readKeys } from '../../../../src/core/archive/keys.ts'
import { readLastArchiveRun } from '../../../../src/core/archive/last-run.ts'
import { listOverdue } from '../../../../src/core/archive/overdue.ts'
import { listSegments } from '../../../../src/core/archive/segments.ts'
import { sql } from '../../../../src/db/sql.ts'
import { findInconsistencies } from '../../../../src/jobs/check-consistency.ts'
import { checkReferences } from '../../../simulation/checks/references.ts'
import { createRandom, type Random } from '../../../simulation/random.ts'
import { eventually, testClock } from '../../../test-app.ts'
import { killProgram, type LaunchedProgram, openProgramRunner, type ProgramRunner } from '../../program-runner.ts'
import { type OldShop, openOldShop } from './old-shop.ts'

/*
 * `npx kusanya archive` as a process of its own, ended by SIGKILL in each of its steps. Each row must then be exactly once in the
 * database or in the files. ARCHIVE_KILLS makes the run longer (4 unless given), ARCHIVE_SEED repeats one.
 */
const KILLS = Number(process.env.ARCHIVE_KILLS ?? 4)
const SEED = Number(process.env.ARCHIVE_SEED ?? Date.now() % 2 ** 31)
/** So long a kill may wait after its step has begun: a step takes some milliseconds. */
const DELAY_MS = 25
const COMMAND = [process.execPath, 'src/cli/index.ts', 'archive']

/** The tables whose rows leave, whatever they belong to. */
const HISTORY = ['collection_request_transitions', 'network_order_answers', 'sms_messages']

/** Outside view of a run. */
interface Sight {
  keys: number
  segments: number
  pending: number
  names: string[]
  /** True if a folder without a name has all of its files. */
  has_manifest: boolean
}

/** The steps of a run, by what can be seen of them since it began. */
const steps: Readonly<Record<string, (before: Sight, now: Sight) => boolean>> = {
  'keys made': (before, now) => now.keys > before.keys,
  'files begun': (before, now) => writingOf(now) > writingOf(before),
  'files written': (_before, now) => now.has_manifest,
  registered: (before, now) => now.segments > before.segments,
  named: (before, now) => now.names.length - writingOf(now) > before.names.length - writingOf(before),
  'removal begun': (before, now) => now.segments > before.segments && now.pending > 0 && now.pending % 100 !== 0,
}

let shop: OldShop
let runner: ProgramRunner

beforeAll(async () => {
  shop = await openOldShop({ clock: testClock(new Date('2012-01-15T12:00:00Z')) })
  runner = await openProgramRunner(shop.testApp.app.config.DATA_DIR)
})
afterAll(async () => {
  await runner.close()
  await shop.close()
})

const archive = (): LaunchedProgram =>
  runner.launch(COMMAND, { DATABASE_URL: shop.testApp.app.config.DATABASE_URL!, ARCHIVE_DIR: shop.folder })

const writingOf = ({ names }: Sight) => names.filter((name) => name.startsWith('.writing-')).length

async function look(): Promise<Sight> {
  const [row] = await shop.db<Omit<Sight, 'names' | 'has_manifest'>[]>`
    select (select count(*) from archive_keys) as keys, (select count(*) from archive_segments) as segments,
      (select count(*) from archive_pending) as pending`
  const names = await readdir(shop.folder)
  const newest = names.filter((name) => name.startsWith(`.writing-${row!.segments + 1}-`))
  const files = await Promise.all(newest.map((name) => readdir(join(shop.folder, name)).catch(() => [])))
  return { ...row!, names, has_manifest: files.flat().includes(MANIFEST) }
}

/** Requests, one of them paid, with their history, and many SMS with attempts and reports. */
async function addRows(random: Random): Promise<void> {
  for (let made = 0; made < 3; made += 1)
    await shop.endRequest({ paid: made === 0, phonenumber: `+8000000${random.between(1000, 9999)}` })
  await shop.db`
    insert into sms_messages (organization, purpose, phonenumber, body, state, created, sent_at, providers)
    select ${shop.organization}, 'message', '+8000001' || ${random.between(100, 999)} || n % 10, 'Text ' || n, 'sent', ${shop.now()}, ${shop.now()},
      '[["sms",null,"K1",null,"sent",1,null,null,true,1893499200000,[1893499200000,"reply","sent"]]]'
    from generate_series(1, 450) n`
}

/** All rows of a table, as PostgreSQL writes their values. */
async function readAll(table: string): Promise<string[]> {
  const columns = await shop.db<{ name: string }[]>`
    select attname::text as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`
  const texts = columns.map(({ name }) => sql`${sql.identifier(name)}::text`)
  const rows = await shop.db<{ cells: (string | null)[] }[]>`
    select array[${sql.join(texts, ', ')}] as cells from ${sql.identifier(table)}`
  return rows.map(({ cells }) => JSON.stringify(cells))
}

/** Return the number of copies of each row in the registered segments, by table. */
async function readArchive(): Promise<Map<string, Map<string, number>>> {
  const found = new Map<string, Map<string, number>>()
  for (const segment of await listSegments(shop.db)) {
    // A segment that a killed process registered gets its name with the next run.
    const names = (await readdir(shop.folder)).filter((name) => name.startsWith(`.writing-${segment.sequence}-`))
    const folders = [segmentFolder(shop.folder, segment), ...names.map((name) => join(shop.folder, name))]
    for (const folder of folders) {
      const read = await readManifest(folder).catch(() => undefined)
      if (read?.sha256 !== segment.manifest_sha256) continue
      for (const file of read.manifest.files) {
        const rows = found.get(file.table) ?? new Map<string, number>()
        const content = await readTable(folder, file)
        const cells = content.rows.flatMap((row) => row.cells)
        const keys = await readKeys(
          shop.db,
          cells.flatMap((cell) => (cell === null ? [] : (keyOfCell(cell) ?? []))),
        )
        for (const row of content.rows) {
          const text = JSON.stringify(row.cells.map((cell) => (cell === null ? null : decryptCell(keys, cell))))
          rows.set(text, (rows.get(text) ?? 0) + 1)
        }
        found.set(file.table, rows)
      }
    }
  }
  return found
}

/** The rows that are lost, and those that are twice where they must be once. */
async function findWrongRows(written: Map<string, string[]>, is_done: boolean): Promise<string[]> {
  const archived = await readArchive()
  const wrong: string[] = []
  for (const [table, rows] of written) {
    const here = new Set(await readAll(table))
    for (const row of rows) {
      const [in_table, in_files] = [here.has(row) ? 1 : 0, archived.get(table)?.get(row) ?? 0]
      // While a removal is under way the rows that are still to be removed are in both.
      const is_right = is_done ? in_table === 0 && in_files === 1 : in_table + in_files > 0 && in_files <= 1
      if (!is_right) wrong.push(`${table} ${row}: ${in_table} in the table, ${in_files} in the archive`)
    }
  }
  return wrong
}

/** Wait until a run has come to a step, or has ended before it could be seen. */
async function waitFor(step: string, before: Sight, program: LaunchedProgram): Promise<void> {
  let ended = false
  program.ended.then(() => {
    ended = true
  })
  while (!ended && !steps[step]!(before, await look())) await sleep(1)
}

/** End a run by SIGKILL in a step. @returns what it has left, in words */
async function killRun(step: string, random: Random): Promise<string> {
  const before = await look()
  const program = archive()
  await waitFor(step, before, program)
  await sleep(random.between(0, DELAY_MS))
  await killProgram(program, 'SIGKILL')
  // Statements that the process has already sent still take effect.
  await eventually('the end of its connections', async () => ((await countConnections()) === 0 ? true : undefined))
  const after = await look()
  if (after.pending > 0) return writingOf(after) > writingOf(before) ? 'registered without a name' : 'partly removed'
  return writingOf(after) > writingOf(before) ? 'written and not registered' : 'between segments'
}

/** The connections of the process. The service of the tests has its own name there. */
async function countConnections(): Promise<number> {
  const [row] = await shop.db<{ count: number }[]>`
    select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`
  return row!.count
}

async function readWritten(): Promise<Map<string, string[]>> {
  const tables = await Promise.all(HISTORY.map(async (table) => [table, await readAll(table)] as const))
  return new Map(tables)
}

it(
  `loses and doubles no row when it is killed in any of its steps (${KILLS} kills)`,
  async () => {
    process.stdout.write(`archive kills: seed ${SEED}\n`)
    const random = createRandom(SEED)
    const written = new Map<string, string[]>(HISTORY.map((table) => [table, []]))
    const left: Record<string, number> = {}
    const names = Object.keys(steps)
    for (let kill = 0; kill < KILLS; kill += 1) {
      if ((await shop.db`select from sms_messages limit 200`).length < 200) {
        const old = new Map([...(await readWritten())].map(([table, rows]) => [table, new Set(rows)]))
        await addRows(random)
        for (const [table, rows] of await readWritten())
          written.get(table)!.push(...rows.filter((row) => !old.get(table)!.has(row)))
      }
      const found = await killRun(names[(kill + SEED) % names.length]!, random)
      left[found] = (left[found] ?? 0) + 1
      expect(await findWrongRows(written, false)).toEqual([])
    }
    const last = archive()
    await last.ended
    expect(last.errors()).toBe('')
    expect(await findWrongRows(written, true)).toEqual([])
    await expectOrder()
    const rows = [...written.values()].reduce((sum, { length }) => sum + length, 0)
    process.stdout.write(
      `archive kills: ${KILLS} kills, ${rows} rows each once; left behind: ${JSON.stringify(left)}\n`,
    )
  },
  60_000 + KILLS * 20_000,
)

/** Files, books and references are right; nothing is overdue; unpaid requests have left, paid ones are here; each segment is in the audit log once. */
async function expectOrder(): Promise<void> {
  const segments = await listSegments(shop.db)
  expect((await verifyArchive(shop.folder, segments)).faults).toEqual([])
  expect(segments.filter(({ removed }) => removed === null)).toEqual([])
  expect(await findInconsistencies(shop.db)).toEqual([])
  expect(await checkReferences(shop.db)).toEqual([])
  expect((await verifyChain(shop.db)).faults).toEqual([])
  const entries = await shop.db<{ sequence: number }[]>`
    select (details ->> 'sequence')::int as sequence from audit_log where action = 'archive' order by id`
  expect(entries.map(({ sequence }) => sequence)).toEqual(segments.map(({ sequence }) => sequence))
  // The process has the real clock.
  const now = new Date()
  const overdue = await listOverdue(shop.db, { now, real: now, config: shop.testApp.app.config })
  expect(overdue.filter(({ oldest }) => oldest !== null)).toEqual([])
  expect(await readLastArchiveRun(shop.db)).not.toBeNull()
  const requests = await shop.db<{ status: string }[]>`select status from collection_requests`
  expect(new Set(requests.map(({ status }) => status))).toEqual(new Set(['successful']))
}
