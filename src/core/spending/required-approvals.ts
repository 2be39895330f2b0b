import type { Tx } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'
import { startOfLimits } from '../ledger/last-day.ts'
import { type ApprovalRules, countRequiredApprovals, type RuledSum } from './approval-rules.ts'
import { accountForms } from './limits.ts'

/*
 * A sum that needs an approval is not made small by paying it in parts: what one phone number or account gets in 24 hours
 * without an approval counts together (docs/decisions/0050).
 */

/** A payment or a bill purchase that the rules are asked about. */
interface RuledItem {
  organization: number
  currency: string
  /** What decides by itself: the amount or, for a part of a file, what the file pays in each of its currencies. */
  sums: readonly RuledSum[]
  /** Who gets how much. `phonenumber` of a purchase is its account where that is no phone; nobody for pins. */
  recipients: readonly { phonenumber: string; amount: Amount }[]
}

/** How many persons have to approve a payment or a purchase. What needs nobody counts for those that are asked about after it. */
export type ApprovalCount = (item: RuledItem) => number

/**
 * Sums up what the recipients of these items got in the last 24 hours without an approval, and returns the count. Until the end
 * of the transaction no other one counts for the same organizations, so two payments at once are never both the first.
 */
export async function openApprovalCount(
  tx: Tx,
  now: Date,
  items: readonly RuledItem[],
  rules: ApprovalRules,
): Promise<ApprovalCount> {
  const ruled = items.filter(({ organization, currency }) =>
    rules.rules.some((rule) => rule.organization === organization && rule.currency === currency),
  )
  const organizations = [...new Set(ruled.map(({ organization }) => organization))]
  if (organizations.length > 0)
    await tx`select id from organizations where id = any(${organizations}::bigint[]) order by id for no key update`
  const sums = new Map<string, Amount>()
  for (const [key, parts] of Map.groupBy(ruled, ({ organization, currency }) => `${organization}:${currency}`))
    for (const { phonenumber, sum } of await readUnapproved(tx, now, parts)) add(sums, `${key}:${phonenumber}`, sum)
  return (item) => {
    const { organization, currency } = item
    const own = new Map<string, Amount>()
    for (const { phonenumber, amount } of item.recipients)
      add(own, `${organization}:${currency}:${phonenumber}`, amount)
    const together = [...own].map(([key, amount]) => ({ currency, amount: amount + (sums.get(key) ?? 0n) }))
    const required = countRequiredApprovals({ organization, sums: [...item.sums, ...together] }, rules)
    if (required === 0) for (const [key, amount] of own) add(sums, key, amount)
    return required
  }
}

function add(sums: Map<string, Amount>, key: string, amount: Amount): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}

/** What the recipients of these items, all of one organization and currency, got lately without an approval. */
async function readUnapproved(
  tx: Tx,
  now: Date,
  items: readonly RuledItem[],
): Promise<{ phonenumber: string; sum: Amount }[]> {
  const [{ organization, currency }] = items as [RuledItem]
  const phones = [...new Set(items.flatMap(({ recipients }) => recipients.map(({ phonenumber }) => phonenumber)))]
  const accounts = new Map(phones.flatMap((phone) => accountForms(phone).map((form) => [form, phone])))
  const since = startOfLimits(now)
  const paid = await tx<{ phonenumber: string; sum: Amount }[]>`
    select r.phonenumber, sum(r.amount)::numeric(38,4) as sum
    from payments p join payment_recipients r on r.payment = p.id and r.organization = p.organization
    where p.organization = ${organization} and p.currency = ${currency} and p.created > ${since}
      and coalesce(p.approvals_required, 0) = 0 and p.approved_time is null and p.state not in ('rejected', 'cancelled')
      and r.state not in ('error', 'aborted') and r.phonenumber = any(${phones}::text[])
    group by 1`
  const bought = await tx<{ account_number: string; sum: Amount }[]>`
    select account_number, sum(amount)::numeric(38,4) as sum from bill_purchases
    where organization = ${organization} and currency = ${currency} and created > ${since}
      and approvals_required = 0 and status <> 'failed' and account_number = any(${[...accounts.keys()]}::text[])
    group by 1`
  return [...paid, ...bought.map(({ account_number, sum }) => ({ phonenumber: accounts.get(account_number)!, sum }))]
}
