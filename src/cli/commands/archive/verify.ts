import { join } from 'node:path'
import type { Segment } from '../../../core/archive/segments.ts'
import { checkSegment, listFolders, type Manifest, segmentFolder, UnusableSegment } from './files.ts'

/** Findings of a check of the archive. */
export interface ArchiveReport {
  segments: number
  files: number
  rows: number
  /** The SHA-256 of the last manifest, which covers all manifests before it; null for an empty archive. */
  head: string | null
  /** Faults, in sentences; empty when all is well. */
  faults: string[]
}

/**
 * Read every file of the archive. Compare it with its manifest, each manifest with the one before it, and all of them
 * with the database.
 * @param known the segments of the database; null to check the files alone
 */
export async function verifyArchive(folder: string, known: readonly Segment[] | null): Promise<ArchiveReport> {
  const report: ArchiveReport = { segments: 0, files: 0, rows: 0, head: null, faults: [] }
  const names = await listFolders(folder)
  const expected = known?.map((segment) => ({ path: segmentFolder(folder, segment), sha256: segment.manifest_sha256 }))
  const wanted = expected ?? names.map((name) => ({ path: join(folder, name), sha256: undefined }))
  for (const [index, { path, sha256 }] of wanted.entries()) {
    try {
      const found = await checkSegment(path, sha256)
      const fault = findBreak(found.manifest, index + 1, report.head)
      if (fault) report.faults.push(`${path}: ${fault}`)
      count(report, found.manifest)
      report.head = found.sha256
    } catch (error) {
      if (!(error instanceof UnusableSegment)) throw error
      report.faults.push(error.message)
      // The next manifest is compared with the database's record of this one.
      report.head = sha256 ?? null
    }
  }
  const paths = new Set(wanted.map(({ path }) => path))
  const foreign = names.filter((name) => !paths.has(join(folder, name)))
  report.faults.push(...foreign.map((name) => `${join(folder, name)} is no segment that the database knows.`))
  return report
}

function count(report: ArchiveReport, { files }: Manifest): void {
  report.segments += 1
  report.files += files.length
  report.rows += files.reduce((sum, { rows }) => sum + rows, 0)
}

function findBreak({ sequence, previous }: Manifest, expected: number, head: string | null): string | undefined {
  if (sequence !== expected) return `this is segment ${sequence}, where ${expected} belongs.`
  return previous === head ? undefined : `its manifest does not follow that of the segment before it.`
}
