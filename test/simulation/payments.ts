import { chooseConnection } from '../../src/connections/choose.ts'
import { cancelPayment } from '../../src/core/payments/approvals.ts'
import type { NewPayment } from '../../src/core/payments/create.ts'
import { Refusal } from '../../src/core/refusals.ts'
import { begin, type Database } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'
import { type Amount, parseAmount } from '../../src/lib/money.ts'
import type { PartialReversal, Payout, PayoutAnswer, PayoutCheck } from '../../src/networks/contract.ts'
import { approvePayment, rejectPayment } from '../core/approvals/decisions.ts'
import { OWN_PHONE, type PendingCallback, remainderOf, type SimulatedNetworks } from './networks.ts'
import type { Random } from './random.ts'
import type { ServiceProcess, Simulation } from './simulation.ts'
import type { Shop } from './store.ts'

/** Money that a network was told to send. This is the truth against which the service is checked. */
interface SimulatedPayout {
  n: number
  network: string
  phonenumber: string
  amount: Amount
  /** `reversed`: it had arrived, and the network has reversed it. */
  state: 'pending' | 'sent' | 'failed' | 'reversed'
  /** The network has said that it failed, and has sent it later all the same. */
  was_failed: boolean
  /** The parts that the network has taken back. */
  reversals: PartialReversal[]
}

/** Payouts of one run's networks, and the people who decide about them. */
export interface SimulatedPayouts {
  /** By our reference. */
  by_reference: Map<string, SimulatedPayout>
  /** Payouts whose call timed out and that will still arrive. */
  late_payouts: { network: string; payout: Payout }[]
  /** True if networks sometimes decide later. */
  decides_later: boolean
  violations: string[]
  register(network: string, payout: Payout): SimulatedPayout
}

/** Above this a second person approves (store.ts). */
export const APPROVED_ABOVE = '100'
/** Phones of sending networks. The last belongs to the first shop's own merchant account. */
const PHONES = ['+80010000001', '+80020000001', OWN_PHONE]
const AMOUNTS = ['20', '50', '120', '400']
const UNKNOWN_ANSWER = { outcome: 'unknown', message: 'No answer.' } as const
const FINAL_STATES = ['sent', 'sent', 'failed'] as const

/** Let those networks send that also take orders; their moods and lost answers are the same. */
export function createPayouts(outside: SimulatedNetworks, random: Random): SimulatedPayouts {
  const payouts: SimulatedPayouts = {
    by_reference: new Map(),
    late_payouts: [],
    decides_later: true,
    violations: [],
    register(network, { reference, phonenumber, amount }) {
      const known = payouts.by_reference.get(reference)
      if (known && (known.amount !== amount || known.phonenumber !== phonenumber || known.network !== network))
        payouts.violations.push(`${reference} was to be sent in two ways.`)
      if (known) return known
      const state = payouts.decides_later
        ? random.pick(['pending', ...FINAL_STATES] as const)
        : random.pick(FINAL_STATES)
      const n = payouts.by_reference.size + 1
      const made: SimulatedPayout = { n, network, phonenumber, amount, state, was_failed: false, reversals: [] }
      payouts.by_reference.set(reference, made)
      return made
    },
  }
  for (const network of outside.networks.filter((one) => one.operations.chargeStatus)) {
    const { code } = network
    // Even a network that is well loses a call now and then, as long as the world is rough.
    const lost = () => {
      const mood = outside.health.get(code)
      return mood === 'down' || random.chance(mood === 'flaky' ? 0.4 : payouts.decides_later ? 0.15 : 0)
    }
    network.operations.payout = async (payout) => {
      if (lost()) {
        if (random.chance(0.6)) payouts.late_payouts.push({ network: code, payout })
        return UNKNOWN_ANSWER
      }
      const sending = payouts.register(code, payout)
      return lost() ? UNKNOWN_ANSWER : answerOf(sending)
    }
    network.operations.payoutStatus = async ({ reference }): Promise<PayoutCheck> => {
      if (lost()) return UNKNOWN_ANSWER
      const sending = payouts.by_reference.get(reference)
      return sending ? answerOf(sending) : { outcome: 'not_found' }
    }
  }
  return payouts
}

