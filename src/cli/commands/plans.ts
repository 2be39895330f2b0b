import { type Command, Option } from 'commander'
import {
  getPlan,
  listOccurrences,
  listPlans,
  nextDates,
  type PlanState,
  type PlanView,
  planStates,
  stateOfPlan,
} from '../../core/collections/plans.ts'
import { pausePlanAction, resumePlanAction, stopPlanAction } from '../../core/collections/recurring/actions.ts'
import { displayAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { addActionCommand } from '../action-command.ts'
import { jsonOption, organizationOption, toCount } from '../arguments.ts'
import { addList, type LimitOption } from '../list-command.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addPlans(program: Command, terminal: Terminal): void {
  const plans = program.command('plans').description('recurring collection requests')

  addList<PlanView, LimitOption & { organization?: number; state?: PlanState }>(plans, terminal, {
    description: 'list the newest plans',
    filters: [organizationOption(), new Option('--state <state>', 'only plans in this state').choices(planStates)],
    limit: 'how many',
    read: (app, { organization, state, limit }) => listPlans(app.db, { organization, state }, limit),
    none: 'There are no plans. A collection request with subscription_settings starts a plan.',
    columns: {
      id: 'id',
      request: 'collection_request',
      phone: 'phonenumber',
      currency: 'currency',
      amount: 'amount',
      recurs: describe,
      requests: 'occurrence_count',
      'next (UTC)': (row) => row.due_at ?? stateOfPlan(row),
    },
  })

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
        const occurrences = await listOccurrences(app.db, id, options.limit)
        const text = [
          `Plan ${plan.id}: ${plan.currency} ${displayAmount(plan.amount)} from ${plan.phonenumber}, ${describe(plan)}`,
          `from ${formatTimestamp(plan.start_date)} to ${formatTimestamp(plan.end_date)}. ${plan.occurrence_count} requests so far, ${stateOfPlan(plan)}.`,
          ...occurrences
            .toReversed()
            .map((one) => `  ${formatTimestamp(one.date)}  request ${one.collection_request}  ${one.status}`),
          ...next_dates.map((date) => `  ${formatTimestamp(date)}`),
        ].join('\n')
        printResult(terminal, { ...plan, occurrences, next_dates }, { ...options, text })
      }),
    )

  for (const action of [pausePlanAction, resumePlanAction, stopPlanAction]) addActionCommand(plans, terminal, action)
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Describe the recurrence, such as "daily on Monday, Friday in January". */
function describe({ frequencies, weekdays, months }: PlanView): string {
  const days = weekdays.map((day) => WEEKDAYS[day]).join(', ')
  const names = months.map((month) =>
    new Date(Date.UTC(2000, month - 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
  )
  return [frequencies.join(', '), days && `on ${days}`, names.length > 0 && `in ${names.join(', ')}`]
    .filter(Boolean)
    .join(' ')
}
