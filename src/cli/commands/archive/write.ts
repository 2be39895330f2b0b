import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { registerSegmentAction } from '../../../actions/operator-actions.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Config } from '../../../config.ts'
import { verifyChain } from '../../../core/access/audit-chain.ts'
import { type Candidate, findCandidates, START } from '../../../core/archive/candidates.ts'
import { createPersonKeys, encryptCell, type PersonKey, readPersonKeys } from '../../../core/archive/keys.ts'
import { type ArchiveKind, archiveKinds, kindRules } from '../../../core/archive/kinds.ts'
import { retentionLimit } from '../../../core/archive/overdue.ts'
import { removePiece } from '../../../core/archive/removal.ts'
import { ArchiveBusy, findLastSegment, listUnfinished, type Segment } from '../../../core/archive/segments.ts'
import { digestSubjects, readSubjects, type TableRows } from '../../../core/archive/subjects.ts'
import { begin, beginLong } from '../../../db/client.ts'
import { withSnapshot } from '../../../db/snapshot.ts'
import { CommandError } from '../../errors.ts'
import { readRetentionRules } from '../../service/retention-rules.ts'
import { VERSION } from '../../version.ts'
import {
  type ArchiveFile,
  checkSegment,
  MANIFEST,
  nameFolder,
  readManifest,
  segmentFolder,
  writeManifest,
  writeTable,
} from './files.ts'

/** Maximum subjects of a segment: few enough to hold their rows in memory. */
const SEGMENT_SUBJECTS = 2_000
/** Maximum subjects that one transaction removes: few enough that others hardly wait. */
const PIECE_SUBJECTS = 100
const DAY_MS = 24 * 60 * 60 * 1_000
/** Folders that a process is writing begin with this. */
const WRITING = '.writing-'

/** Progress of a run, for a waiting person. */
export type ArchiveStep =
  | { step: 'keys made' | 'files written' | 'registered' | 'named'; segment: number }
  | { step: 'removed'; segment: number; subjects: number }

/** Result of one run. */
export interface ArchiveRun {
  /** Number of requests, orders and SMS written. */
  written: number
  /** Number of subjects removed from the database, or reduced to the rows on which the books rest. */
  removed: number
  /** Number that changed meanwhile: a later run writes them again. */
  changed: number
  segments: number[]
}

/** Options of a run. */
export interface ArchiveOptions {
  kinds: readonly ArchiveKind[]
  folder: string
  onStep?: (step: ArchiveStep) => void
  /** Called with the last id that was old enough, of a kind that is searched by id. */
  onReached?: (kind: ArchiveKind, id: number) => void
  /** Maximum subjects of a segment, and of one transaction. */
  sizes?: { segment: number; piece: number }
}

export function archiveFolder({ ARCHIVE_DIR, DATA_DIR }: Config): string {
  return resolve(ARCHIVE_DIR ?? join(DATA_DIR, 'archive'))
}

/**
 * Write rows past their retention to the archive, then remove them. First finish the work of an interrupted run. It may
 * be stopped at any time.
 * @throws CommandError when the files of an earlier segment are missing or damaged; then nothing is removed
 */
export async function archive(app: App, options: ArchiveOptions): Promise<ArchiveRun> {
  const run: ArchiveRun = { written: 0, removed: 0, changed: 0, segments: [] }
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  await finishSegments(app, options, run)
  await requireLastSegment(app, options.folder)
  // This must come now: the folder of a registered segment may have had no name before.
  await removeLeftovers(options.folder)
  for (const kind of archiveKinds.filter((one) => options.kinds.includes(one))) {
    if (kind === 'audit') await requireWholeLog(app)
    const size = options.sizes?.segment ?? SEGMENT_SUBJECTS
    for await (const candidates of listBatches(app, kind, size, options.onReached)) {
      const segment = await writeSegment(app, options, kind, candidates)
      if (!segment) continue
      run.written += segment.subjects
      run.segments.push(segment.sequence)
      await finishSegments(app, options, run)
    }
  }
  return run
}

