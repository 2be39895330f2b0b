import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type ClaimTimes, claimInTurn, findNextInTurn } from '../leases.ts'
import { receiversOf } from '../ledger/accounts.ts'
import { retrySchedules } from '../retry-schedules.ts'
import { type LatePayout, recordLatePayouts } from './late-payouts.ts'
import {
  listPayoutReversals,
  listRecipients,
  openStates,
  type PaymentRow,
  paymentColumns,
  type RecipientRow,
  recipientColumns,
} from './payments.ts'
import {
  decidePayout,
  hasMovedMoney,
  type PayoutAction,
  type PayoutAnswer,
  type PayoutChange,
} from './payout-outcomes.ts'
import { moveMoneyOfPayouts } from './payout-postings.ts'
import { type PaymentTransition, transitionPayments } from './transitions.ts'

export type { PayoutAction, PayoutAnswer } from './payout-outcomes.ts'

/** What the service must know about a network that sends money. The job, which knows the adapters, provides it. */
export interface PayoutTraits {
  /** Seconds for which a payout may be on its way. Null: it may be on its way for ever. */
  in_flight_s: number | null
}

/** Claims due recipients under a lease. @returns their ids */
export async function claimDueRecipients(tx: Tx, times: ClaimTimes, limit: number): Promise<number[]> {
  const claimed = await claimInTurn<{ id: number }>(tx, {
    table: 'payment_recipients',
    by: 'organization',
    times,
    limit,
  })
  return claimed.map(({ id }) => id)
}

/** When the next unclaimed recipient is due, or null. */
export function nextDueRecipient(db: Reader, real: Date): Promise<Date | null> {
  return findNextInTurn(db, 'payment_recipients', 'organization', real)
}

/**
 * First half of the work on due recipients: starts their payments and records each order before the call to its network.
 * A recorded order is not sent again. The service only asks for its status, because a process that stopped may have sent
 * it. Only an order that certainly never arrived is sent once more, under the same reference.
 * @param senders the connections that can send money, by their slugs
 */
export async function dispatchPayouts(
  tx: Tx,
  now: Date,
  ids: readonly number[],
  senders: ReadonlyMap<string, PayoutTraits>,
): Promise<PayoutAction[]> {
  const payments = await lockPayments(tx, ids)
  const started = await startPayments(tx, now, payments)
  const recipients = (await lockRecipients(tx, ids)).filter(({ state }) => openStates.includes(state))
  const numbers = await receiversOf(tx, [...new Set([...started.values()].map((payment) => payment.account))])
  const actions: PayoutAction[] = []
  const changes: RecipientUpdate[] = []
  for (const recipient of recipients) {
    const payment = started.get(recipient.payment)!
    if (payment.state !== 'validated' && payment.state !== 'approved') continue
    const sender = numbers.get(`${recipient.connection}:${payment.account}`)
    const traits = senders.get(recipient.connection)
    const network_calls = recipient.network_calls + 1
    if (sender === undefined || traits === undefined) {
      const last_error = sender
        ? `The network ${recipient.network} is not configured.`
        : 'The account has no sending number on this network.'
      const state = recipient.network_calls === 0 ? 'paused' : 'parked'
      changes.push({
        ...recipient,
        state,
        last_error,
        due_at: addSeconds(now, retrySchedules.payout_check.then_every_s),
      })
    } else {
      const action = recipient.sent_at === null ? 'send' : 'check'
      const state = action === 'send' ? 'processing' : recipient.state
      const sent_at = recipient.sent_at ?? now
      changes.push({ ...recipient, state, network_calls, sent_at, due_at: 'claimed' })
      actions.push({
        ...toPayoutAction(payment, recipient, sender, action),
        sent_at,
        not_found_is_certain:
          traits.in_flight_s !== null && now.getTime() - sent_at.getTime() >= traits.in_flight_s * 1_000,
      })
    }
  }
  await updateRecipients(tx, now, changes)
  return actions
}

/**
 * Second half: records the answers of the networks, moves the money, and changes the states of payments. An answer about a
 * payout that has ended changes something only if money has moved since: a network has taken back everything or a part, or
 * has sent money after it had reported a failure.
 * @returns the payouts that were sent after a failure. A person must look into them.
 */