/** A client sends money: to one or several, now or later, from whichever wallet. */
export function pay(world: Simulation, crew: ServiceProcess, shop: Shop): void {
  const { random, clock } = world
  const recipients = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => {
    const phonenumber = random.pick(PHONES)
    const need = { kind: 'payout' as const, organization: shop.organization, phonenumber, currency: 'BXC' }
    const { slug, code, name } = chooseConnection(crew.app.connections.list(), need)!
    return {
      phonenumber,
      amount: parseAmount(random.pick(AMOUNTS))!,
      network: { slug, code, name },
      description: 'Wages',
      metadata: {},
      national_id: null,
      national_id_type: null,
    }
  })
  const { account } = random.pick(shop.wallets)
  const start_date = random.chance(0.2) ? new Date(clock.now().getTime() + random.between(1, 2_000) * 1_000) : null
  const payment: NewPayment = {
    organization: shop.organization,
    author: shop.user,
    purpose: 'payment',
    collection: null,
    payment_type: 'money',
    currency: 'BXC',
    account,
    source: account,
    description: 'Wages',
    metadata: {},
    send_sms_message: false,
    start_date,
    recipients,
    amount: recipients.reduce((sum, one) => sum + one.amount, 0n),
  }
  world.log(`a client has ${crew.name} pay ${recipients.length} from account ${account}`)
  world.startTask(crew, 'payment', () => unlessRefused(crew.pay(payment)))
}

/** A network decides about a payout, a person about a payment, a late payout arrives, or a payout is reversed. */
export async function decidePayments(world: Simulation, crew: ServiceProcess, shop: Shop): Promise<void> {
  const { random, payouts, networks: outside, log } = world
  const those = (state: SimulatedPayout['state']) =>
    [...payouts.by_reference].filter(([, sending]) => sending.state === state)
  const [pending, sent, failed] = [those('pending'), those('sent'), those('failed')]
  if (payouts.late_payouts.length > 0 && random.chance(0.3)) {
    const [late] = payouts.late_payouts.splice(random.between(0, payouts.late_payouts.length - 1), 1)
    log(`${late!.payout.reference} arrives late`)
    payouts.register(late!.network, late!.payout)
  } else if (pending.length > 0 && random.chance(0.6)) {
    const [reference, sending] = random.pick(pending)
    sending.state = random.pick(FINAL_STATES)
    log(`${reference} is ${sending.state}`)
    outside.callbacks.push(callbackOf(reference, sending))
  } else if (failed.length > 0 && random.chance(0.5)) {
    const [reference, sending] = random.pick(failed)
    Object.assign(sending, { state: 'sent', was_failed: true })
    log(`${reference} was sent after all`)
    outside.callbacks.push(callbackOf(reference, sending))
  } else if (sent.length > 0 && random.chance(0.4)) {
    const [reference, sending] = random.pick(sent)
    const left = remainderOf(sending)
    const amount = random.pick([left, (left * 3n) / 10n + 1n])
    if (left > 0n) sending.reversals.push({ remote_id: `SR${sending.reversals.length + 1}`, amount })
    log(`${amount} of ${reference} are reversed`)
    outside.callbacks.push(callbackOf(reference, sending))
  } else if (sent.length > 0 && random.chance(0.5)) {
    const [reference, sending] = random.pick(sent)
    sending.state = 'reversed'
    log(`${reference} is reversed`)
    outside.callbacks.push(callbackOf(reference, sending))
  } else {
    const payment = random.between(1, 12)
    const decide = random.pick([approvePayment, approvePayment, rejectPayment, cancelPayment])
    log(`somebody wants to ${decide.name} ${payment}`)
    const decision = { organization: shop.organization, payment, user: shop.approver, reason: 'So be it' }
    world.startTask(crew, decide.name, () =>
      unlessRefused(begin(crew.app.db, (tx) => decide(tx, crew.app.clock.now(), decision))),
    )
  }
}

/**
 * Decide every open payout and payment in time, and repeat the callbacks of what happened later until they are
 * confirmed.
 */
export async function finishPayouts(world: Simulation): Promise<void> {
  const { payouts, random, networks: outside } = world
  payouts.decides_later = false
  for (const { network, payout } of payouts.late_payouts.splice(0)) payouts.register(network, payout)
  for (const [reference, sending] of payouts.by_reference) {
    if (sending.state === 'pending') sending.state = random.pick(FINAL_STATES)
    const moved_later = sending.state === 'reversed' || sending.was_failed || sending.reversals.length > 0
    if (moved_later) outside.callbacks.push(callbackOf(reference, sending))
  }
  await approveWaiting(world)
}

