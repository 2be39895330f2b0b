import type { Command } from 'commander'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { dismissCallbacksAction, processCallbacksAction } from '../../core/connections/callback-actions.ts'
import {
  type CallbackState,
  type CallbackSummary,
  callbackStates,
  getCallback,
  listCallbacks,
  listFailedCallbacks,
  type StoredCallback,
} from '../../core/connections/callbacks.ts'
import { processCallbacks } from '../../jobs/process-callbacks.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { byOption, collectIds, findActor, jsonOption, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addList, filter, type LimitOption } from '../list-command.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addCallbacks(program: Command, terminal: Terminal): void {
  const callbacks = program
    .command('callbacks')
    .description('callbacks of networks: list them, and reprocess failed ones')
    .addHelpText('after', EXAMPLES)

  addCallbackList(callbacks, terminal)

  callbacks
    .command('show')
    .description('show a callback with its headers and its text')
    .argument('<id>', 'as `callbacks list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const callback = await getCallback(app.db, id)
        printResult(terminal, callback, { ...options, text: describe(callback).join('\n') })
      }),
    )

  callbacks
    .command('process')
    .description('reprocess failed, waiting or ignored callbacks')
    .argument('[id...]', 'as `callbacks list` shows them', collectIds)
    .option('--failed', 'all that failed')
    .addOption(jsonOption())
    .action((ids: number[], options: SelectionOptions) =>
      withApp(terminal, async (app) => {
        const chosen = await chooseCallbacks(app, ids, options)
        await runAction(app, operator(null), processCallbacksAction, { ids: chosen })
        printStates(terminal, await processNow(app, chosen), options)
      }),
    )

  callbacks
    .command('dismiss')
    .description('dismiss failed callbacks after you have dealt with what they report')
    .argument('[id...]', 'as `callbacks list --state failed` shows them', collectIds)
    .option('--failed', 'all that failed')
    .requiredOption('--reason <text>', 'what was done about them')
    .addOption(byOption())
    .addOption(jsonOption())
    .action((ids: number[], options: SelectionOptions & { reason: string; by?: string }) =>
      withApp(terminal, async (app) => {
        const chosen = await chooseCallbacks(app, ids, options)
        const actor = operator(null, await findActor(app.db, options.by))
        await runAction(app, actor, dismissCallbacksAction, { ids: chosen, reason: options.reason })
        printStates(terminal, await Promise.all(chosen.map((id) => getCallback(app.db, id))), options)
      }),
    )
}

function addCallbackList(callbacks: Command, terminal: Terminal): void {
  addList<CallbackSummary, CallbackFilterOptions>(callbacks, terminal, {
    description: 'list the newest callbacks',
    filters: [
      filter('--state <state>', 'those in one state').choices(callbackStates),
      filter('--network <code>', 'those of one network'),
      filter('--verified', 'those with a valid signature'),
      filter('--unverified', 'those that anyone could have sent'),
    ],
    limit: 'how many',
    read: (app, { state, network, verified, unverified, limit }) => {
      if (verified && unverified) throw new CommandError('Give either --verified or --unverified.')
      return listCallbacks(app.db, { state, network, verified: verified ?? (unverified && false) }, limit)
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

interface CallbackFilterOptions extends LimitOption {
  state?: CallbackState
  network?: string
  verified?: true
  unverified?: true
}

interface SelectionOptions {
  failed?: true
  json?: boolean
}

async function chooseCallbacks(app: App, ids: readonly number[], { failed }: SelectionOptions): Promise<number[]> {
  if (ids.length > 0 === (failed === true)) throw new CommandError('Give either ids or --failed.')
  const chosen = failed ? await listFailedCallbacks(app.db) : [...new Set(ids)]
  if (chosen.length === 0) throw new CommandError('No callback has failed.')
  return chosen
}

/** Do the work of the job at once, so that it is done whether the service runs or not. */
async function processNow(app: App, ids: readonly number[]): Promise<StoredCallback[]> {
  const job = processCallbacks(app)
  for (;;) {
    const rows = await job.claim(job.limit)
    if (rows.length === 0) break
    await job.run(rows)
  }
  return Promise.all(ids.map((id) => getCallback(app.db, id)))
}

function printStates(terminal: Terminal, callbacks: readonly StoredCallback[], options: { json?: boolean }): void {
  const text = callbacks.map(({ id, state, note }) => `Callback ${id} is ${state}.${note === null ? '' : ` ${note}`}`)
  printResult(terminal, callbacks, { ...options, text: text.join('\n') })
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
