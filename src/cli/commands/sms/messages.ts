import type { Command } from 'commander'
import { smsList } from '../../../actions/lists/sms.ts'
import { retrySmsAction, sendSmsAction } from '../../../core/sms/actions.ts'
import { type SmsMessage, smsSuffix } from '../../../core/sms/message.ts'
import { getSms, readSmsAttempts, type SmsAttempt } from '../../../core/sms/outbox.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { addActionCommand } from '../../action-command.ts'
import { readSharedTimeZone, toPast } from '../../arguments.ts'
import { addShow } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

/** `sms list`, `show`, `retry` and `send`. */
export function addMessages(sms: Command, terminal: Terminal): void {
  addListCommand(sms, terminal, smsList)
  addShow(sms, terminal, 'show a message, its providers and their answers', async (app, id) => {
    const message = await getSms(app.db, id, smsSuffix(app.config.SERVICE_NAME))
    const attempts = (await readSmsAttempts(app.db, [id])).get(id) ?? []
    const text = [...describeMessage(message), ...attempts.flatMap(describeAttempt)]
    return { shown: { ...message, providers: attempts }, text }
  })
  addActionCommand(sms, terminal, retrySmsAction, {
    help: EXAMPLES,
    words: { since: typed('--since <date>', SINCE, toPast) },
    async read(app, { ids = [] }, { since }) {
      if (ids.length > 0 === (since !== undefined)) throw new CommandError('Give either ids, or --since and a date.')
      return { ids, since: since?.(app.clock.now(), await readSharedTimeZone(app.db)) }
    },
  })
  addActionCommand(sms, terminal, sendSmsAction)
}

function describeCost({ cost, currency }: Pick<SmsMessage, 'cost' | 'currency'>): string | null {
  return cost === null ? null : `${currency} ${displayAmount(cost)}`
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

const SINCE = 'all failed messages that were created since then, such as 2030-01-31T18:00 or "10 minutes ago"'

const EXAMPLES = `
Examples:
  $ npx kusanya sms retry 17 18
  $ npx kusanya sms retry --since 2030-01-31T18:00`
