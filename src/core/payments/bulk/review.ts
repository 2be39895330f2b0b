import type { Reader, Tx } from '../../../db/client.ts'
import type { Amount } from '../../../lib/money.ts'
import { readKnownPhone } from '../../../lib/phone.ts'
import { previewApproval } from '../../spending/approval-preview.ts'
import { readLimitRooms } from '../../spending/limits.ts'
import { digestOf } from '../../spending/review-token.ts'
import {
  countNames,
  type PaymentReview,
  type ReviewedName,
  type ReviewedSum,
  sortByDoubt,
} from '../review/payment-review.ts'
import type { BulkPaymentRow } from './drafts.ts'
import { type Funds, readFileSums, readFunds } from './funds.ts'
import { type KnownName, knownName, nameStateOf, readNames } from './names.ts'

/** Maximum number of rows in the review of a file. The page of the file shows them all. */
const MAX_RECIPIENTS = 100

/** A row that the start of the file would pay. */
interface PayableRow {
  number: number
  phonenumber: string
  name: string
  amount: Amount
  currency: string
  account: number
  description: string
  network: string
  fee: Amount
}

type NamedRow = PayableRow & { name_on_network: string; name_state: ReviewedName }

/** Reads the rows that the start of the file would pay, with what the networks have said about their names. */
async function readPayableRows(db: Reader, { organization, id }: BulkPaymentRow): Promise<NamedRow[]> {
  const found = await db<PayableRow[]>`
    select number, phonenumber, name, amount, currency, account, description, network, fee from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${id} and recipient is null and problems = '[]'
      and decision is distinct from 'skip' order by number`
  const names = await readNames(
    db,
    organization,
    found.map(({ phonenumber }) => phonenumber),
  )
  return found.map((row) => {
    const known = knownName(row, names)
    return { ...row, name_on_network: known.name_on_network ?? '', name_state: reviewedNameOf(known) }
  })
}

function reviewedNameOf(known: KnownName): ReviewedName {
  const state = nameStateOf(known)
  if (state === 'pending') return known.registered === 'no' ? 'not_registered' : 'unknown'
  if (state === 'unknown') return known.registered === 'yes' ? 'not_compared' : 'unknown'
  return state
}

/**
 * Returns the digest of what the start of a file would pay. It changes with each row, and when a network says that it
 * does not know a number.
 */
export async function digestBulkPayment(db: Reader, draft: BulkPaymentRow): Promise<string> {
  return digestOf([draft.id, (await readPayableRows(db, draft)).map(toDigested)])
}

function toDigested({ number, phonenumber, amount, account, description, fee, name_state }: NamedRow) {
  return [number, phonenumber, amount, account, description, fee, name_state === 'not_registered']
}

/**
 * Reads what the start of a file would do. The file must be locked, and checked by `checkStart`.
 * @param user the person who wants to start it
 * @throws Invalid if its rows pass a limit
 */
export async function reviewBulkPayment(
  tx: Tx,
  now: Date,
  draft: BulkPaymentRow,
  user: number,
): Promise<{ review: PaymentReview; digest: string }> {
  const { organization, id } = draft
  const rows = await readPayableRows(tx, draft)
  const by_currency = [...Map.groupBy(rows, ({ currency }) => currency)]
  const limits = []
  for (const [currency, recipients] of by_currency)
    limits.push(
      ...(await readLimitRooms(tx, now, { organization, currency, author: user, amount: sum(recipients), recipients })),
    )
  const by_wallet = Map.groupBy(rows, ({ account }) => account)
  const funds = await readFunds(tx, draft)
  const review: PaymentReview = {
    recipients: sortByDoubt(rows)
      .slice(0, MAX_RECIPIENTS)
      .map(({ number, account, description, ...row }) => ({
        ...row,
        country: readKnownPhone(row.phonenumber)?.country ?? '',
      })),
    recipients_count: rows.length,
    names: countNames(rows),
    sums: funds.map((one) => toSum(one, by_wallet.get(one.account) ?? [])),
    start_date: null,
    approval: await previewApproval(tx, now, { organization, author: user, sums: await readFileSums(tx, draft) }),
    limits,
  }
  return { review, digest: digestOf([id, rows.map(toDigested)]) }
}

function sum(rows: readonly { amount: Amount }[]): Amount {
  return rows.reduce((total, { amount }) => total + amount, 0n)
}

function toSum({ account, account_name, currency, balance, needed }: Funds, rows: readonly PayableRow[]): ReviewedSum {
  const amount = sum(rows)
  return {
    account,
    account_name,
    currency,
    recipients: rows.length,
    amount,
    fee: needed - amount,
    total: needed,
    before: balance,
    after: balance - needed,
  }
}
