import { type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import { listSms, retryFailedSms, retrySms, type SmsState, smsStates, smsSuffix } from '../../core/collections/sms.ts'
import { begin } from '../../db/client.ts'
import { collectIds, jsonOption, type PastTime, toCount, toPast, toPhone } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { formatShortTime, printResult, printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addSms(program: Command, terminal: Terminal): void {
  const texts = program
    .command('texts')
    .description('SMS to customers: what they were told, and what could not be sent')

  texts
    .command('list')
    .description('list the newest texts')
    .option('--phone <number>', 'those to one customer', toPhone)
    .addOption(new Option('--state <state>', 'those in one state').choices(smsStates))
    .option('--limit <count>', 'how many', toCount, 50)
    .addOption(jsonOption())
    .action((options: ListOptions) => withApp(terminal, (app) => list(terminal, app, options)))

  texts
    .command('retry')
    .description('send failed texts again; one that waits for its next try is sent at once')
    .argument('[id...]', 'as `texts list` shows them', collectIds)
    .option(
      '--since <date>',
      'all that failed of those written since then, such as 2030-01-31 or 2030-01-31T18:00, or "10 minutes ago"',
      toPast,
    )
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((ids: number[], options: RetryOptions) =>
      withApp(terminal, async (app) => {
        if (ids.length > 0 === (options.since !== undefined))
          throw new CommandError('Say which: their ids, or --since and a date.')
        const count = options.since ? await retrySince(app, options.since) : await retryEach(app, ids)
        app.wake()
        printResult(
          terminal,
          { count },
          { ...options, text: `${count} ${count === 1 ? 'text is' : 'texts are'} due again.` },
        )
      }),
    )
}

interface ListOptions {
  phone?: string
  state?: SmsState
  limit: number
  json?: boolean
}

interface RetryOptions {
  since?: PastTime
  json?: boolean
}

async function list(terminal: Terminal, app: App, options: ListOptions): Promise<void> {
  const filters = { phonenumber: options.phone, state: options.state }
  printRows(terminal, await listSms(app.db, filters, options.limit, smsSuffix(app.config.SERVICE_NAME)), {
    ...options,
    none: 'There is none.',
    columns: [
      { title: 'id', value: (row) => row.id },
      { title: 'written (UTC)', value: (row) => formatShortTime(row.created) },
      { title: 'phone', value: (row) => row.phonenumber },
      { title: 'request', value: (row) => row.collection_request },
      { title: 'purpose', value: (row) => row.purpose },
      { title: 'state', value: (row) => row.state },
      { title: 'attempts', value: (row) => row.attempts },
      { title: 'text', value: (row) => row.body.replace(/\s+/g, ' ') },
      { title: 'last error', value: (row) => row.last_error },
    ],
  })
}

/** All or none: one wrong id and nothing is sent again. */
async function retryEach(app: App, ids: readonly number[]): Promise<number> {
  await begin(app.db, async (tx) => {
    for (const id of ids) await retrySms(tx, app.clock.now(), id)
  })
  return ids.length
}

function retrySince(app: App, since: PastTime): Promise<number> {
  const now = app.clock.now()
  return begin(app.db, (tx) => retryFailedSms(tx, now, since(now)))
}

const EXAMPLES = `
Examples:
  $ npx kusanya texts retry 17 18
  $ npx kusanya texts retry --since 2030-01-31T18:00`
