import { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'
import { amount, id } from '../fields.ts'
import {
  type ApprovalRules,
  approvalSteps,
  countRequiredApprovals,
  type RuledSum,
  readApprovalRules,
} from './approval-rules.ts'
import { approvedLately } from './approver-limits.ts'

/** The rule that decides about a planned payment, and the people who may approve it. */
export const ApprovalPreview = z.object({
  /** Number of approvals that it needs. 0: none. */
  required: z.int(),
  /** The amount of the rule above which it needs them or, if it needs none, the first one. Null without a rule. */
  rule: z.object({ currency: z.string(), threshold: amount }).nullable(),
  /** The users who may approve it now. Empty if it needs no approval. */
  approvers: z.array(z.object({ user: id, name: z.string() })),
})
export type ApprovalPreview = z.output<typeof ApprovalPreview>

/** Payment that is planned; for a file, the sums in each of its currencies. */
interface PlannedSums {
  organization: number
  author: number
  sums: readonly RuledSum[]
}

/** Reads which rule decides about a planned payment, and who may approve it. */
export async function previewApproval(db: Reader, now: Date, planned: PlannedSums): Promise<ApprovalPreview> {
  const { organization, sums } = planned
  const rules = (await readApprovalRules(db, [organization])).get(organization)!
  const required = countRequiredApprovals(sums, rules)
  return {
    required,
    rule: findDecidingRule(sums, rules, required),
    approvers: required === 0 ? [] : await listApprovers(db, now, planned),
  }
}

/** Returns the rule of the sum that needs the most approvals. */
function findDecidingRule(sums: readonly RuledSum[], rules: ApprovalRules, required: number): ApprovalPreview['rule'] {
  const step = approvalSteps[required - 1] ?? 'threshold'
  const deciding = sums
    .filter((sum) => countRequiredApprovals([sum], rules) === required)
    .map(({ currency }) => currency)
  const rule = rules.rules.find((one) => deciding.includes(one.currency))
  const threshold = rule?.[step] ?? null
  return rule && threshold !== null ? { currency: rule.currency, threshold } : null
}

/** The limits of an approver in a currency of the payment; no currency: none. */
interface ApproverRow {
  user: number
  name: string
  currency: string | null
  per_payment: Amount | null
  per_day: Amount | null
}

/** Lists the users who may approve: neither the author, nor a new approver who waits, nor above the own limits. */
async function listApprovers(
  db: Reader,
  now: Date,
  { organization, author, sums }: PlannedSums,
): Promise<ApprovalPreview['approvers']> {
  const currencies = sums.map(({ currency }) => currency)
  const rows = await db<ApproverRow[]>`
    select m."user", u.name, l.currency, l.per_payment, l.per_day
    from memberships m join users u on u.id = m."user"
    left join approver_limits l on l.organization = m.organization and l."user" = m."user"
      and l.currency = any(${currencies}::text[])
    where m.organization = ${organization} and m."user" <> ${author} and u.kind = 'person'
      and 'approve_payments' = any(m.permissions) and (m.approves_from is null or m.approves_from <= ${now})
    order by u.name, m."user"`
  const excluded = new Set<number>()
  for (const row of rows) if (!(await mayApprove(db, now, organization, row, sums))) excluded.add(row.user)
  const people = new Map(rows.map(({ user, name }) => [user, { user, name }]))
  return [...people.values()].filter(({ user }) => !excluded.has(user))
}

async function mayApprove(
  db: Reader,
  now: Date,
  organization: number,
  { user, currency, per_payment, per_day }: ApproverRow,
  sums: readonly RuledSum[],
): Promise<boolean> {
  const amount = sums.find((sum) => sum.currency === currency)?.amount ?? 0n
  if (per_payment !== null && amount > per_payment) return false
  if (per_day === null) return true
  const [approved] = await db<{ sum: Amount }[]>`
    select coalesce(sum(sum), 0)::numeric(38,4) as sum from ${approvedLately(now, { organization, user })} t
    where currency = ${currency}`
  return amount <= per_day - approved!.sum
}
