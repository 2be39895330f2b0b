import type { Command } from 'commander'
import type { Columns } from '../../../actions/lists/list.ts'
import { resealValuesAction, rotateSecretsAction } from '../../../actions/operator-actions.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { findRunningKeys, type RunningKeys } from '../../../core/access/running-keys.ts'
import { countSealed, type SealedCount } from '../../../core/access/sealed-values.ts'
import { secretKeyIds } from '../../../core/access/secret-key.ts'
import { toCount } from '../../arguments.ts'
import { addCommand, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { printRows } from '../../print.ts'
import { startProgress } from '../../progress.ts'
import { encryptedColumns } from '../../service/secret-key.ts'
import type { Terminal } from '../../terminal.ts'
import { preset, typed } from '../../typed.ts'

/** Maximum values that one transaction re-encrypts. */
const BATCH_SIZE = 100

/** Something that goes on writing with the previous key is not waited for beyond this. */
const MAX_PASSES = 10

export function addSecrets(program: Command, terminal: Terminal): void {
  const secrets = program.command('secrets').description('stored secrets, and the keys that encrypt them')

  addCommand(secrets, terminal, {
    name: 'rotate',
    description: 'encrypt all stored secrets anew with SECRET_KEY, so that SECRET_KEY_PREVIOUS can go',
    typed: {
      batch_size: preset(typed('--batch-size <count>', 'how many values one transaction changes', toCount), BATCH_SIZE),
    },
    help: NOTES,
    run: (app, { batch_size }) => rotate(terminal, app, batch_size),
  })
  addCommand(secrets, terminal, {
    name: 'status',
    description: 'count the stored secrets by the key that encrypts them',
    access: { migrated: true, any_secret_key: true },
    run: (app, _, { json }) => showStatus(terminal, app, json),
  })
}

async function rotate(terminal: Terminal, app: App, batch_size: number): Promise<Told> {
  const present = secretKeyIds(app.sealingKeys).present
  const blind = (await findRunningKeys(app.db)).filter((keys) => keys.present !== present && keys.previous !== present)
  if (blind.length > 0)
    throw new CommandError(
      `${countProcesses(blind)} could not read what this SECRET_KEY (${present}) encrypts, so nothing was changed. Restart the service with this key, or with it as SECRET_KEY_PREVIOUS, and run this again.`,
    )
  const resealed = await resealAll(terminal, app, batch_size)
  const counts = await countSealed(app.db, app.sealingKeys, encryptedColumns)
  const left = counts.filter(({ key }) => key === 'previous' || key === 'unknown')
  const writers = (await findRunningKeys(app.db)).filter((keys) => keys.present !== present)
  const complete = left.length === 0 && writers.length === 0
  const text = [`Encrypted anew: ${resealed}.`, ...(complete ? [describeEnd(app, counts)] : [])].join(' ')
  const shown = { present, resealed, left, writers: writers.length, complete }
  return { shown, text, fault: !complete && describeRest(left, writers) }
}

/** Pass over all columns until one finds nothing to do. Returns how many values were changed. */
async function resealAll(terminal: Terminal, app: App, batch_size: number): Promise<number> {
  const counts = await countSealed(app.db, app.sealingKeys, encryptedColumns)
  const total = sumOf(counts.filter(({ key }) => key === 'previous'))
  if (total > 0) await runAction(app, operator(null), rotateSecretsAction, { values: total })
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
      const slice = { column, after, limit }
      const { last, resealed } = await runAction(app, operator(null), resealValuesAction, slice)
      yield resealed
      if (last === null) break
      after = last
    }
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

async function showStatus(terminal: Terminal, app: App, json: boolean): Promise<Told> {
  const ids = secretKeyIds(app.sealingKeys)
  const values = await countSealed(app.db, app.sealingKeys, encryptedColumns)
  const running = await findRunningKeys(app.db)
  if (!json) {
    terminal.print(`SECRET_KEY ${ids.present}, SECRET_KEY_PREVIOUS ${ids.previous ?? 'not set'}`)
    printRows(terminal, values, { columns: COLUMNS, none: 'No secrets are stored.' })
  }
  const others = running.filter(({ present }) => present !== ids.present).length
  const is_open = values.some(({ key }) => key === 'previous')
  const text = [
    `Running processes: ${running.length}; with another SECRET_KEY: ${others}.`,
    ...(is_open ? ['`npx kusanya secrets rotate` is not done yet.'] : []),
  ]
  return { shown: { ...ids, values, running }, text }
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
