import type { Command } from 'commander'
import type { Columns } from '../../../actions/lists/list.ts'
import type { App } from '../../../app.ts'
import { findRunningKeys, type RunningKeys } from '../../../core/access/running-keys.ts'
import { countSealed, resealBatch, type SealedCount } from '../../../core/access/sealed-values.ts'
import { secretKeyIds } from '../../../core/access/secret-key.ts'
import { begin } from '../../../db/client.ts'
import { jsonOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult, printRows } from '../../print.ts'
import { startProgress } from '../../progress.ts'
import { encryptedColumns } from '../../service/secret-key.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** Maximum values that one transaction re-encrypts. */
const BATCH_SIZE = 100

/** Something that goes on writing with the previous key is not waited for beyond this. */
const MAX_PASSES = 10

export function addSecrets(program: Command, terminal: Terminal): void {
  const secrets = program.command('secrets').description('stored secrets, and the keys that encrypt them')

  secrets
    .command('rotate')
    .description('encrypt all stored secrets anew with SECRET_KEY, so that SECRET_KEY_PREVIOUS can go')
    .option('--batch-size <count>', 'how many values one transaction changes', toCount, BATCH_SIZE)
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((options: RotateOptions) => withApp(terminal, (app) => rotate(terminal, app, options)))

  secrets
    .command('status')
    .description('count the stored secrets by the key that encrypts them')
    .addOption(jsonOption())
    .action((options: { json?: boolean }) =>
      withApp(terminal, (app) => showStatus(terminal, app, options), { migrated: true, any_secret_key: true }),
    )
}

interface RotateOptions {
  batchSize: number
  json?: boolean
}

async function rotate(terminal: Terminal, app: App, options: RotateOptions): Promise<void> {
  const present = secretKeyIds(app.sealingKeys).present
  const blind = (await findRunningKeys(app.db)).filter((keys) => keys.present !== present && keys.previous !== present)
  if (blind.length > 0)
    throw new CommandError(
      `${countProcesses(blind)} could not read what this SECRET_KEY (${present}) encrypts, so nothing was changed. Restart the service with this key, or with it as SECRET_KEY_PREVIOUS, and run this again.`,
    )
  const resealed = await resealAll(terminal, app, options.batchSize)
  const counts = await countSealed(app.db, app.sealingKeys, encryptedColumns)
  const left = counts.filter(({ key }) => key === 'previous' || key === 'unknown')
  const writers = (await findRunningKeys(app.db)).filter((keys) => keys.present !== present)
  const complete = left.length === 0 && writers.length === 0
  const text = [`Encrypted anew: ${resealed}.`, ...(complete ? [describeEnd(app, counts)] : [])].join(' ')
  printResult(terminal, { present, resealed, left, writers: writers.length, complete }, { ...options, text })
  if (!complete) throw new CommandError(describeRest(left, writers))
}

/** Pass over all columns until one finds nothing to do. Returns how many values were changed. */
async function resealAll(terminal: Terminal, app: App, batch_size: number): Promise<number> {
  const counts = await countSealed(app.db, app.sealingKeys, encryptedColumns)
  const total = sumOf(counts.filter(({ key }) => key === 'previous'))
  if (total > 0) await recordStart(app, total)
  const progress = await startProgress(terminal, total, 'secrets')
  let resealed = 0
  try {
    for (let pass = 1, changed = -1; changed !== 0 && pass <= MAX_PASSES; pass += 1) {
      changed = 0
      for await (const count of resealColumns(app, batch_size)) {
        changed += count
        resealed += count
        progress.update(resealed)
      }
    }
  } finally {
    progress.stop()
  }
  return resealed
}

/** Run one pass, and yield the number of changed values after each transaction. */
async function* resealColumns(app: App, limit: number): AsyncGenerator<number> {
  for (const column of encryptedColumns)
    for (let after = 0; ; ) {
      const slice = { after, limit }
      const { last, resealed } = await begin(app.db, (tx) => resealBatch(tx, app.sealingKeys, column, slice))
      yield resealed
      if (last === null) break
      after = last
    }
}

/** Record the start, so that even a killed rotation has its entry in the audit log. */
function recordStart(app: App, values: number): Promise<void> {
  const details = { key: secretKeyIds(app.sealingKeys).present, values }
  return begin(app.db, (tx) => recordOperatorAction(tx, app, null, { action: 'rotate secrets', details }))
}

function describeEnd(app: App, counts: readonly SealedCount[]): string {
  const lost = sumOf(counts.filter(({ key }) => key === 'lost'))
  const but = lost > 0 ? `, except ${lost} whose key is lost` : ''
  const previous = app.config.SECRET_KEY_PREVIOUS
    ? ' SECRET_KEY_PREVIOUS can go: remove it and restart the service.'
    : ''
  return `Everything is encrypted with SECRET_KEY${but}.${previous}`
}

function describeRest(left: readonly SealedCount[], writers: readonly RunningKeys[]): string {
  const values = left.map(({ count, what, key, key_id }) =>
    key === 'previous'
      ? `${count} ${what} have the previous key`
      : `${count} ${what} have a key that is not known here (${key_id})`,
  )
  const processes = writers.length > 0 ? [`${countProcesses(writers)} still encrypts with another key`] : []
  return `SECRET_KEY_PREVIOUS must stay: ${[...values, ...processes].join(', ')}. Restart the service everywhere with the new SECRET_KEY, and run this again.`
}

async function showStatus(terminal: Terminal, app: App, options: { json?: boolean }): Promise<void> {
  const ids = secretKeyIds(app.sealingKeys)
  const values = await countSealed(app.db, app.sealingKeys, encryptedColumns)
  const running = await findRunningKeys(app.db)
  if (options.json) return terminal.print(JSON.stringify({ ...ids, values, running }, null, 2))
  terminal.print(`SECRET_KEY ${ids.present}, SECRET_KEY_PREVIOUS ${ids.previous ?? 'not set'}`)
  printRows(terminal, values, { columns: COLUMNS, none: 'No secrets are stored.' })
  const others = running.filter(({ present }) => present !== ids.present).length
  terminal.print(`Running processes: ${running.length}; with another SECRET_KEY: ${others}.`)
  if (values.some(({ key }) => key === 'previous')) terminal.print('`npx kusanya secrets rotate` is not done yet.')
}

const KEY_NAMES: Record<SealedCount['key'], string> = {
  present: 'SECRET_KEY',
  previous: 'SECRET_KEY_PREVIOUS',
  lost: 'lost',
  unknown: 'not known here',
}

const COLUMNS: Columns<SealedCount> = {
  What: 'what',
  Key: (row) => KEY_NAMES[row.key],
  'Id in values': 'key_id',
  Values: 'count',
}

function sumOf(counts: readonly SealedCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}

function countProcesses(processes: readonly RunningKeys[]): string {
  return processes.length === 1 ? 'One running process' : `${processes.length} running processes`
}

const NOTES = `
The service may run meanwhile. The command can be stopped at any time and run again; it goes on where it was. Its exit
code is 0 only if nothing needs SECRET_KEY_PREVIOUS any more. docs/operating/secret-key.md has the steps.`