/** An audit log that was changed stays as it is: the archive must not make the change look right. */
async function requireWholeLog(app: App): Promise<void> {
  const { faults } = await beginLong(app.db, 'consistency check', (tx) => verifyChain(tx))
  if (faults.length > 0)
    throw new CommandError(`The audit log was changed, so nothing of it was archived or removed: ${faults[0]}`)
}

/** Count the subjects that a run would write, by kind. */
export async function countCandidates(app: App, kind: ArchiveKind): Promise<number> {
  let count = 0
  for await (const candidates of listBatches(app, kind, SEGMENT_SUBJECTS)) count += candidates.length
  return count
}

async function* listBatches(
  app: App,
  kind: ArchiveKind,
  size: number,
  onReached?: ArchiveOptions['onReached'],
): AsyncGenerator<Candidate[]> {
  const before = retentionLimit(readRetentionRules(app), kind)
  let waiting: Candidate[] = []
  let position: typeof START | null = START
  while (position) {
    const page = await findCandidates(app.db, kind, before, position, size)
    waiting.push(...page.candidates)
    if (page.reached !== undefined) onReached?.(kind, page.reached)
    for (; waiting.length >= size; waiting = waiting.slice(size)) yield waiting.slice(0, size)
    position = page.next
  }
  if (waiting.length > 0) yield waiting
}

/** Write a segment, and register it when every byte of it was read again. @returns undefined when nothing was left */
async function writeSegment(
  app: App,
  { folder, onStep }: ArchiveOptions,
  kind: ArchiveKind,
  candidates: readonly Candidate[],
): Promise<Segment | undefined> {
  const previous = await findLastSegment(app.db)
  const sequence = (previous?.sequence ?? 0) + 1
  await requireFree(app, folder, sequence)
  const all = candidates.map(({ id }) => id)
  await begin(app.db, (tx) => createPersonKeys(tx, kind, all))
  onStep?.({ step: 'keys made', segment: sequence })
  const { keys, tables } = await withSnapshot(app.db, async (tx) => {
    const known = await readPersonKeys(tx, kind, all)
    // A person without a key was erased in this moment.
    const readable = kindRules[kind].persons ? [...known.keys()] : all
    return { keys: known, tables: await readSubjects(tx, kind, readable) }
  })
  const digests = digestSubjects(tables)
  if (digests.size === 0) return undefined
  const written = candidates.filter(({ id }) => digests.has(id))
  const temporary = join(folder, `${WRITING}${sequence}-${randomUUID()}`)
  const files = await writeFiles(temporary, tables, keys)
  const facts = { ...describe(written), sequence, kind, written: app.clock.now() }
  const manifest_sha256 = await writeManifest(temporary, {
    version: VERSION,
    previous: previous?.manifest_sha256 ?? null,
    ...facts,
    written: facts.written.toISOString(),
    oldest: facts.oldest.toISOString(),
    newest: facts.newest.toISOString(),
    files,
  })
  await checkSegment(temporary, manifest_sha256)
  onStep?.({ step: 'files written', segment: sequence })
  const row_count = files.reduce((sum, file) => sum + file.rows, 0)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const segment = { ...facts, manifest_sha256, row_count, bytes }
  await runAction(app, operator(null), registerSegmentAction, { segment, digests })
  onStep?.({ step: 'registered', segment: sequence })
  return { ...segment, removed: null }
}

function describe(
  written: readonly Candidate[],
): Pick<Segment, 'subjects' | 'first_id' | 'last_id' | 'oldest' | 'newest'> {
  const ids = written.map(({ id }) => id)
  const times = written.map(({ created }) => created.getTime())
  return {
    subjects: written.length,
    first_id: Math.min(...ids),
    last_id: Math.max(...ids),
    oldest: new Date(Math.min(...times)),
    newest: new Date(Math.max(...times)),
  }
}