export async function applyPayoutAnswers(
  tx: Tx,
  now: Date,
  answers: readonly PayoutAnswer[],
): Promise<readonly LatePayout[]> {
  const ids = [...new Set(answers.map(({ action }) => action.recipient))]
  if (ids.length === 0) return []
  const payments = new Map((await lockPayments(tx, ids)).map((payment) => [payment.id, payment]))
  const recipients = await lockRecipients(tx, ids)
  const known = Map.groupBy(await listPayoutReversals(tx, ids), ({ recipient }) => recipient)
  const by_recipient = Map.groupBy(answers, ({ action }) => action.recipient)
  const changes = recipients.flatMap((recipient) => {
    const taken_before = (known.get(recipient.id) ?? []).map(({ remote_id }) => remote_id)
    return decidePayout(recipient, by_recipient.get(recipient.id)!, taken_before, now) ?? []
  })
  await updateRecipients(
    tx,
    now,
    changes.map(({ after }) => after),
  )
  await insertReversals(tx, now, changes)
  const late = await recordLatePayouts(
    tx,
    now,
    changes.flatMap(({ before, late }) => (late ? [{ ...late, recipient: before }] : [])),
  )
  await endPayments(tx, now, payments, changes)
  await moveMoneyOfPayouts(tx, now, payments, changes)
  return late
}

/** The payout with this reference, as it was sent. Undefined if the reference is not from this service. */
export async function findPayoutByReference(db: Reader, reference: string): Promise<PayoutAction | undefined> {
  const id = /^KP(\d{1,15})$/.exec(reference)?.[1]
  return id === undefined ? undefined : findPayout(db, Number(id))
}

/** A status check of the payout to this recipient. Undefined if it was not sent. */
export async function findPayout(db: Reader, id: number): Promise<PayoutAction | undefined> {
  const [recipient] = await db<RecipientRow[]>`
    select ${recipientColumns()} from payment_recipients where id = ${id} and network_calls > 0`
  if (!recipient) return undefined
  const [payment] = await db<PaymentRow[]>`select ${paymentColumns()} from payments where id = ${recipient.payment}`
  const sender = (await receiversOf(db, [payment!.account])).get(`${recipient.connection}:${payment!.account}`)
  if (sender === undefined) return undefined
  const sent_at = recipient.sent_at ?? new Date(0)
  return { ...toPayoutAction(payment!, recipient, sender, 'check'), sent_at, not_found_is_certain: false }
}

/** A status check of the payout that the network sent under this id. Undefined if there is none. */
export async function findPayoutByRemoteId(
  db: Reader,
  connection: string,
  remote_id: string,
): Promise<PayoutAction | undefined> {
  const [found] = await db<{ id: number }[]>`
    select id from payment_recipients where connection = ${connection} and remote_transaction_id = ${remote_id}`
  return found && findPayout(db, found.id)
}

/** Our reference for a recipient. It never changes, so the network cannot treat one payout as two. */
function payoutReference(recipient: number): string {
  return `KP${recipient}`
}

function toPayoutAction(
  payment: PaymentRow,
  recipient: RecipientRow,
  sender: string,
  action: PayoutAction['action'],
): Omit<PayoutAction, 'sent_at' | 'not_found_is_certain'> {
  const { phonenumber, amount, description, remote_id } = recipient
  const reference = payoutReference(recipient.id)
  const { payment_type: kind, currency } = payment
  return {
    action,
    network: recipient.network,
    connection: recipient.connection,
    recipient: recipient.id,
    payout: { reference, kind, sender, phonenumber, amount, currency, reason: description, remote_id },
  }
}

/** Every transaction locks payments first, then their recipients, then the ledger. */
async function lockPayments(tx: Tx, recipients: readonly number[]): Promise<PaymentRow[]> {
  const found = await tx<{ payment: number }[]>`
    select distinct payment from payment_recipients where id = any(${recipients}::bigint[])`
  const rows = await tx<PaymentRow[]>`
    select ${paymentColumns()} from payments where id = any(${found.map((row) => row.payment)}::bigint[])
    order by id for update`
  return [...rows]
}

async function lockRecipients(tx: Tx, ids: readonly number[]): Promise<RecipientRow[]> {
  const rows = await tx<RecipientRow[]>`
    select ${recipientColumns()} from payment_recipients where id = any(${ids}::bigint[]) order by id for update`
  return [...rows]
}

/** Starts payments whose first recipient is due, and queues their other recipients. */
async function startPayments(tx: Tx, now: Date, payments: readonly PaymentRow[]): Promise<Map<number, PaymentRow>> {
  const starting = payments.filter(({ state }) => state === 'new' || state === 'scheduled')
  const to_queue = payments.filter(({ state }) => state === 'new' || state === 'scheduled' || state === 'approved')
  const updated = await transitionPayments(
    tx,
    now,
    await toServiceTransitions(tx, starting, (payment) => (payment.approved_by === null ? 'validated' : 'approved')),
  )
  if (to_queue.length > 0)
    await tx`
      update payment_recipients set state = 'queued' where state = 'new'
        and payment = any(${to_queue.map((payment) => payment.id)}::bigint[])`
  return new Map([...payments, ...updated].map((payment) => [payment.id, payment]))
}

/** The new values of a recipient. */
type RecipientUpdate = Omit<RecipientRow, 'due_at'> & { due_at: Date | null | 'claimed' }