/** Approve every payment that waits for a person. */
export async function approveWaiting({ store, clock }: Simulation): Promise<void> {
  const waiting = await store.observer<{ id: number; organization: number }[]>`
    select id, organization from payments where state in ('approval_needed', 'approval_requested') order by id`
  for (const { id, organization } of waiting) {
    const user = store.shops.find((shop) => shop.organization === organization)!.approver
    await begin(store.observer, (tx) => approvePayment(tx, clock.now(), { organization, payment: id, user }))
  }
}

/** Each rule is a query that finds what breaks it. */
const RULES = sql`
  with moves as (
    select *, lag(to_state) over w as before, lead(to_state) over w as after, row_number() over w as place
    from payment_transitions window w as (partition by payment order by id)
  ), told as (
    select case status when 'completed' then 'processed' else status end as state,
      object as payment, row_number() over (partition by object order by id) as place
    from events where type = 'payment.status.changed'
  )
  select 'A recipient and its money disagree' as fault, r.id::text as id
  from payment_recipients r
  cross join lateral (
    select count(*) filter (where t.reference = 'hold:payment:' || r.id and t.amount = r.amount) as held,
      sum(t.amount * ((t.from_account = p.source)::int - (t.to_account = p.source)::int)) filter (
        where t.kind not like 'service_charge%') as spent,
      coalesce(sum(t.amount * ((t.from_account = p.source)::int - (t.to_account = p.source)::int)) filter (
        where t.kind like 'service_charge%'), 0) as fee
    from transfers t join payments p on p.id = r.payment
    where t.reference ~ (':payment:' || r.id || '(:|$)')
  ) moved
  where (moved.held, moved.spent, moved.fee) is distinct from (1::bigint,
    case when r.state in ('error', 'aborted') then 0 else r.amount - r.reversed_in_parts end,
    case when r.state in ('error', 'aborted') then 0 else r.fee end)
  union all
  select 'A payout is not reduced by its reversals', r.id::text
  from payment_recipients r where r.reversed_in_parts <> (
      select coalesce(sum(amount), 0) from payout_reversals v where v.recipient = r.id)
    or r.reversed_in_parts = r.amount and r.state <> 'error'
  union all
  select 'A late payout needs no attention, or money was taken for none', r.id::text
  from payment_recipients r left join late_payouts l on l.recipient = r.id and l.booked
  where (l.recipient is not null) <> exists (select from transfers t where t.reference = 'late:payment:' || r.id)
  union all
  select 'Money is held that no open payment holds', a.organization::text
  from accounts a where a.kind = 'held' and a.currency = 'BXC' and a.balance <> (
    select coalesce(sum(amount + fee), 0) from payment_recipients r
    where r.organization = a.organization and r.state not in ('complete', 'error', 'aborted'))
  union all
  select 'A payment is not the sum of its recipients', p.id::text
  from payments p where p.amount <> (select sum(amount) from payment_recipients r where r.payment = p.id)
  union all
  select 'A payment and its recipients disagree: ' || p.state, p.id::text
  from payments p cross join lateral (
    select bool_and(state = 'complete' and reversed_in_parts = 0) as complete,
      bool_or(state = 'error' or reversed_in_parts > 0) as failed, bool_and(state = 'aborted') as aborted,
      bool_or(state not in ('complete', 'error', 'aborted')) as open, bool_or(network_calls > 0) as sent
    from payment_recipients r where r.payment = p.id) r
  where (p.state = 'processed') <> r.complete or (p.state = 'processed_with_errors') <> (r.failed and not r.open)
    or (p.state in ('rejected', 'cancelled')) <> r.aborted
    or r.sent and p.state not in ('validated', 'approved', 'processed', 'processed_with_errors')
  union all
  select 'A payment was sent without the approval that it needs', p.id::text
  from payments p join approval_rules a on a.organization = p.organization and a.currency = p.currency
  where p.amount > a.threshold
    and (p.approved_by is null or p.approved_by = p.author or p.approvals < p.approvals_required)
    and p.state in ('validated', 'approved', 'processed', 'processed_with_errors')
  union all
  select 'A payment''s history has a gap', payment::text from moves where from_state <> coalesce(before, 'new')
  union all
  select 'A payment''s state is not what its history says', p.id::text
  from payments p left join moves m on m.payment = p.id and m.after is null where p.state <> coalesce(m.to_state, 'new')
  union all
  select 'A move of a payment and the events disagree', coalesce(m.payment, t.payment)::text
  from moves m full join told t on t.payment = m.payment and t.place = m.place
  where t.state is distinct from m.to_state`

