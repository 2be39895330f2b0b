import type { Command } from 'commander'
import { runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { dismissCallbacksAction, processCallbacksAction } from '../../core/connections/callback-actions.ts'
import {
  callbackStates,
  getCallback,
  listCallbacks,
  listFailedCallbacks,
  type StoredCallback,
} from '../../core/connections/callbacks.ts'
import { processCallbacks } from '../../jobs/process-callbacks.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { collectIds } from '../arguments.ts'
import { addCommand, addShow, type Told } from '../command.ts'
import { CommandError } from '../errors.ts'
import { addList } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'
import { chosen, required, typed } from '../typed.ts'

export function addCallbacks(program: Command, terminal: Terminal): void {
  const callbacks = program
    .command('callbacks')
    .description('callbacks of networks: list them, and reprocess failed ones')
    .addHelpText('after', EXAMPLES)

  addCallbackList(callbacks, terminal)

  addShow(callbacks, terminal, 'show a callback with its headers and its text', async (app, id) => {
    const callback = await getCallback(app.db, id)
    return { shown: callback, text: describe(callback) }
  })

  addCommand(callbacks, terminal, {
    name: 'process',
    description: 'reprocess failed, waiting or ignored callbacks',
    typed: { ids: typed('[id...]', 'as `callbacks list` shows them', collectIds), failed: ALL_FAILED },
    async run(app, selection, { actor }) {
      const ids = await chooseCallbacks(app, selection)
      await runAction(app, actor, processCallbacksAction, { ids })
      await processNow(app)
      return tellStates(app, ids)
    },
  })
  addCommand(callbacks, terminal, {
    name: 'dismiss',
    description: 'dismiss failed callbacks after you have dealt with what they report',
    typed: {
      ids: typed('[id...]', 'as `callbacks list --state failed` shows them', collectIds),
      failed: ALL_FAILED,
      reason: required(typed('--reason <text>', 'what was done about them')),
    },
    by: true,
    async run(app, { reason, ...selection }, { actor }) {
      const ids = await chooseCallbacks(app, selection)
      await runAction(app, actor, dismissCallbacksAction, { ids, reason })
      return tellStates(app, ids)
    },
  })
}

const ALL_FAILED = typed('--failed', 'all that failed')

function addCallbackList(callbacks: Command, terminal: Terminal): void {
  addList(callbacks, terminal, {
    description: 'list the newest callbacks',
    typed: {
      state: chosen('--state <state>', 'callbacks in one state', callbackStates),
      network: typed('--network <code>', 'callbacks of one network'),
      verified: typed('--verified', 'callbacks with a valid signature'),
      unverified: typed('--unverified', 'callbacks without a valid signature'),
    },
    limit: 'how many',
    read(app, { verified, unverified, limit, ...filters }) {
      if (verified && unverified) throw new CommandError('Give either --verified or --unverified.')
      return listCallbacks(app.db, { ...filters, verified: verified ?? (unverified && false) }, limit)
    },
    none: 'There are no callbacks.',
    columns: {
      id: 'id',
      'received (UTC)': 'received',
      network: 'network',
      verified: (row) => (row.verified ? 'yes' : 'no'),
      state: 'state',
      attempts: 'attempts',
      bytes: 'size',
      sender: 'address',
      note: 'note',
    },
  })
}

async function chooseCallbacks(
  app: App,
  { ids = [], failed }: { ids: number[] | undefined; failed: true | undefined },
): Promise<number[]> {
  if (ids.length > 0 === (failed === true)) throw new CommandError('Give either ids or --failed.')
  const found = failed ? await listFailedCallbacks(app.db) : [...new Set(ids)]
  if (found.length === 0) throw new CommandError('No callback has failed.')
  return found
}

/** Do the work of the job at once, so that it is done whether the service runs or not. */
async function processNow(app: App): Promise<void> {
  const job = processCallbacks(app)
  for (;;) {
    const rows = await job.claim(job.limit)
    if (rows.length === 0) break
    await job.run(rows)
  }
}

async function tellStates(app: App, ids: readonly number[]): Promise<Told> {
  const shown = await Promise.all(ids.map((id) => getCallback(app.db, id)))
  const text = shown.map(({ id, state, note }) => `Callback ${id} is ${state}.${note === null ? '' : ` ${note}`}`)
  return { shown, text }
}

function describe(callback: StoredCallback): string[] {
  const { id, network, received, verified, state, note, attempts, size, address, digest, bytes } = callback
  return [
    `Callback ${id} of ${network}, received ${formatTimestamp(received)}: ${state}${note === null ? '' : `, ${note}`}`,
    `  ${verified ? 'signed by the network' : 'not verified'}, ${size} bytes${address === null ? '' : `, from ${address}`}, processed ${attempts} times`,
    ...(digest === null ? [] : [`  only its beginning is stored; SHA-256 ${digest}`]),
    ...(bytes === null ? [] : [`  bytes ${bytes}`]),
    ...Object.entries(callback.headers).map(([name, value]) => `  ${name}: ${value}`),
    callback.body,
  ]
}

const EXAMPLES = `
Examples:
  $ npx kusanya callbacks list --state failed
  $ npx kusanya callbacks process 17 18
  $ npx kusanya callbacks dismiss 17 --reason "Entered with accounts fund" --by grace@example.com`
