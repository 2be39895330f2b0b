import { type Command, InvalidArgumentError, Option } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import { setLimitAction } from '../../../core/sms/actions.ts'
import { readSmsLimits, readSmsUsage, type SmsLimit, type SmsUsage } from '../../../core/sms/usage.ts'
import { displayAmount } from '../../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

const DEFAULT_MONTHS = 12

/** `sms usage` and `sms limits …`. */
export function addUsage(sms: Command, terminal: Terminal): void {
  addList<SmsUsage, { organization?: number; months: number }>(sms, terminal, {
    name: 'usage',
    description: 'what organizations sent in each month (UTC), and what the providers said that it cost',
    filters: [
      organizationOption(),
      new Option('--months <count>', 'how many months back').argParser(toCount).default(DEFAULT_MONTHS),
    ],
    read: (app, { organization, months }) => {
      const now = app.clock.now()
      const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1))
      return readSmsUsage(app.db, { since, ...(organization !== undefined && { organization }) })
    },
    none: 'No SMS was sent.',
    columns: {
      month: 'month',
      organization: 'organization',
      messages: 'messages',
      parts: 'parts',
      limit: 'monthly_parts',
      cost: ({ costs }) =>
        costs.map(({ connection, currency, cost }) => `${currency} ${displayAmount(cost)} (${connection})`).join(', '),
    },
  })

  const limits = sms.command('limits').description('how many parts of SMS organizations may send in a month')
  addList<SmsLimit>(limits, terminal, {
    description: 'list the limits',
    read: (app) => readSmsLimits(app.db),
    none: 'There are no limits.',
    columns: {
      organization: 'organization',
      'parts in a month': (row) => row.monthly_parts ?? 'any number',
      'STOP ends': (row) => (row.stop_covers_receipts ? 'also confirmations of payments' : 'what is not transactional'),
    },
  })
  addSet(limits, terminal)
}

interface SetOptions {
  organization?: number
  parts?: number | 'any'
  stop?: 'receipts' | 'others'
  json?: boolean
}

function addSet(limits: Command, terminal: Terminal): void {
  limits
    .command('set')
    .description('set what an organization may send')
    .addOption(organizationOption())
    .addOption(new Option('--parts <count>', 'parts in a calendar month in UTC, or "any"').argParser(toParts))
    .addOption(
      new Option('--stop <scope>', 'receipts: STOP also ends confirmations of payments').choices([
        'receipts',
        'others',
      ]),
    )
    .addOption(jsonOption())
    .action((options: SetOptions) =>
      withApp(terminal, async (app) => {
        if (options.parts === undefined && options.stop === undefined) throw new CommandError('Give --parts or --stop.')
        const { id: organization, name } = await chooseOrganization(app.db, options.organization)
        const limit = await runAction(app, operator(organization), setLimitAction, {
          ...(options.parts !== undefined && { monthly_parts: options.parts === 'any' ? null : options.parts }),
          ...(options.stop && { stop_covers_receipts: options.stop === 'receipts' }),
        })
        const parts = limit.monthly_parts === null ? 'any number of parts' : `${limit.monthly_parts} parts`
        const stop = limit.stop_covers_receipts
          ? 'STOP also ends confirmations of payments'
          : 'STOP ends what is not transactional'
        printResult(terminal, limit, { ...options, text: `${name} may send ${parts} in a month. ${stop}.` })
      }),
    )
}

function toParts(text: string): number | 'any' {
  if (text === 'any') return text
  const parts = Number(text)
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, or "any".')
  return parts
}
