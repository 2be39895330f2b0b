import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { Invalid } from '../../refusals.ts'
import { requireMoneyPermission } from '../../spending/approvers.ts'
import { type LimitedPayment, openLimitCheck } from '../../spending/limits.ts'
import type { ChoosePayoutNetwork } from './check.ts'
import { type BulkPaymentRow, lockBulkPayment, recheckDraft } from './drafts.ts'
import { readFunds, readOtherNeeds } from './funds.ts'
import { digestBulkPayment } from './review.ts'

/** File to start, and the person who starts it. */
export interface Start {
  organization: number
  bulk_payment: number
  user: number
  /** Return why a person may not start what has this digest (`digestBulkPayment`). Undefined if nobody reviews it. */
  reviewError?: (digest: string) => Invalid | undefined
}

/**
 * Starts the creation of payments from a file, or goes on after it was stopped. A job then creates them, a group at a
 * time. Its rows are checked once more; the money for all of them must be there, and the limits must allow them. A file
 * that is started already stays as it is, so that pressing twice pays once.
 * @returns the refusal if rows need a decision, or if they are not those that `reviewError` accepts: the caller commits,
 *   so that the page shows the results of the check
 * @throws NotFound. Forbidden. Invalid without rows, money or limits for them.
 */
export async function startBulkPayment(
  tx: Tx,
  now: Date,
  { organization, bulk_payment, user, reviewError }: Start,
  chooseNetwork: ChoosePayoutNetwork,
): Promise<{ started: boolean; refusal?: Invalid }> {
  await requireMoneyPermission(tx, { organization, user }, ['initiate_payments'])
  // One after the other, so that two files with the same rows see each other.
  await tx`select id from organizations where id = ${organization} for no key update`
  const draft = await lockBulkPayment(tx, organization, bulk_payment)
  if (draft.state === 'creating' || draft.state === 'created') return { started: false }
  const refusal = (await checkStart(tx, now, draft, chooseNetwork)) ?? reviewError?.(await digestBulkPayment(tx, draft))
  if (refusal) return { started: false, refusal }
  await requireLimits(tx, now, draft, user)
  await tx`
    update bulk_payments set state = 'creating', problem = null, due_at = ${now}, leased_until = null,
      started = coalesce(started, ${truncateToSecond(now)}), started_by = ${user}, modified = ${truncateToSecond(now)}
    where id = ${draft.id}`
  return { started: true }
}

/**
 * Checks the rows of a file once more before its start. The file must be locked.
 * @returns the refusal if rows need a decision
 * @throws Invalid without money for them
 */
export async function checkStart(
  tx: Tx,
  now: Date,
  draft: BulkPaymentRow,
  chooseNetwork: ChoosePayoutNetwork,
): Promise<Invalid | undefined> {
  await recheckDraft(tx, now, draft, chooseNetwork)
  const refusal = await findUndecided(tx, draft)
  if (!refusal) await requireMoney(tx, draft)
  return refusal
}

async function findUndecided(tx: Tx, { organization, id }: BulkPaymentRow): Promise<Invalid | undefined> {
  const [counts] = await tx<{ wrong: number; undecided: number; payable: number }[]>`
    select count(*) filter (where problems <> '[]') as wrong,
      count(*) filter (where problems = '[]' and warnings <> '[]' and decision is null) as undecided,
      count(*) filter (where problems = '[]') as payable
    from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${id} and recipient is null and decision is distinct from 'skip'`
  const { wrong, undecided, payable } = counts!
  const messages = [
    ...(wrong > 0 ? [getMessage('bulk.wrong_rows', { count: wrong })] : []),
    ...(undecided > 0 ? [getMessage('bulk.undecided_rows', { count: undecided })] : []),
    ...(wrong + payable === 0 ? [getMessage('bulk.no_rows')] : []),
  ]
  return messages.length > 0 ? new Invalid({ rows: messages }) : undefined
}

async function requireMoney(tx: Tx, draft: BulkPaymentRow): Promise<void> {
  // The others first: a group that becomes a payment meanwhile is then counted twice, and not left out.
  const others = Map.groupBy(await readOtherNeeds(tx, draft), ({ account }) => account)
  const messages = (await readFunds(tx, draft)).flatMap(({ account, account_name, currency, balance, needed }) => {
    const promised = sumOf((others.get(account) ?? []).map((other) => other.needed))
    if (balance >= needed + promised) return []
    const money = (amount: Amount) => `${currency} ${displayAmount(amount)}`
    const values = { name: account_name, balance: money(balance), needed: money(needed) }
    return promised === 0n
      ? getMessage('wallets.too_little_for_rows', values)
      : getMessage('wallets.too_little_beside_files', { ...values, others: money(promised) })
  })
  if (messages.length > 0) throw new Invalid({ amount: messages })
}

/**
 * All rows together must fit, beside the other files that are being created: a file that is paid in part would be worse
 * than one that is refused.
 */
async function requireLimits(tx: Tx, now: Date, draft: BulkPaymentRow, user: number): Promise<void> {
  const { organization, id } = draft
  const rows = await tx<LimitedRow[]>`
    select phonenumber, currency, amount from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${id} and recipient is null and problems = '[]'
      and decision is distinct from 'skip'`
  const payments = toLimited(organization, user, rows)
  const by_author = [...Map.groupBy(await readOtherNeeds(tx, draft), ({ author }) => author)]
  const promised = by_author.flatMap(([author, needs]) => toLimited(organization, author, needs))
  const check = await openLimitCheck(tx, now, payments, {}, promised)
  for (const payment of payments) {
    const refusal = check(payment)
    if (refusal) throw refusal
  }
}

type LimitedRow = LimitedPayment['recipients'][number] & { currency: string }

function toLimited(organization: number, author: number, rows: readonly LimitedRow[]): LimitedPayment[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, recipients]) => ({
    organization,
    currency,
    author,
    recipients,
    amount: sumOf(recipients.map(({ amount }) => amount)),
  }))
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}
