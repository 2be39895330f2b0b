import { join } from 'node:path'
import { decryptCell, findKeysOfPhone, keyOfCell, readKeys } from '../../../core/archive/keys.ts'
import type { ArchiveKind } from '../../../core/archive/kinds.ts'
import { listSegments, type Segment } from '../../../core/archive/segments.ts'
import type { Cell } from '../../../core/archive/subjects.ts'
import type { Reader } from '../../../db/client.ts'
import {
  type ArchiveFile,
  checkSegment,
  type FileRows,
  listFolders,
  readManifest,
  readTable,
  segmentFolder,
} from './files.ts'

/** A row of the archive, with readable values. */
export type ArchivedRow = Record<string, Cell>

/** A request, an order, an SMS or an entry of the audit log in the archive, as it was when it was written. */
export interface ArchivedSubject {
  kind: ArchiveKind
  id: number
  segment: number
  written: Date
  /** Rows by table. */
  tables: Record<string, ArchivedRow[]>
}

/** The files of an archive. */
export interface ArchivePlace {
  folder: string
  /** True for the archive of another cell, whose segments this database does not know. */
  files_only?: boolean
}

type KnownSegment = Pick<Segment, 'sequence' | 'kind' | 'manifest_sha256' | 'written'>

/** List the segments that may have a subject, or all, the oldest first. @throws UnusableSegment */
async function segmentsIn(
  db: Reader,
  { folder, files_only }: ArchivePlace,
  subject?: { kind: ArchiveKind; id: number },
): Promise<KnownSegment[]> {
  if (!files_only) return listSegments(db, subject)
  const names = await listFolders(folder)
  const found = await Promise.all(names.map((name) => readManifest(join(folder, name))))
  return found.flatMap(({ manifest: { sequence, kind, written, first_id, last_id }, sha256: manifest_sha256 }) =>
    !subject || (kind === subject.kind && first_id <= subject.id && subject.id <= last_id)
      ? [{ sequence, kind, manifest_sha256, written: new Date(written) }]
      : [],
  )
}

/** Read a subject from its newest segment. Undefined when the archive does not have it. @throws UnusableSegment */
export async function readArchived(
  db: Reader,
  place: ArchivePlace,
  kind: ArchiveKind,
  id: number,
): Promise<ArchivedSubject | undefined> {
  const { folder } = place
  for (const segment of (await segmentsIn(db, place, { kind, id })).reverse()) {
    const { manifest } = await checkSegment(segmentFolder(folder, segment), segment.manifest_sha256)
    const tables: ArchivedSubject['tables'] = {}
    for (const file of manifest.files) {
      const content = await readTable(segmentFolder(folder, segment), file)
      const rows = content.rows.filter(({ subject }) => subject === id)
      if (rows.length === 0) continue
      const readable = await toReadable(db, file, { ...content, rows })
      tables[file.table] = [...(tables[file.table] ?? []), ...readable]
    }
    if (Object.keys(tables).length > 0) return { kind, id, segment: segment.sequence, written: segment.written, tables }
  }
  return undefined
}

async function toReadable(db: Reader, file: ArchiveFile, { columns, rows }: FileRows): Promise<ArchivedRow[]> {
  const hidden = columns.map((column) => file.encrypted.includes(column))
  const cells = rows.flatMap((row) => row.cells.filter((cell, index) => cell !== null && hidden[index]) as string[])
  const keys = await readKeys(
    db,
    cells.flatMap((cell) => keyOfCell(cell) ?? []),
  )
  const read = (cell: Cell, index: number) => (cell !== null && hidden[index] ? decryptCell(keys, cell) : cell)
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, read(row.cells[index]!, index)])))
}

/** Search filters: all must match. */
export interface ArchiveFilters {
  kind?: ArchiveKind
  organization?: number
  contact?: number
  /** Phone number in E.164. Finds the records of every present owner of this number. */
  phone?: string
  /** The reference of an order or an SMS, or the network's id of one or of its money. */
  reference?: string
}

/** A result of a search. */
export interface ArchiveMatch {
  kind: ArchiveKind
  id: number
  organization: string | null
  created: string | null
  status: string | null
  segment: number
}

/** Search the archive, the newest segment first, until `limit` subjects are found. @throws UnusableSegment */
export async function searchArchive(
  db: Reader,
  place: ArchivePlace,
  filters: ArchiveFilters,
  limit: number,
): Promise<ArchiveMatch[]> {
  const keys = filters.phone === undefined ? undefined : await findKeysOfPhone(db, filters.phone)
  const found: ArchiveMatch[] = []
  for (const segment of (await segmentsIn(db, place)).reverse()) {
    if (filters.kind && segment.kind !== filters.kind) continue
    found.push(...(await searchSegment(db, place.folder, segment, filters, keys)))
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

/** The columns that a reference may be in. */
const REFERENCES = ['reference', 'remote_id', 'remote_transaction_id']

async function searchSegment(
  db: Reader,
  folder: string,
  segment: KnownSegment,
  filters: ArchiveFilters,
  keys: ReadonlySet<number> | undefined,
): Promise<ArchiveMatch[]> {
  const path = segmentFolder(folder, segment)
  const { manifest } = await checkSegment(path, segment.manifest_sha256)
  const matches = new Map<number, ArchiveMatch>()
  const wanted: Set<number>[] = []
  const require = (ids: Iterable<number>) => wanted.push(new Set(ids))
  const contents = await Promise.all(
    manifest.files.map(async (file) => ({ file, content: await readTable(path, file) })),
  )
  const main = contents[0]!.content
  const ofColumn = (column: string) => {
    const index = main.columns.indexOf(column)
    return (row: FileRows['rows'][number]) => (index < 0 ? null : row.cells[index]!)
  }
  const [organization, contact, created, status] = ['organization', 'contact', 'created', 'status'].map(ofColumn)
  const [state, action] = [ofColumn('state'), ofColumn('action')]
  for (const row of main.rows)
    matches.set(row.subject, {
      kind: segment.kind,
      id: row.subject,
      segment: segment.sequence,
      organization: organization!(row),
      created: created!(row),
      status: status!(row) ?? state(row) ?? action(row),
    })
  const ofMain = (value: (row: FileRows['rows'][number]) => Cell, expected: number) =>
    require(main.rows.flatMap((row) => (value(row) === String(expected) ? [row.subject] : [])))
  if (filters.organization !== undefined) ofMain(organization!, filters.organization)
  if (filters.contact !== undefined) ofMain(contact!, filters.contact)
  if (keys) require(contents.flatMap(({ content }) => ofKeys(content, keys)))
  if (filters.reference !== undefined) {
    const found = contents.map(({ file, content }) => ofReference(db, file, content, filters.reference!))
    require((await Promise.all(found)).flat())
  }
  return [...matches.values()].filter(({ id }) => wanted.every((ids) => ids.has(id))).reverse()
}

/** The subjects with a value that one of these keys encrypts. */
function ofKeys({ rows }: FileRows, keys: ReadonlySet<number>): number[] {
  const isOf = (cell: Cell) => cell !== null && keys.has(keyOfCell(cell) ?? 0)
  return rows.flatMap(({ subject, cells }) => (cells.some(isOf) ? [subject] : []))
}

async function ofReference(db: Reader, file: ArchiveFile, content: FileRows, reference: string): Promise<number[]> {
  const columns = content.columns.filter((column) => REFERENCES.includes(column))
  if (columns.length === 0) return []
  const rows = await toReadable(db, file, content)
  return content.rows.flatMap(({ subject }, index) =>
    columns.some((column) => rows[index]![column] === reference) ? [subject] : [],
  )
}