async function writeFiles(
  folder: string,
  tables: readonly TableRows[],
  keys: ReadonlyMap<number, PersonKey>,
): Promise<ArchiveFile[]> {
  await mkdir(folder, { mode: 0o700 })
  const files: ArchiveFile[] = []
  for (const [index, { table, columns, encrypted, rows }] of tables.entries()) {
    if (rows.length === 0) continue
    const hidden = columns.map((column) => encrypted.includes(column))
    const sealed = rows.map(({ subject, cells }) => ({
      subject,
      cells: cells.map((cell, at) => (cell && hidden[at] ? encryptCell(keys.get(subject)!, cell) : cell)),
    }))
    const is_repeated = tables.findIndex((one) => one.table === table) < index
    const name = `${table}${is_repeated ? '-2' : ''}.csv.gz`
    files.push(await writeTable(folder, name, { table, columns, rows: sealed, encrypted: [...encrypted] }))
  }
  return files
}

/** Remove the rows of every segment whose files are on disk. */
async function finishSegments(app: App, { folder, onStep, sizes }: ArchiveOptions, run: ArchiveRun): Promise<void> {
  for (const segment of await listUnfinished(app.db)) {
    const path = await findFolder(folder, segment)
    await checkSegment(path, segment.manifest_sha256).catch(refuse(segment.sequence))
    onStep?.({ step: 'named', segment: segment.sequence })
    const before = retentionLimit(readRetentionRules(app), segment.kind)
    for (let is_last = false; !is_last; ) {
      const piece = await begin(app.db, (tx) =>
        removePiece(tx, app.clock.now(), segment, before, sizes?.piece ?? PIECE_SUBJECTS),
      )
      is_last = piece.is_last
      run.removed += piece.removed
      run.changed += piece.changed
      onStep?.({ step: 'removed', segment: segment.sequence, subjects: piece.removed })
    }
  }
}

/** The folder of a segment. If the process that registered it was stopped, it gets its name now. */
async function findFolder(archive: string, segment: Segment): Promise<string> {
  const path = segmentFolder(archive, segment)
  if (await exists(join(path, MANIFEST))) return path
  for (const name of await readdir(archive)) {
    if (!name.startsWith(`${WRITING}${segment.sequence}-`)) continue
    const found = await readManifest(join(archive, name)).catch(() => undefined)
    if (found?.sha256 !== segment.manifest_sha256) continue
    await nameFolder(join(archive, name), path)
    return path
  }
  throw new CommandError(
    `The files of segment ${segment.sequence} are not in ${archive}. Nothing was removed. Is ARCHIVE_DIR the folder of the last run?`,
  )
}

/** A new segment belongs beside the last one: a wrong folder is found before anything is written. */
async function requireLastSegment(app: App, archive: string): Promise<void> {
  const last = await findLastSegment(app.db)
  if (!last) return
  const path = segmentFolder(archive, last)
  const found = await readManifest(path).catch(refuse(last.sequence))
  if (found.sha256 !== last.manifest_sha256)
    throw new CommandError(`The manifest in ${path} is not the one that the database knows. Nothing was written.`)
}

/**
 * Require that the next segment is not on disk. If it is, the database was restored to an earlier time and has its rows
 * again.
 */
async function requireFree(app: App, archive: string, sequence: number): Promise<void> {
  const foreign = (await readdir(archive)).find((name) => Number(/^(\d{6,})-/.exec(name)?.[1]) === sequence)
  if (foreign === undefined) return
  if (((await findLastSegment(app.db))?.sequence ?? 0) >= sequence) throw new ArchiveBusy()
  throw new CommandError(
    `The database does not know the segment in ${join(archive, foreign)}. Was the database restored? Move this folder and those after it to another place, then try again. Nothing was written.`,
  )
}

function refuse(sequence: number) {
  return (error: Error): never => {
    throw new CommandError(
      `Segment ${sequence} of the archive cannot be used, and nothing was removed: ${error.message}`,
    )
  }
}

/** Minimum age of a folder that no process writes any more. */
const LEFTOVER_MS = DAY_MS

/** Delete the remains of processes that were stopped before their segment was registered. */
async function removeLeftovers(archive: string): Promise<void> {
  for (const name of await readdir(archive)) {
    if (!name.startsWith(WRITING)) continue
    const { mtimeMs } = await stat(join(archive, name))
    if (Date.now() - mtimeMs > LEFTOVER_MS) await rm(join(archive, name), { recursive: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
