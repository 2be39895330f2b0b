import { type Command, InvalidArgumentError } from 'commander'
import { setLimitAction } from '../../../core/sms/actions.ts'
import { readSmsLimits, readSmsUsage } from '../../../core/sms/usage.ts'
import { displayAmount } from '../../../lib/money.ts'
import { addActionCommand } from '../../action-command.ts'
import { toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen, preset, typed } from '../../typed.ts'

const DEFAULT_MONTHS = 12

/** `sms usage` and `sms limits …`. */
export function addUsage(sms: Command, terminal: Terminal): void {
  addList(sms, terminal, {
    name: 'usage',
    description: 'what organizations sent in each month (UTC), and what the providers said that it cost',
    typed: { months: preset(typed('--months <count>', 'how many months back', toCount), DEFAULT_MONTHS) },
    organization: 'all',
    read(app, { months }, owner) {
      const now = app.clock.now()
      const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1))
      return readSmsUsage(app.db, { since, ...(owner && { organization: owner.id }) })
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
  addList(limits, terminal, {
    description: 'list the limits',
    read: (app) => readSmsLimits(app.db),
    none: 'There are no limits.',
    columns: {
      organization: 'organization',
      'parts in a month': (row) => row.monthly_parts ?? 'any number',
      'STOP ends': (row) => (row.stop_covers_receipts ? 'also confirmations of payments' : 'what is not transactional'),
    },
  })
  addActionCommand(limits, terminal, setLimitAction, {
    words: {
      parts: typed('--parts <count>', 'parts in a calendar month in UTC, or "any"', toParts),
      stop: chosen('--stop <scope>', 'receipts: STOP also ends confirmations of payments', ['receipts', 'others']),
    },
    read(_, _input, { parts, stop }) {
      if (parts === undefined && stop === undefined) throw new CommandError('Give --parts or --stop.')
      return {
        ...(parts !== undefined && { monthly_parts: parts === 'any' ? null : parts }),
        ...(stop && { stop_covers_receipts: stop === 'receipts' }),
      }
    },
  })
}

function toParts(text: string): number | 'any' {
  if (text === 'any') return text
  const parts = Number(text)
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, or "any".')
  return parts
}
