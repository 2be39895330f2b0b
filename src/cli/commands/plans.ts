import type { Command } from 'commander'
import {
  getPlan,
  listOccurrences,
  listPlans,
  nextDates,
  type PlanView,
  stopPlan,
} from '../../core/collections/plans.ts'
import { begin } from '../../db/client.ts'
import { displayAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { jsonOption, organizationOption, toCount } from '../arguments.ts'
import { formatShortTime, printResult, printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addPlans(program: Command, terminal: Terminal): void {
  const plans = program.command('plans').description('recurring collection requests')

  plans
    .command('list')
    .description('list the newest plans')
    .addOption(organizationOption())
    .option('--limit <count>', 'how many', toCount, 50)
    .addOption(jsonOption())
    .action((options: { organization?: number; limit: number; json?: boolean }) =>
      withApp(terminal, async (app) =>
        printRows(terminal, await listPlans(app.db, options, options.limit), {
          ...options,
          none: 'There is none. A collection request with subscription_settings is the first of a plan.',
          columns: [
            { title: 'id', value: (row) => row.id },
            { title: 'request', value: (row) => row.collection_request },
            { title: 'phone', value: (row) => row.phonenumber },
            { title: 'currency', value: (row) => row.currency },
            { title: 'amount', value: (row) => displayAmount(row.amount) },
            { title: 'recurs', value: describe },
            { title: 'made', value: (row) => row.occurrence_count },
            { title: 'next (UTC)', value: (row) => (row.due_at ? formatShortTime(row.due_at) : stateOf(row)) },
          ],
        }),
      ),
    )

  plans
    .command('show')
    .description('show a plan, its last requests and its next dates')
    .argument('<id>', 'as `plans list` shows it', toCount)
    .option('--limit <count>', 'how many requests and dates', toCount, 10)
    .addOption(jsonOption())
    .action((id: number, options: { limit: number; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const plan = await getPlan(app.db, id)
        const next_dates = nextDates(plan, options.limit)
        const made = await listOccurrences(app.db, id, options.limit)
        const text = [
          `Plan ${plan.id}: ${plan.currency} ${displayAmount(plan.amount)} from ${plan.phonenumber}, ${describe(plan)}`,
          `from ${formatTimestamp(plan.start_date)} to ${formatTimestamp(plan.end_date)}. ${plan.occurrence_count} made, ${stateOf(plan)}.`,
          ...made
            .toReversed()
            .map((one) => `  ${formatTimestamp(one.date)}  request ${one.collection_request}  ${one.status}`),
          ...next_dates.map((date) => `  ${formatTimestamp(date)}`),
        ].join('\n')
        printResult(terminal, { ...plan, occurrences: made, next_dates }, { ...options, text })
      }),
    )

  plans
    .command('stop')
    .description('stop a plan for good; the requests that it has made stay as they are')
    .argument('<id>', 'as `plans list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const plan = await begin(app.db, (tx) => stopPlan(tx, app.clock.now(), id))
        const requests =
          plan.occurrence_count === 1
            ? 'the request that it has made stays as it is'
            : `the ${plan.occurrence_count} requests that it has made stay as they are`
        printResult(terminal, plan, { ...options, text: `Plan ${id} is ${stateOf(plan)}; ${requests}.` })
      }),
    )
}

function stateOf(plan: PlanView): string {
  if (plan.due_at) return 'active'
  return plan.stopped ? 'stopped' : 'ended'
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The recurrence in words, such as "daily on Monday, Friday in January". */
function describe({ frequencies, weekdays, months }: PlanView): string {
  const days = weekdays.map((day) => WEEKDAYS[day]).join(', ')
  const names = months.map((month) =>
    new Date(Date.UTC(2000, month - 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
  )
  return [frequencies.join(', '), days && `on ${days}`, names.length > 0 && `in ${names.join(', ')}`]
    .filter(Boolean)
    .join(' ')
}
