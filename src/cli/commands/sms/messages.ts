import type { Command } from 'commander'
import type { App } from '../../../app.ts'
import {
  type SmsMessage,
  type SmsPurpose,
  type SmsState,
  smsPurposes,
  smsStates,
  smsSuffix,
} from '../../../core/sms/message.ts'
import {
  getSms,
  listSms,
  queueSms,
  readSmsAttempts,
  retryFailedSms,
  retrySms,
  type SmsAttempt,
} from '../../../core/sms/outbox.ts'
import { begin } from '../../../db/client.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import {
  chooseOrganization,
  collectIds,
  jsonOption,
  organizationOption,
  type PastTime,
  readSharedTimeZone,
  toCount,
  toPast,
} from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList, filter, type LimitOption } from '../../list-command.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { completePhone, toTypedPhone } from '../../typed-phones.ts'

/** `sms list`, `show`, `retry` and `send`. */
export function addMessages(sms: Command, terminal: Terminal): void {
  addList<SmsMessage, SmsFilterOptions>(sms, terminal, {
    description: 'list the newest messages',
    filters: [
      filter('--phone <number>', 'those to one customer', toTypedPhone),
      filter('--state <state>', 'those in one state').choices(smsStates),
      filter('--purpose <purpose>', 'those for one purpose').choices(smsPurposes),
      organizationOption(),
    ],
    limit: 'how many',
    read: (app, { phone, state, purpose, organization, limit }) =>
      listSms(
        app.db,
        {
          ...(phone !== undefined && { phonenumber: phone }),
          ...(state && { state }),
          ...(purpose && { purpose }),
          ...(organization !== undefined && { organization }),
        },
        limit,
        smsSuffix(app.config.SERVICE_NAME),
      ),
    none: 'There are no messages.',
    columns: {
      id: 'id',
      'created (UTC)': 'created',
      phone: 'phonenumber',
      request: 'collection_request',
      purpose: 'purpose',
      state: 'state',
      attempts: 'attempts',
      over: 'sender',
      parts: 'parts',
      cost: describeCost,
      text: (row) => row.body.replace(/\s+/g, ' '),
      'last error': 'last_error',
    },
  })
  addShow(sms, terminal)
  addRetry(sms, terminal)
  addSend(sms, terminal)
}

interface SmsFilterOptions extends LimitOption {
  phone?: string
  state?: SmsState
  purpose?: SmsPurpose
  organization?: number
}

function describeCost({ cost, currency }: Pick<SmsMessage, 'cost' | 'currency'>): string | null {
  return cost === null ? null : `${currency} ${displayAmount(cost)}`
}

function addShow(sms: Command, terminal: Terminal): void {
  sms
    .command('show')
    .description('show a message, its providers and their answers')
    .argument('<id>', 'as `sms list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const message = await getSms(app.db, id, smsSuffix(app.config.SERVICE_NAME))
        const attempts = (await readSmsAttempts(app.db, [id])).get(id) ?? []
        const text = [...describeMessage(message), ...attempts.flatMap(describeAttempt)].join('\n')
        printResult(terminal, { ...message, providers: attempts }, { ...options, text })
      }),
    )
}

function describeMessage(message: SmsMessage): string[] {
  const { id, phonenumber, purpose, state, reason, last_error, encoding, parts, due_at } = message
  const request = message.collection_request ? `request ${message.collection_request}` : null
  const payment = message.payment ? `payment ${message.payment}` : null
  const purchase = message.bill_purchase ? `purchase ${message.bill_purchase}` : null
  const size =
    parts === null ? null : `${parts} ${parts === 1 ? 'part' : 'parts'} in ${encoding === 'gsm' ? 'GSM' : 'UCS-2'}`
  const cost = describeCost(message)
  const why = [reason, last_error].filter(Boolean).join(': ')
  return [
    `SMS ${id} to ${phonenumber}: ${state}${why && ` (${why})`}`,
    [purpose, request, purchase, payment, message.transactional ? null : 'not transactional']
      .filter(Boolean)
      .join(', '),
    ...(size ? [cost ? `${size}, ${cost}` : size] : []),
    ...(due_at ? [`${state === 'waiting' ? 'Due' : 'The provider is asked'} at ${formatTimestamp(due_at)}`] : []),
    `“${message.body}”`,
  ]
}

function describeAttempt({ attempt, connection, sender_id, reference, remote_id, answers }: SmsAttempt): string[] {
  const from = sender_id === null ? '' : ` as ${sender_id}`
  const ids = remote_id === null ? reference : `${reference}, there ${remote_id}`
  const said = answers.map(({ at, source, outcome, reason, code, message }) => {
    const details = [reason, code, message].filter(Boolean).join(', ')
    return `   ${formatTimestamp(at)} ${source}: ${outcome}${details && ` (${details})`}`
  })
  return [`${attempt}. over ${connection}${from}, ${ids}`, ...(said.length > 0 ? said : ['   no answer yet'])]
}

function addRetry(sms: Command, terminal: Terminal): void {
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

interface RetryOptions {
  since?: PastTime
  json?: boolean
}

/** Retry all of them or none: one wrong id refuses the whole command. */
async function retryEach(app: App, ids: readonly number[]): Promise<number> {
  await begin(app.db, async (tx) => {
    for (const id of ids) await retrySms(tx, app.clock.now(), id)
  })
  return ids.length
}

async function retrySince(app: App, since: PastTime): Promise<number> {
  const now = app.clock.now()
  const created_since = since(now, await readSharedTimeZone(app.db))
  return begin(app.db, (tx) => retryFailedSms(tx, now, created_since))
}

/** Longer texts take more than ten parts, which networks refuse. */
const MAX_CHARACTERS = 1_000

function addSend(sms: Command, terminal: Terminal): void {
  sms
    .command('send')
    .description('send one message in the name of an organization, such as to try a route')
    .argument('<phone>', 'such as +256772000001', toTypedPhone)
    .argument('<text>')
    .addOption(organizationOption())
    .option(
      '--transactional',
      'it belongs to something that the customer has just done: STOP and quiet hours do not count',
    )
    .addOption(jsonOption())
    .action((typed: string, body: string, options: SendOptions) =>
      withApp(terminal, async (app) => {
        if (body.trim() === '') throw new CommandError('The text is empty.')
        if ([...body].length > MAX_CHARACTERS)
          throw new CommandError(`A text has at most ${MAX_CHARACTERS} characters.`)
        const { id: organization } = await chooseOrganization(app.db, options.organization)
        const phonenumber = await completePhone(app.db, typed, organization)
        const transactional = options.transactional ?? false
        const message = { organization, purpose: 'message' as const, phonenumber, body, transactional }
        const id = await begin(app.db, async (tx) => {
          const [queued] = await queueSms(tx, app.clock.now(), [message])
          await recordOperatorAction(tx, app, organization, {
            action: 'send sms',
            details: { sms: queued!, transactional },
          })
          return queued!
        })
        app.wake()
        const text = `SMS ${id} is on its way. \`npx kusanya sms show ${id}\` shows its state.`
        printResult(terminal, { id }, { ...options, text })
      }),
    )
}

interface SendOptions {
  organization?: number
  transactional?: boolean
  json?: boolean
}

const EXAMPLES = `
Examples:
  $ npx kusanya sms retry 17 18
  $ npx kusanya sms retry --since 2030-01-31T18:00`
