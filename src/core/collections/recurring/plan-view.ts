import { z } from 'zod'
import { amount, documented, id, timestamp } from '../../fields.ts'
import { planStates } from '../plans.ts'
import { frequencies } from './recurrence.ts'

/** Number of next dates that a plan shows. */
export const SHOWN_DATES = 5

/** A recurring collection request as the API and the console show it. */
export const PlanView = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    state: documented(
      z.enum(planStates),
      '`active`, `paused`, `ended` when no date is left, or `stopped` when a user ended it.',
      'active',
    ),
    collection_request: documented(id, 'The first request, which the later ones copy.'),
    contact: documented(id, 'The contact of the customer.'),
    phonenumber: documented(z.string(), 'The phone number of the customer, in E.164.', '+80000000000'),
    customer_name: documented(z.string(), 'First and last name of the contact.', 'Jane Doe'),
    amount: documented(amount, 'The amount of each request.'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    reason: documented(z.string(), 'The reason; empty when none was given.', 'Rent'),
    frequencies: documented(z.array(z.enum(frequencies)), 'How often it recurs.', ['monthly']),
    weekdays: documented(z.array(z.int()), 'The weekdays, 0 is Monday; empty: no choice of weekdays.', [0, 3]),
    months: documented(z.array(z.int()), 'The months, 1 is January; empty: every month.', []),
    start_date: documented(timestamp, 'When it starts.'),
    end_date: documented(timestamp, 'The latest possible date.'),
    paused: documented(timestamp.nullable(), 'When it was paused; null if it is not paused.', null),
    stopped: documented(timestamp.nullable(), 'When it was stopped; null if it was not.', null),
    next_date: documented(timestamp.nullable(), 'The next date; null when there is none.'),
    next_dates: documented(z.array(timestamp), `At most ${SHOWN_DATES} of the next dates.`),
    occurrence_count: documented(z.int(), 'How many requests there are, including the first.', 3),
    collected_count: documented(z.int(), 'How many of its requests were paid.', 2),
    collected_amount: documented(amount, 'What they collected; reversed payments are not counted.'),
    failed_count: documented(z.int(), 'How many of its requests failed or expired.', 0),
    open_count: documented(z.int(), 'How many of its requests are open.', 1),
    reversed_count: documented(z.int(), 'How many of its requests were paid and then reversed.', 0),
  })
  .meta({ id: 'Plan' })
export type PlanView = z.output<typeof PlanView>

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Describe a recurrence, such as "daily on Monday, Friday in January". */
export function describeRecurrence(plan: Pick<PlanView, 'frequencies' | 'weekdays' | 'months'>): string {
  const { frequencies, weekdays, months } = plan
  const days = weekdays.map((day) => WEEKDAYS[day]).join(', ')
  const names = months.map((month) =>
    new Date(Date.UTC(2000, month - 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
  )
  return [frequencies.join(', '), days && `on ${days}`, names.length > 0 && `in ${names.join(', ')}`]
    .filter(Boolean)
    .join(' ')
}
