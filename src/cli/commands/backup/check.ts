import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { openSecretKey } from '../../../app.ts'
import type { Config } from '../../../config.ts'
import { findUnreadable } from '../../../core/access/secret-key.ts'
import { readClockOffset } from '../../../core/clock.ts'
import {
  checkSequences,
  listOpenWork,
  type OpenWork,
  prepareRestoredData,
  type RestoredData,
} from '../../../core/operations/restored-data.ts'
import { begin, connect, type Database, NO_LIMITS } from '../../../db/client.ts'
import { type Backup, readBackup, UnusableBackup } from '../../../db/embedded/backup-files.ts'
import { type DatabaseFolder, findDatabaseFolder } from '../../../db/embedded/folder.ts'
import { removeFolder, withEnding } from '../../../db/embedded/interruption.ts'
import { restoreBackup } from '../../../db/embedded/restore.ts'
import { prepareDatabase } from '../../../db/migrate.ts'
import { consistencyChecks, runConsistencyCheck } from '../../../jobs/check-consistency.ts'
import { displayAmount, parseAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { CommandError } from '../../errors.ts'
import { encryptedColumns } from '../../service/secret-key.ts'
import { readSandboxKey } from './embedded-only.ts'

/** Findings in the data of a backup. */
export interface BackupCheck {
  created: string
  /** Faults, in sentences; empty when all is well. */
  findings: string[]
  /** Open work at the time of the backup, oldest first, at most MAX_LISTED. */
  open: OpenWork[]
  open_count: number
  /** Seconds that each part has taken. */
  seconds: Record<string, number>
}

const MAX_LISTED = 50

/** Read a backup. @throws CommandError with the first thing that is wrong with its files */
export async function openBackup(folder: string): Promise<Backup> {
  return readBackup(folder).catch(asCommandError)
}

/** The errors of a backup are lines for people. */
export function asCommandError(error: unknown): never {
  throw error instanceof UnusableBackup ? new CommandError(error.message) : error
}

/** Start a copy of a backup beside it, check its data, and remove the copy. */
export async function checkBackup(folder: string, config: Config): Promise<BackupCheck> {
  const backup = await openBackup(folder)
  const scratch = `${folder}-check-${randomBytes(4).toString('hex')}`
  return withEnding(
    () => removeFolder(scratch),
    async () => {
      await mkdir(scratch, { mode: 0o700 })
      const home = findDatabaseFolder(scratch)
      return withEnding(
        () => removeFolder(home.location),
        async () => {
          let check: BackupCheck | undefined
          await examine(backup, home, config, async (result) => {
            check = result
            return false
          })
          return check!
        },
      )
    },
  )
}

/**
 * Start a copy of a backup in a folder, migrate it to this version, prepare it, and check it.
 * @param decide gets the findings, and returns whether the copy becomes the database of this folder
 */
export async function examine(
  backup: Backup,
  home: DatabaseFolder,
  config: Config,
  decide: (check: BackupCheck, prepared: RestoredData) => Promise<boolean>,
): Promise<void> {
  await restoreBackup(backup, home, async ({ url, service_url, seconds }) => {
    const owner = connect(url, { connections: 2, application: 'kusanya backup check', limits: NO_LIMITS })
    const service = connect(service_url, { connections: 1, application: 'kusanya backup check' })
    const parts: Record<string, number> = { ...seconds }
    const time: Timer = async (part, work) => {
      const began_ms = performance.now()
      const result = await work
      parts[part] = (performance.now() - began_ms) / 1_000
      return result
    }
    try {
      await time('migrate', prepareDatabase(owner, service))
      const check = await checkData(owner, backup, config, time)
      const real = new Date()
      const now = new Date(real.getTime() + (config.MODE === 'sandbox' ? await readClockOffset(owner) : 0))
      const prepared = await time(
        'prepare',
        begin(owner, (tx) => prepareRestoredData(tx, { now, real }, backup.manifest)),
      )
      return await decide({ ...check, seconds: parts }, prepared)
    } finally {
      await service.end()
      await owner.end()
    }
  }).catch(asCommandError)
}

/** Wait for a part of the work, and note its time. */
type Timer = <T>(part: string, work: Promise<T>) => Promise<T>

async function checkData(
  db: Database,
  { folder, manifest }: Backup,
  config: Config,
  time: Timer,
): Promise<Omit<BackupCheck, 'seconds'>> {
  const findings: string[] = []
  for (const check of consistencyChecks) {
    const found = await time(check, runConsistencyCheck(db, check))
    findings.push(...found.map((finding) => `${check}: ${finding}`))
  }
  findings.push(...(await time('sequences', checkSequences(db))))
  const { sealingKeys } = await openSecretKey(await withKeyOf(folder, config))
  const unreadable = await time('stored secrets', findUnreadable(db, sealingKeys, encryptedColumns))
  for (const { what, count } of unreadable)
    findings.push(`SECRET_KEY cannot decrypt ${count} ${what}: they need the key ${manifest.secret_key}.`)
  const { rows, count } = await time('open work', listOpenWork(db, MAX_LISTED))
  return { created: manifest.created, findings, open: rows, open_count: count }
}

/** A sandbox without SECRET_KEY has its key in the backup. */
async function withKeyOf(folder: string, config: Config): Promise<Config> {
  if (config.SECRET_KEY) return config
  const key = await readSandboxKey(folder)
  return key === undefined ? config : { ...config, SECRET_KEY: key }
}

/** Describe the findings in lines for people. */
export function describeCheck({ created, findings, open, open_count, seconds }: BackupCheck): string[] {
  const { copy = 0, start = 0, migrate = 0, ...checks } = seconds
  const checking = Object.values(checks).reduce((sum, taken) => sum + taken, 0)
  return [
    `Copied in ${copy.toFixed(1)} s, started and upgraded in ${(start + migrate).toFixed(1)} s, checked in ${checking.toFixed(1)} s.`,
    findings.length === 0
      ? '✓ The books, the sequences and the stored secrets are in order.'
      : `✗ ${findings.length === 1 ? 'One thing is' : `${findings.length} things are`} wrong:`,
    ...findings.map((finding) => `    ${finding}`),
    open_count === 0
      ? `Nothing was open on ${created}.`
      : `Open on ${created}, so their end may be missing in the data: ${open_count}.`,
    ...open.map(describeWork),
    ...(open_count > open.length ? [`    … and ${open_count - open.length} more.`] : []),
  ]
}

function describeWork({ kind, reference, state, currency, amount, created }: OpenWork): string {
  return `    ${kind} ${reference}  ${currency} ${displayAmount(parseAmount(amount)!)}  ${state}  since ${formatTimestamp(created)}`
}