/** Check after every step that open sums are held, and payouts that count as sent were sent once and approved. */
export async function checkPayments(db: Database, payouts: SimulatedPayouts): Promise<string[]> {
  // Read this before the rows: a payout may reach the network meanwhile.
  const known = new Set(payouts.by_reference.keys())
  const [rules, recipients] = await Promise.all([
    db<{ fault: string; id: string }[]>`${RULES}`,
    db<{ id: number; state: string; reference: string | null; sent: Date | null; is_taken_back: boolean }[]>`
      select r.id, r.state, o.reference, o.sent,
        exists (select from payments p join collections c on c.id = p.collection where p.id = r.payment
          and (c.status = 'reversed' or c.reversed_in_parts > 0 or exists (
            select from payments q join payment_recipients s on s.payment = q.id
            where q.collection = c.id and q.id <> p.id and s.state = 'complete'))) as is_taken_back
      from payment_recipients r left join network_orders o on o.payment_recipient = r.id`,
  ])
  const faults = recipients.flatMap(({ id, state, reference, sent, is_taken_back }) => {
    const sending = payouts.by_reference.get(reference ?? '')
    const network_state = sending?.state
    // The service may not have received the callback about a reversal yet.
    if (state === 'complete' && network_state !== 'sent' && network_state !== 'reversed')
      return [`Recipient ${id} is complete, and ${network_state} at the network.`]
    // A refund ends before it is sent when the money has left already: taken back by its network, or by another refund.
    if (state === 'error' && reference === null && is_taken_back) return []
    // The same holds for money that was sent after a failure, and for everything that came back in parts.
    const may_be_error = sending && (sending.was_failed || remainderOf(sending) === 0n)
    if (state === 'error' && network_state !== 'failed' && network_state !== 'reversed' && !may_be_error)
      return [`Recipient ${id} has failed, and is ${network_state} at the network.`]
    return known.has(reference ?? '') && sent === null
      ? [`Recipient ${id} is known to the network, and was never written down.`]
      : []
  })
  return [...rules.map(({ fault, id }) => `${fault} (${id}).`), ...faults, ...payouts.violations.splice(0)]
}

/** The rules at the end: no payout is open, and what was sent and did not come back is paid for, and nothing else. */
export async function checkFinalPayouts({ store, payouts }: Simulation): Promise<string[]> {
  const rows = await store.observer<{ id: number; state: string; reference: string | null; paid: Amount }[]>`
    select r.id, r.state, o.reference,
      case when r.state = 'complete' then r.amount - r.reversed_in_parts else 0 end::numeric(19,4) as paid
    from payment_recipients r left join network_orders o on o.payment_recipient = r.id`
  const paid = new Map(rows.map((row) => [row.reference, row.paid]))
  return [
    ...rows.flatMap(({ id, state }) =>
      ['complete', 'error', 'aborted'].includes(state) ? [] : [`Recipient ${id} stays ${state}.`],
    ),
    ...[...payouts.by_reference].flatMap(([reference, sending]) =>
      (sending.state === 'sent' ? remainderOf(sending) : 0n) === paid.get(reference)
        ? []
        : [`${reference} is ${sending.state}, and the books say otherwise.`],
    ),
  ]
}

async function unlessRefused(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}

function answerOf({ n, amount, state, reversals }: SimulatedPayout): PayoutAnswer {
  if (state === 'pending') return { outcome: 'accepted', remote_id: `S${n}` }
  if (state === 'failed') return { outcome: 'failed', reason: 'payee_not_found', message: 'No such account.' }
  if (state === 'reversed') return { outcome: 'reversed', message: 'Reversed.' }
  return { outcome: 'successful', remote_id: `SX${n}`, amount, reversals: [...reversals] }
}

/** Callbacks about payouts have the form of callbacks about failed orders. Unsigned ones are checked by reference. */
function callbackOf(reference: string, { network }: SimulatedPayout): PendingCallback {
  return { network, headers: {}, body: JSON.stringify({ about: 'order', reference, reason: 'rejected' }) }
}
