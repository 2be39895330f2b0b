import type { Command } from 'commander'
import { planList } from '../../actions/lists/collections.ts'
import { getPlan, listOccurrences, nextDates, stateOfPlan } from '../../core/collections/plans.ts'
import { pausePlanAction, resumePlanAction, stopPlanAction } from '../../core/collections/recurring/actions.ts'
import { describeRecurrence } from '../../core/collections/recurring/plan-view.ts'
import { displayAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { addActionCommand } from '../action-command.ts'
import { toCount } from '../arguments.ts'
import { addCommand } from '../command.ts'
import { addListCommand } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'
import { preset, typed } from '../typed.ts'

export function addPlans(program: Command, terminal: Terminal): void {
  const plans = program.command('plans').description('recurring collection requests')

  addListCommand(plans, terminal, planList)

  addCommand(plans, terminal, {
    name: 'show',
    description: 'show a plan, its last requests and its next dates',
    typed: {
      id: typed('<id>', 'as `plans list` shows it', toCount),
      limit: preset(typed('--limit <count>', 'how many requests and dates', toCount), 10),
    },
    async run(app, { id, limit }) {
      const plan = await getPlan(app.db, id)
      const next_dates = nextDates(plan, limit)
      const occurrences = await listOccurrences(app.db, id, limit)
      const text = [
        `Plan ${plan.id}: ${plan.currency} ${displayAmount(plan.amount)} from ${plan.phonenumber}, ${describeRecurrence(plan)}`,
        `from ${formatTimestamp(plan.start_date)} to ${formatTimestamp(plan.end_date)}. ${plan.occurrence_count} requests so far, ${stateOfPlan(plan)}.`,
        ...occurrences
          .toReversed()
          .map((one) => `  ${formatTimestamp(one.date)}  request ${one.collection_request}  ${one.status}`),
        ...next_dates.map((date) => `  ${formatTimestamp(date)}`),
      ]
      return { shown: { ...plan, occurrences, next_dates }, text }
    },
  })

  for (const action of [pausePlanAction, resumePlanAction, stopPlanAction]) addActionCommand(plans, terminal, action)
}
