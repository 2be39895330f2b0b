import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { matchesPerson, peopleSearch } from '../contacts/people-search.ts'
import { amount, id } from '../fields.ts'
import { SAME_NAME_SCORE } from './approval-queue.ts'
import { openStates, recipientStates } from './payments.ts'

/* The recipients of one payment, a page at a time, and their sums. */

/** Results of comparing the network's name of a recipient with the organization's. */
const nameChecks = ['same', 'different', 'not_compared', 'not_known', 'not_registered'] as const

/** Recipient of a payment, with the account holder's name on the network. */
export const PaymentRecipient = z.object({
  id,
  contact: id,
  phonenumber: z.string(),
  /** The name that the organization knows. */
  name: z.string(),
  name_on_network: z.string(),
  /** `not_compared`: the organization knows no name. `not_known`: the network has not said it, or does not tell names. */
  check: z.enum(nameChecks),
  amount,
  reversed_amount: amount,
  /** The fee that is charged if the money arrives. */
  fee: amount,
  state: z.enum(recipientStates),
  last_error: z.string().nullable(),
  remote_transaction_id: z.string().nullable(),
  description: z.string(),
})
export type PaymentRecipient = z.output<typeof PaymentRecipient>

/** The states of recipients as people count them. `waiting`: not ended yet. */
const recipientGroups = ['waiting', 'paid', 'failed', 'cancelled'] as const
export type RecipientGroup = (typeof recipientGroups)[number]

/** Number and sum of the recipients in one state. */
export const RecipientSum = z.object({ state: z.enum(recipientGroups), count: z.int(), amount })
export type RecipientSum = z.output<typeof RecipientSum>

/** The filters of the list. `names`: the network knows another name, or no account. */
export const recipientFilters = { search: peopleSearch, show: z.enum([...recipientGroups, 'names']).optional() }
type RecipientFilters = z.output<z.ZodObject<typeof recipientFilters>>

interface PaymentRef {
  organization: number
  id: number
}

/** Lists one page of the recipients of a payment in the order of the request, with the count of all that match. */
export async function listPaymentRecipients(
  db: AnyReader,
  ref: PaymentRef,
  { search, show }: RecipientFilters,
  page: { limit: number; offset: number },
): Promise<{ rows: PaymentRecipient[]; count: number }> {
  const name = sql`c.first_name || ' ' || c.last_name || ' ' || c.name_on_network`
  const from = sql`payment_recipients r join contacts c on c.id = r.contact and c.organization = r.organization
    where r.payment = ${ref.id} and r.organization = ${ref.organization}
      and ${matchesPerson(search, { name, phone: sql`r.phonenumber` })} and ${isShown(show)}`
  const rows = await db<PaymentRecipient[]>`
    select r.id, r.contact, r.phonenumber, c.first_name || ' ' || c.last_name as name, c.name_on_network,
      ${nameCheck} as check, r.amount, r.fee, r.state, r.last_error, r.remote_transaction_id, r.description,
      case when r.state = 'error' and r.reversed then r.amount else r.reversed_in_parts end as reversed_amount
    from ${from} order by r.id limit ${page.limit} offset ${page.offset}`
  const [total] = await db<{ count: number }[]>`select count(*) from ${from}`
  return { rows: [...rows], count: total!.count }
}

/** Counts and sums the recipients of payments by their states. */
export async function sumRecipients(db: AnyReader, { organization, id }: PaymentRef): Promise<RecipientSum[]> {
  const sums = await db<RecipientSum[]>`
    select ${groupOf} as state, count(*), sum(r.amount)::numeric(19,4) as amount from payment_recipients r
    where r.payment = ${id} and r.organization = ${organization} group by 1`
  return recipientGroups.flatMap((group) => sums.filter(({ state }) => state === group))
}

const groupOf = sql`case r.state when 'complete' then 'paid' when 'error' then 'failed' when 'aborted' then 'cancelled'
  else 'waiting' end`

const nameCheck = sql`case
  when c.phone_is_mm_registered = 'no' then 'not_registered'
  when c.name_on_network = '' then 'not_known'
  when c.name_matches_network_status <> 'checked' then 'not_compared'
  when c.name_matches_network_score < ${SAME_NAME_SCORE} then 'different'
  else 'same' end`

function isShown(show: RecipientFilters['show']): Fragment {
  switch (show) {
    case undefined:
      return sql.always
    case 'names':
      return sql`(${nameCheck}) in ('different', 'not_registered')`
    case 'waiting':
      return sql`r.state = any(${[...openStates]}::text[])`
    default:
      return sql`(${groupOf}) = ${show}`
  }
}
