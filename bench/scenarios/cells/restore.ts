import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Check, printProgress, type Result, type UnservedContext } from '../../measurements.ts'
import { askCommand } from '../../processes.ts'
import { type Contents, fillInstallation, readContents, settingsIn, withInstallation } from './installation.ts'

/** Answers of the commands that are measured. */
interface BackupAnswer {
  bytes: number
}
interface RestoreAnswer {
  findings: string[]
  seconds: Record<string, number>
}

/**
 * Fill an installation, back it up while its service runs, lose its data, and restore it as docs/operating/backup.md says.
 */
export async function measureRestore({ options }: UnservedContext): Promise<Result> {
  const { collections } = options
  const folder = await mkdtemp(join(tmpdir(), 'kusanya-restore-'))
  // PostgreSQL does not run as root. The user that runs it needs access to the folder.
  await chmod(folder, 0o755)
  const [data_dir, backup] = [join(folder, 'data'), join(folder, 'backup')]
  const rows: { name: string; values: (number | null)[] }[] = []
  const run = async <Answer>(...args: string[]): Promise<Answer> => {
    printProgress(args.join(' '))
    const began_ms = performance.now()
    const { answer, mb } = await askCommand<Answer>(args, settingsIn(data_dir))
    const name = args.map((arg) => (arg === backup ? '' : arg)).join(' ')
    rows.push({ name, values: [(performance.now() - began_ms) / 1_000, mb] })
    return answer
  }
  try {
    printProgress(`${collections} collections`)
    await fillInstallation(data_dir, collections)
    const before = await readContents(data_dir)
    const { bytes } = await withInstallation(data_dir, () => run<BackupAnswer>('backup', backup))
    await rm(data_dir, { recursive: true })
    const check = await run<RestoreAnswer>('restore', backup, '--check')
    const { findings, seconds } = await run<RestoreAnswer>('restore', backup)
    for (const [part, taken] of Object.entries(seconds)) rows.push({ name: `  ${part}`, values: [taken, null] })
    const after = await readContents(data_dir)
    const answered = await withInstallation(data_dir, async ({ url, seconds: taken, mb }) => {
      rows.push({ name: 'start of the service', values: [taken, mb] })
      return (await fetch(`${url}/readyz`)).status
    })
    const sum = Object.values(before.counts).reduce((total, count) => total + count, 0)
    return {
      figures: [],
      tables: [{ title: `${collections} collections, ${sum} rows`, columns: ['seconds', 'MB of memory'], rows }],
      notes: [`The database has ${toMegabytes(before.database_bytes)} MB, and its backup ${toMegabytes(bytes)} MB.`],
      checks: [
        ...compare(before, after),
        { claim: 'the checks of both commands find nothing', holds: [...check.findings, ...findings].length === 0 },
        { claim: 'the service is ready on the restored data', holds: answered === 200 },
      ],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function compare(before: Contents, after: Contents): Check[] {
  const isSame = (name: 'counts' | 'newest') => JSON.stringify(before[name]) === JSON.stringify(after[name])
  return [
    { claim: 'the books balance before and after', holds: before.books_balance && after.books_balance },
    { claim: 'every table has as many rows as before', holds: isSame('counts') },
    { claim: 'the newest rows of every table are the same', holds: isSame('newest') },
  ]
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576)
}
