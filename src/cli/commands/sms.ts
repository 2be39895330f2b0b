import type { Command } from 'commander'
import type { App } from '../../app.ts'
import {
  listSms,
  retryFailedSms,
  retrySms,
  type SmsMessage,
  type SmsState,
  smsStates,
  smsSuffix,
} from '../../core/collections/sms.ts'
import { begin } from '../../db/client.ts'
import { collectIds, jsonOption, type PastTime, toPast, toPhone } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addList, filter, type LimitOption } from '../list-command.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addSms(program: Command, terminal: Terminal): void {
  const sms = program
    .command('sms')
    .alias('texts')
    .description('SMS to customers: list messages, and retry those that could not be sent')

  addList<SmsMessage, SmsFilterOptions>(sms, terminal, {
    description: 'list the newest messages',
    filters: [
      filter('--phone <number>', 'those to one customer', toPhone),
      filter('--state <state>', 'those in one state').choices(smsStates),
    ],
    limit: 'how many',
    read: (app, { phone, state, limit }) =>
      listSms(app.db, { phonenumber: phone, state }, limit, smsSuffix(app.config.SERVICE_NAME)),
    none: 'There are no messages.',
    columns: {
      id: 'id',
      'created (UTC)': 'created',
      phone: 'phonenumber',
      request: 'collection_request',
      purpose: 'purpose',
      state: 'state',
      attempts: 'attempts',
      text: (row) => row.body.replace(/\s+/g, ' '),
      'last error': 'last_error',
    },
  })

  sms
    .command('retry')
    .description('send failed messages again; a message that waits for its next try is sent at once')
    .argument('[id...]', 'as `sms list` shows them', collectIds)
    .option(
      '--since <date>',
      'all failed messages that were created since then, such as 2030-01-31T18:00 or "10 minutes ago"',
      toPast,
    )
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((ids: number[], options: RetryOptions) =>
      withApp(terminal, async (app) => {
        if (ids.length > 0 === (options.since !== undefined))
          throw new CommandError('Give either ids, or --since and a date.')
        const count = options.since ? await retrySince(app, options.since) : await retryEach(app, ids)
        app.wake()
        printResult(
          terminal,
          { count },
          { ...options, text: `${count} ${count === 1 ? 'message is' : 'messages are'} due again.` },
        )
      }),
    )
}

interface SmsFilterOptions extends LimitOption {
  phone?: string
  state?: SmsState
}

interface RetryOptions {
  since?: PastTime
  json?: boolean
}

/** Retries all of them or none: one wrong id refuses the whole command. */
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
  $ npx kusanya sms retry 17 18
  $ npx kusanya sms retry --since 2030-01-31T18:00`
