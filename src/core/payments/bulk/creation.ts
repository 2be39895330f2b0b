import type { Reader, Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { sql } from '../../../db/sql.ts'
import { only } from '../../../lib/batches/batch.ts'
import { zip } from '../../../lib/batches/zip.ts'
import type { Amount } from '../../../lib/money.ts'
import { readKnownPhone } from '../../../lib/phone.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { splitName } from '../../contacts/contacts.ts'
import { type ClaimTimes, claimDue, findNextDue } from '../../leases.ts'
import { type Account, findAccount } from '../../ledger/accounts.ts'
import { Invalid, type Refusal } from '../../refusals.ts'
import { createPayments, type NewRecipient } from '../create.ts'
import { checkRecipient } from '../new-payment.ts'
import { listRecipients } from '../payments.ts'
import type { ChoosePayoutNetwork } from './check.ts'
import { type BulkPaymentRow, lockBulkPayment } from './drafts.ts'
import { readFileSums } from './funds.ts'
import type { Problem } from './row.ts'

/** The recipients of one payment: a group small enough that a transaction with it is short. */
export const GROUP_ROWS = 500

/** A file whose next rows are to become a payment. */
export interface DueBulkPayment {
  id: number
  organization: number
}

/** Claims files that are started, under a lease. */
export function claimBulkPayments(tx: Tx, times: ClaimTimes, limit: number): Promise<DueBulkPayment[]> {
  return claimDue<DueBulkPayment>(tx, { table: 'bulk_payments', times, limit, returning: sql`t.id, t.organization` })
}

/** Finds the time when the next unclaimed file is due, or null. */
export function nextDueBulkPayment(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'bulk_payments', real)
}

/** A row that is to be paid now. */
interface PayableRow {
  number: number
  phonenumber: string
  name: string
  amount: Amount
  account: number
  description: string
}

/**
 * Creates the payment of the next rows of a file. The payment and the notes of its rows are one transaction: after a
 * crash a row is either paid and noted, or neither. A row whose network has gone meanwhile gets a problem, and the
 * others are paid.
 * @param group_rows maximum number of rows of a payment
 * @returns true if rows may be left
 * @throws Invalid if the payment is refused as a whole; the caller then stops the file with `stopBulkPayment`
 */
export async function createNextPayment(
  tx: Tx,
  now: Date,
  due: DueBulkPayment,
  chooseNetwork: ChoosePayoutNetwork,
  group_rows = GROUP_ROWS,
): Promise<boolean> {
  const draft = await lockBulkPayment(tx, due.organization, due.id)
  if (draft.state !== 'creating') return false
  const next = await readNextRows(tx, draft, group_rows)
  const wallet = next[0] && (await findAccount(tx, next[0].account))
  if (!wallet) {
    await tx`
      update bulk_payments set state = 'created', due_at = null, leased_until = null, modified = ${truncateToSecond(now)}
      where id = ${draft.id}`
    return false
  }
  const { payable, refused } = await chooseNetworks(tx, draft, { next, wallet, chooseNetwork })
  await noteProblems(tx, draft, refused)
  if (payable.length > 0) await payRows(tx, now, draft, { wallet, payable })
  await tx`update bulk_payments set due_at = ${now}, leased_until = null where id = ${draft.id}`
  return true
}

/** Stops a file whose next payment is refused. Earlier payments stay. A person may start it again. */
export async function stopBulkPayment(tx: Tx, now: Date, due: DueBulkPayment, refusal: Refusal): Promise<void> {
  const draft = await lockBulkPayment(tx, due.organization, due.id)
  if (draft.state !== 'creating') return
  const reason = refusal instanceof Invalid ? Object.values(refusal.fields).flat().join(' ') : refusal.message
  await tx`
    update bulk_payments set state = 'stopped', problem = ${reason}, due_at = null, leased_until = null,
      modified = ${truncateToSecond(now)}
    where id = ${draft.id}`
}

/** The next rows that the wallet of the first of them pays, in the order of the file. */
async function readNextRows(tx: Tx, { organization, id }: BulkPaymentRow, limit: number): Promise<PayableRow[]> {
  return tx<PayableRow[]>`
    with open as (
      select number, phonenumber, name, amount, account, description from bulk_payment_rows
      where organization = ${organization} and bulk_payment = ${id} and recipient is null and problems = '[]'
        and decision is distinct from 'skip')
    select * from open where account = (select account from open order by number limit 1)
    order by number limit ${limit}`
}

type PayableRecipient = { number: number; recipient: NewRecipient }
type RefusedRow = { number: number; problems: Problem[] }

async function chooseNetworks(
  tx: Tx,
  { organization, description }: BulkPaymentRow,
  group: { next: readonly PayableRow[]; wallet: Account; chooseNetwork: ChoosePayoutNetwork },
): Promise<{ payable: PayableRecipient[]; refused: RefusedRow[] }> {
  const { next, wallet, chooseNetwork } = group
  const phones = next.map(({ phonenumber }) => phonenumber)
  const networkFor = await chooseNetwork(tx, organization, phones)
  const payable: PayableRecipient[] = []
  const refused: RefusedRow[] = []
  for (const row of next) {
    const { number, phonenumber, amount } = row
    const network = checkRecipient(readKnownPhone(phonenumber)!, amount, wallet, networkFor)
    if (!('slug' in network)) {
      const column = network.field === 'amount' ? 'amount' : 'phone_number'
      refused.push({ number, problems: [{ column, message: network.message }] })
      continue
    }
    const { slug, code, name } = network
    payable.push({
      number,
      recipient: {
        phonenumber,
        amount,
        network: { slug, code, name },
        description: row.description || description,
        metadata: {},
        ...splitName(row.name),
        national_id: null,
        national_id_type: null,
      },
    })
  }
  return { payable, refused }
}

async function noteProblems(tx: Tx, { organization, id }: BulkPaymentRow, refused: readonly RefusedRow[]) {
  if (refused.length === 0) return
  await tx`
    update bulk_payment_rows t set problems = u.problems
    from ${rows(refused, { number: 'integer', problems: 'jsonb' }).as('u')}
    where t.organization = ${organization} and t.bulk_payment = ${id} and t.number = u.number`
}

/** @throws Invalid */
async function payRows(
  tx: Tx,
  now: Date,
  draft: BulkPaymentRow,
  { wallet, payable }: { wallet: Account; payable: readonly PayableRecipient[] },
): Promise<void> {
  const { organization, id, description, send_sms_message } = draft
  const recipients = payable.map(({ recipient }) => recipient)
  const created = await createPayments(tx, now, [
    {
      organization,
      author: draft.started_by!,
      purpose: 'payment',
      collection: null,
      payment_type: 'money',
      amount: recipients.reduce((sum, { amount }) => sum + amount, 0n),
      currency: wallet.currency,
      account: wallet.id,
      source: wallet.id,
      description,
      metadata: {},
      send_sms_message,
      start_date: null,
      recipients,
      approval_sums: await readFileSums(tx, draft),
    },
  ])
  const payment = only(created).id
  const made = await listRecipients(tx, [payment])
  const links = zip(payable, made).map(([{ number }, { id: recipient }]) => ({ number, recipient }))
  await tx`
    update bulk_payment_rows t set payment = ${payment}, recipient = u.recipient
    from ${rows(links, { number: 'integer', recipient: 'bigint' }).as('u')}
    where t.organization = ${organization} and t.bulk_payment = ${id} and t.number = u.number`
}
