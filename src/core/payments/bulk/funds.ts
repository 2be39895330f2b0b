import type { AnyReader } from '../../../db/client.ts'
import type { Amount } from '../../../lib/money.ts'
import type { RuledSum } from '../../spending/approval-rules.ts'

/** Balance of a wallet, and the needs of the rows that are no payments yet. */
export interface Funds {
  account: number
  account_name: string
  currency: string
  balance: Amount
  needed: Amount
}

/**
 * Reads for each wallet the sum that the rows of a file need with their fees. Rows with a problem and rows that are
 * left out need nothing.
 */
export async function readFunds(
  db: AnyReader,
  { organization, id }: { organization: number; id: number },
): Promise<Funds[]> {
  return db<Funds[]>`
    select a.id as account, a.name as account_name, a.currency, a.balance, r.needed
    from (
      select account, sum(amount + fee)::numeric(38,4) as needed from bulk_payment_rows
      where organization = ${organization} and bulk_payment = ${id} and recipient is null and problems = '[]'
        and decision is distinct from 'skip' group by account) r
    join accounts a on a.id = r.account and a.organization = ${organization} order by a.id`
}

/** Money that the other files being created will still take. */
interface OtherNeed {
  account: number
  currency: string
  /** The person who started the file. */
  author: number
  phonenumber: string
  amount: Amount
  /** The amount with its fee. */
  needed: Amount
}

/** Reads the rows of the other files of an organization that are being created: they are no payments yet, and will be. */
export async function readOtherNeeds(
  db: AnyReader,
  { organization, id }: { organization: number; id: number },
): Promise<OtherNeed[]> {
  const needs = await db<OtherNeed[]>`
    select r.account, r.currency, b.started_by as author, r.phonenumber, sum(r.amount)::numeric(38,4) as amount,
      sum(r.amount + r.fee)::numeric(38,4) as needed
    from bulk_payments b join bulk_payment_rows r on r.bulk_payment = b.id and r.organization = ${organization}
    where b.organization = ${organization} and b.state = 'creating' and b.id <> ${id} and r.recipient is null
      and r.problems = '[]' and r.decision is distinct from 'skip'
    group by 1, 2, 3, 4`
  return [...needs]
}

/**
 * Sums all rows of a file, in each currency. The sums decide about approvals: the groups of a file are smaller than the
 * file, and no group may avoid approval because its currency is another one.
 */
export async function readFileSums(
  db: AnyReader,
  { organization, id }: { organization: number; id: number },
): Promise<RuledSum[]> {
  const sums = await db<RuledSum[]>`
    select currency, sum(amount)::numeric(38,4) as amount from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${id} and problems = '[]' and decision is distinct from 'skip'
    group by currency`
  return [...sums]
}