/** Writes the parts that came back, each once. */
async function insertReversals(tx: Tx, now: Date, changes: readonly PayoutChange[]): Promise<void> {
  const parts = changes.flatMap(({ before, reversal }) =>
    (reversal?.parts ?? []).map((part) => ({ ...part, recipient: before.id })),
  )
  if (parts.length === 0) return
  const written = rows(parts, { recipient: 'bigint', remote_id: 'text', amount: 'numeric' })
  await tx`
    insert into payout_reversals (${written.columns}, created)
    select ${written.columns}, ${truncateToSecond(now)} from ${written.as('p')}`
}

/**
 * Ends the payments that have no open recipient left. A payment that has ended before changes its state, or keeps it with
 * another error, when money of one of its recipients has moved since.
 */
async function endPayments(
  tx: Tx,
  now: Date,
  payments: ReadonlyMap<number, PaymentRow>,
  changes: readonly PayoutChange[],
): Promise<void> {
  const ended_recipients = changes.filter((change) => hasMovedMoney(change) && !openStates.includes(change.after.state))
  const affected = [...new Set(ended_recipients.map(({ after }) => after.payment))].map((id) => payments.get(id)!)
  if (affected.length === 0) return
  const all = Map.groupBy(
    await listRecipients(
      tx,
      affected.map((payment) => payment.id),
    ),
    (recipient) => recipient.payment,
  )
  const ending = affected.filter(({ id }) => !all.get(id)!.some(({ state }) => openStates.includes(state)))
  const incomplete = ({ id }: PaymentRow) => all.get(id)!.findLast(isIncomplete)
  const transitions = await toServiceTransitions(tx, ending, (payment) =>
    incomplete(payment) ? 'processed_with_errors' : 'processed',
  )
  const noteOf = (payment: PaymentRow) => {
    const newest = ended_recipients.findLast(({ after }) => after.payment === payment.id)!.after
    return (hasEnded(payment) ? newest : incomplete(payment))?.last_error ?? undefined
  }
  await transitionPayments(
    tx,
    now,
    transitions.map((transition) => ({ ...transition, note: noteOf(transition.payment) })),
  )
}

function hasEnded({ state }: PaymentRow): boolean {
  return state === 'processed' || state === 'processed_with_errors'
}

/** Whether a recipient that has ended does not have all of the money. */
function isIncomplete({ state, reversed_in_parts }: RecipientRow): boolean {
  return state === 'error' || reversed_in_parts > 0n
}

/** Transitions that the service makes itself. Their author is the service user of the organization. */
async function toServiceTransitions(
  tx: Tx,
  payments: readonly PaymentRow[],
  to: (payment: PaymentRow) => PaymentTransition['to'],
): Promise<PaymentTransition[]> {
  if (payments.length === 0) return []
  const ids = payments.map((payment) => payment.id)
  const rows = await tx<{ payment: number; author: number; phonenumbers: string[] }[]>`
    select p.id as payment, o.service_user as author,
      array(select r.phonenumber from payment_recipients r where r.payment = p.id order by r.id) as phonenumbers
    from payments p join organizations o on o.id = p.organization where p.id = any(${ids}::bigint[])`
  return payments.map((payment) => {
    const { author, phonenumbers } = rows.find((one) => one.payment === payment.id)!
    return { payment, to: to(payment), author, phonenumbers }
  })
}

/** Writes the changes of recipients. A recipient that is still `claimed` keeps its due date and its lease. */
async function updateRecipients(tx: Tx, now: Date, changes: readonly RecipientUpdate[]): Promise<void> {
  if (changes.length === 0) return
  const written = rows(changes, {
    id: 'bigint',
    state: 'text',
    last_error: 'text',
    remote_id: 'text',
    remote_transaction_id: 'text',
    network_calls: 'integer',
    sent_at: 'timestamptz',
    reversed_in_parts: 'numeric',
    reversed: 'boolean',
    due_at: ['timestamptz', ({ due_at }) => (due_at === 'claimed' ? null : due_at)],
    claimed: ['boolean', ({ due_at }) => due_at === 'claimed'],
  })
  await tx`
    update payment_recipients r set state = c.state, last_error = c.last_error, remote_id = c.remote_id,
      remote_transaction_id = c.remote_transaction_id, network_calls = c.network_calls, sent_at = c.sent_at,
      reversed_in_parts = c.reversed_in_parts, reversed = c.reversed, modified = ${truncateToSecond(now)},
      due_at = case when c.claimed then r.due_at else c.due_at end,
      leased_until = case when c.claimed then r.leased_until end
    from ${written.as('c')} where r.id = c.id`
}

function addSeconds(now: Date, wait_s: number): Date {
  return new Date(now.getTime() + wait_s * 1_000)
}
