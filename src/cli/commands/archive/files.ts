import { createHash } from 'node:crypto'
import { open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import type { ArchiveKind } from '../../../core/archive/kinds.ts'
import type { Cell } from '../../../core/archive/subjects.ts'

/*
 * Files of the archive: a folder per segment, with a compressed CSV file per table and a manifest. The CSV is
 * PostgreSQL's (`copy … csv`): null is empty, and an empty text has quotes.
 */

/** The form of a manifest. A program refuses forms that it does not know. */
const FORMAT = 1
export const MANIFEST = 'manifest.json'
/** The first column of every file: the id of the request, the order or the SMS to which the row belongs. */
const SUBJECT = '_subject'

export interface ArchiveFile {
  name: string
  table: string
  rows: number
  /** The columns whose values are encrypted. */
  encrypted: string[]
  bytes: number
  /** Hash in hex. */
  sha256: string
}

/** Description of a segment in its own folder. */
export interface Manifest {
  format: number
  /** The version of Kusanya that wrote it. */
  version: string
  sequence: number
  kind: ArchiveKind
  /** Time in ISO 8601, like all times. */
  written: string
  /** The SHA-256 of the manifest of the segment before this one; null for the first. */
  previous: string | null
  subjects: number
  first_id: number
  last_id: number
  oldest: string
  newest: string
  files: ArchiveFile[]
}

/** A segment is missing, damaged or of a form that this program does not know. The message is one line for people. */
export class UnusableSegment extends Error {
  override name = 'UnusableSegment'
}

export interface FileRows {
  columns: string[]
  rows: { subject: number; cells: Cell[] }[]
}

/** The folder of a segment, such as `000012-requests`. */
export function segmentFolder(archive: string, { sequence, kind }: { sequence: number; kind: ArchiveKind }): string {
  return join(archive, `${String(sequence).padStart(6, '0')}-${kind}`)
}

/** Write a table into a new file. It is on disk when this ends. */
export async function writeTable(
  folder: string,
  name: string,
  { table, columns, rows, encrypted }: FileRows & { table: string; encrypted: string[] },
): Promise<ArchiveFile> {
  const records = [[SUBJECT, ...columns], ...rows.map(({ subject, cells }) => [String(subject), ...cells])]
  const bytes = await promisify(gzip)(stringify(records, { quoted_string: true }))
  await writeNew(join(folder, name), bytes)
  return { name, table, rows: rows.length, encrypted, bytes: bytes.length, sha256: digestOf(bytes) }
}

/** Write the manifest, as the last of the files. @returns its SHA-256 in hex */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<string> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 1)}\n`
  await writeNew(join(folder, MANIFEST), Buffer.from(text))
  await syncFolder(folder)
  return digestOf(text)
}

/** Give a folder its name, so that this outlasts a loss of power. */
export async function nameFolder(folder: string, name: string): Promise<void> {
  await rename(folder, name)
  await syncFolder(dirname(name))
}

/** Read a manifest. @throws UnusableSegment */
export async function readManifest(folder: string): Promise<{ manifest: Manifest; sha256: string }> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new UnusableSegment(`There is no complete segment in ${folder}: ${MANIFEST} cannot be read.`)
  })
  const manifest = parseManifest(text, folder)
  return { manifest, sha256: digestOf(text) }
}

function parseManifest(text: string, folder: string): Manifest {
  let manifest: Manifest
  try {
    manifest = JSON.parse(text) as Manifest
  } catch {
    throw new UnusableSegment(`${MANIFEST} in ${folder} is damaged.`)
  }
  if (manifest.format === FORMAT) return manifest
  throw new UnusableSegment(`The segment in ${folder} has the form ${manifest.format}: use the version that wrote it.`)
}

/** Read the rows of a file, and check every byte of it. @throws UnusableSegment */
export async function readTable(folder: string, file: ArchiveFile): Promise<FileRows> {
  const bytes = await readFile(join(folder, file.name)).catch(() => {
    throw new UnusableSegment(`${file.name} in ${folder} is missing.`)
  })
  if (bytes.length !== file.bytes || digestOf(bytes) !== file.sha256)
    throw new UnusableSegment(`${file.name} in ${folder} has changed.`)
  const [header, ...records] = parse(await promisify(gunzip)(bytes), {
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
    relax_column_count: false,
  }) as Cell[][]
  if (records.length !== file.rows) throw new UnusableSegment(`${file.name} in ${folder} has another number of rows.`)
  return {
    columns: header!.slice(1) as string[],
    rows: records.map(([subject, ...cells]) => ({ subject: Number(subject), cells })),
  }
}

/**
 * Read a whole segment and check every byte of it.
 * @param expected the SHA-256 of its manifest, as the database has it
 * @throws UnusableSegment with the first thing that is wrong
 */
export async function checkSegment(folder: string, expected?: string): Promise<{ manifest: Manifest; sha256: string }> {
  const { manifest, sha256 } = await readManifest(folder)
  if (expected !== undefined && sha256 !== expected)
    throw new UnusableSegment(`${MANIFEST} in ${folder} is not the one that the database knows.`)
  for (const file of manifest.files) await readTable(folder, file)
  return { manifest, sha256 }
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Write a file that belongs to its owner alone, and wait until it is on disk. */
async function writeNew(path: string, content: Buffer): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flag: 'wx', flush: true })
}

/** Wait until the names in a folder are on disk. Windows has no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The folders of segments, in their order. */
export async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const names = entries.flatMap((entry) => (entry.isDirectory() && /^\d{6,}-/.test(entry.name) ? [entry.name] : []))
  return names.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
}
