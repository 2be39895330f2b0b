import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { requireGoingOn } from './interruption.ts'

/** The form of the folder of a backup. A program refuses forms that it does not know. */
const FORMAT = 1
const MANIFEST = 'backup.json'
const MANIFEST_DIGEST = 'backup.json.sha256'

export interface BackupFile {
  /** Inside the backup, with slashes. */
  path: string
  bytes: number
  sha256: string
}

/** Description of a backup, stored in it. */
export interface Manifest {
  format: number
  /** The version of Kusanya that made it. */
  version: string
  mode: string
  /** Times of its beginning and end, in ISO 8601. It holds the data as of its end. */
  begun: string
  created: string
  postgresql: string
  /** The id of the SECRET_KEY that the stored secrets need. */
  secret_key: string
  /** Folders, also empty ones: PostgreSQL does not start without them. */
  folders: string[]
  files: BackupFile[]
}

/** A backup with all its files. Those of the database are compared with their digests when they are copied. */
export interface Backup {
  folder: string
  manifest: Manifest
}

/** A backup is missing, damaged or of a form that this program does not know. The message is one line for people. */
export class UnusableBackup extends Error {
  override name = 'UnusableBackup'
}

/** Copies the bytes that a file has now and makes them durable. Null if the file is gone: PostgreSQL removes files at any time. */
export async function copyFile(from: string, to: string, path: string): Promise<BackupFile | null> {
  const size = (await lstat(from).catch(ignoreMissing))?.size
  if (size === undefined) return null
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let bytes = 0
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const target = createWriteStream(to, { mode: 0o600, flags: 'wx', flush: true })
  if (size === 0) await pipeline([], target)
  else {
    const source = createReadStream(from, { end: size - 1, highWaterMark: 1_048_576 })
    try {
      await pipeline(source, count, target)
    } catch (error) {
      ignoreMissing(error as NodeJS.ErrnoException)
      return null
    }
  }
  return { path, bytes, sha256: hash.digest('hex') }
}

/** Each copy waits for the disk, and PostgreSQL has thousands of small files. */
const COPIES_AT_ONCE = 16

/**
 * Does the work for all of these files, several at a time. After an error no further one begins, and none is left under
 * way.
 */
export async function forEachFile<File>(files: readonly File[], work: (file: File) => Promise<void>): Promise<void> {
  const queue = files.values()
  let failed = false
  const workThrough = async () => {
    for (const file of queue) {
      if (failed) return
      requireGoingOn()
      await work(file).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const results = await Promise.allSettled(Array.from({ length: COPIES_AT_ONCE }, workThrough))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Writes a small file into a backup. */
export async function writeBackupFile(folder: string, path: string, content: string | Buffer): Promise<BackupFile> {
  await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
  await writeFile(join(folder, path), content, { mode: 0o600, flag: 'wx', flush: true })
  return { path, bytes: Buffer.byteLength(content), sha256: digestOf(content) }
}

/** Writes the description of a backup, as the last of its files. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 1)}\n`
  await writeBackupFile(folder, MANIFEST, text)
  await writeBackupFile(folder, MANIFEST_DIGEST, `${digestOf(text)}  ${MANIFEST}\n`)
}

/**
 * Read the description of a backup, and compare it with the files that are there. Files of the database are read once, when they
 * are copied.
 * @throws UnusableBackup with the first thing that is found wrong
 */
export async function readBackup(folder: string): Promise<Backup> {
  const manifest = await readManifest(folder)
  const present = new Set(await listFiles(folder))
  const known = new Set([MANIFEST, MANIFEST_DIGEST, ...manifest.files.map(({ path }) => path)])
  const foreign = [...present].find((path) => !known.has(path))
  if (foreign !== undefined)
    throw new UnusableBackup(`The backup in ${folder} has a file that it did not write: ${foreign}.`)
  await forEachFile(manifest.files, async (file) => {
    if (!present.has(file.path))
      throw new UnusableBackup(`The backup in ${folder} is damaged: ${file.path} is missing.`)
    const path = join(folder, file.path)
    const is_whole =
      file.bytes === (await lstat(path)).size && (isOfDatabase(file) || file.sha256 === digestOf(await readFile(path)))
    if (!is_whole) throw damaged(folder, file)
  })
  return { folder, manifest }
}

/** True for a file of the database, and false for those beside it. */
export function isOfDatabase({ path }: BackupFile): boolean {
  return path.startsWith('cluster/')
}

/** The error for a file that is not as it was written. */
export function damaged(folder: string, { path }: BackupFile): UnusableBackup {
  return new UnusableBackup(`The backup in ${folder} is damaged: ${path} has changed.`)
}

async function readManifest(folder: string): Promise<Manifest> {
  const read = (name: string) =>
    readFile(join(folder, name), 'utf8').catch(() => {
      throw new UnusableBackup(`There is no complete backup in ${folder}: ${name} cannot be read.`)
    })
  const [text, digest] = [await read(MANIFEST), await read(MANIFEST_DIGEST)]
  if (digest.split(' ')[0] !== digestOf(text))
    throw new UnusableBackup(`The backup in ${folder} is damaged: ${MANIFEST} has changed.`)
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== FORMAT)
    throw new UnusableBackup(
      `The backup in ${folder} has the form ${manifest.format}, which this version of Kusanya does not know: use version ${manifest.version} or later.`,
    )
  return manifest
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length).replaceAll('\\', '/'))
}

/** Makes sure that the names in a folder survive a power cut. Windows cannot do this and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
