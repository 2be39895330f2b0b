import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { sql } from '../../../db/sql.ts'
import { column, insert, table } from '../../../db/table.ts'
import type { Effect, Query } from '../../../db/unit-of-work.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { type Amount, formatAmount } from '../../../lib/money.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { amount, timestamp } from '../../fields.ts'
import { type ChosenSeller, findSellers, type Seller } from '../choose-seller.ts'
import { findPurchasesById, generateReference, type Purchase } from '../purchases.ts'
import type { Refusal } from './outcomes.ts'

/*
 * A purchase is bought at one provider at a time. When one has certainly not sold it, for a reason that is not about
 * the customer, the next one is tried, each once (docs/decisions/0034). `bill_purchases` has the current attempt, and
 * `bill_attempts` those before it.
 */

/** Attempt to buy at a provider, as the console and the CLI show it. */
export const AttemptView = z.object({
  attempt: z.int(),
  /** The slug of the connection. */
  connection: z.string(),
  /** Ours towards this provider. */
  reference: z.string(),
  remote_service: z.string().nullable(),
  remote_product: z.string().nullable(),
  cost: amount.nullable(),
  /** The last answer; null before the first one. */
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  remote_id: z.string().nullable(),
  status_queries: z.int(),
  /** Time of sending, on the clock of the service. */
  sent: timestamp.nullable(),
  ended: timestamp.nullable(),
  /** Time when this provider reported the sale, after it had refused. */
  sold_after_all: timestamp.nullable(),
})
export type Attempt = z.output<typeof AttemptView>

/** All attempts of a purchase, the first one first. The last one is the current one. */
export async function listAttempts(db: AnyReader, purchase: Purchase): Promise<Attempt[]> {
  const earlier = await db<Attempt[]>`
    select attempt, connection, reference, remote_service, remote_product, cost, outcome, reason, message, remote_id,
      status_queries, started as sent, ended, sold_after_all
    from bill_attempts where purchase = ${purchase.id} order by attempt`
  const { attempt, biller, reference, remote_service, remote_product, cost, outcome, message, remote_id } = purchase
  const { status, status_queries, started, modified, failure_code } = purchase
  const current: Attempt = {
    ...{ attempt, connection: biller, reference, remote_service, remote_product, cost, outcome, message, remote_id },
    ...{
      reason: failure_code,
      status_queries,
      sent: started,
      ended: status === 'pending' ? null : modified,
      sold_after_all: null,
    },
  }
  return [...earlier, current]
}

/**
 * Finds the purchase that was tried at this connection under our reference or the provider's id, with the reference of
 * that attempt; undefined for none.
 */
export async function findAttempt(
  db: Reader,
  connection: string,
  by: { reference: string } | { remote_id: string },
): Promise<{ purchase: Purchase; reference: string } | undefined> {
  const matches = 'reference' in by ? sql`reference = ${by.reference}` : sql`remote_id = ${by.remote_id}`
  const [found] = await db<{ id: number; reference: string }[]>`
    select id, reference from bill_purchases where biller = ${connection} and ${matches}
    union all
    select purchase, reference from bill_attempts where connection = ${connection} and ${matches}
    order by id desc limit 1`
  const purchase = found && (await findPurchasesById(db, [found.id])).get(found.id)
  return purchase && { purchase, reference: found.reference }
}

/** Chooses the best provider for a purchase that none of its attempts has tried. @param sellers those that sell now */
export async function findNextSeller(
  db: Reader,
  purchase: Purchase,
  sellers: readonly Seller[],
): Promise<ChosenSeller | undefined> {
  const tried = await db<{ connection: string }[]>`
    select connection from bill_attempts where purchase = ${purchase.id}`
  const left = sellers.filter(
    ({ slug }) => slug !== purchase.biller && !tried.some(({ connection }) => connection === slug),
  )
  return left.length === 0 ? undefined : (await findSellers(db, purchase, left))[0]
}

const attemptTable = table('bill_attempts', {
  id: column.id(),
  purchase: column.bigint(),
  attempt: column.integer(),
  connection: column.text(),
  reference: column.text(),
  remote_service: column.text().nullable(),
  remote_product: column.text().nullable(),
  cost: column.numeric().nullable(),
  outcome: column.text<Refusal['outcome']>(),
  reason: column.text<Refusal['reason']>(),
  message: column.text(),
  remote_id: column.text().nullable(),
  status_queries: column.integer(),
  sent: column.timestamptz().nullable(),
  ended: column.timestamptz(),
  sold_after_all: column.timestamptz().later(),
  started: column.timestamptz().nullable(),
})

/** A purchase that moves to another provider, and why. */
export interface Move {
  purchase: Purchase
  refusal: Refusal
  next: ChosenSeller
}

/** The next providers of purchases, among those that sell now. */
export const nextSellers: Query<{ purchase: Purchase; sellers: readonly Seller[] }, ChosenSeller> = {
  async read(tx, wanted) {
    const found = new Map<(typeof wanted)[number], ChosenSeller>()
    for (const one of wanted) {
      const next = await findNextSeller(tx, one.purchase, one.sellers)
      if (next) found.set(one, next)
    }
    return found
  },
}

/**
 * Moves of purchases, which are locked: their current attempts end, and new ones begin. They are due now, and have
 * references of their own.
 */
export const purchaseMoves: Effect<Move> = {
  write(tx, now, moves) {
    const ended = moves.map(({ purchase, refusal }) => ({
      ...purchase,
      ...refusal,
      remote_id: refusal.remote_id ?? purchase.remote_id,
    }))
    tx.send`${insert(attemptTable, ended, {
      id: undefined,
      purchase: ({ id }) => id,
      connection: ({ biller }) => biller,
      ended: truncateToSecond(now),
    })}`
    const next = rows(moves, {
      id: ['bigint', ({ purchase }) => purchase.id],
      biller: ['text', ({ next }) => next.connection],
      reference: ['text', () => generateReference()],
      remote_service: ['text', ({ next }) => next.remote_service],
      remote_product: ['text', ({ next }) => next.remote_product],
      cost: ['numeric', ({ next }) => next.cost],
    })
    tx.send`
      update bill_purchases p set ${next.assignments('n', 'id')}, attempt = p.attempt + 1, outcome = null, message = null,
        remote_id = null, sent = null, started = null, restored = false, status_queries = 0, due_at = ${now}, leased_until = null,
        modified = ${truncateToSecond(now)}
      from ${next.as('n')} where p.id = n.id`
  },
}

/**
 * Moves purchases that were never sent to another provider, because theirs cannot be called now. The caller has locked
 * them. Their references stay: no provider has seen them.
 */
export async function replaceSeller(
  tx: Tx,
  moves: readonly { purchase: Purchase; next: ChosenSeller }[],
): Promise<void> {
  for (const { purchase, next } of moves)
    await tx`
      update bill_purchases set biller = ${next.connection}, remote_service = ${next.remote_service},
        remote_product = ${next.remote_product}, cost = ${toText(next.cost)}
      where id = ${purchase.id}`
}

function toText(amount: Amount | null): string | null {
  return amount === null ? null : formatAmount(amount)
}

/** An earlier attempt of a purchase. */
interface EarlierAttempt {
  purchase: number
  connection: string
  reference: string
}

/** Earlier attempts by our reference. */
export const earlierAttempts: Query<string, EarlierAttempt> = {
  async read(tx, references) {
    const found = await tx<EarlierAttempt[]>`
      select purchase, connection, reference from bill_attempts where reference = any(${references}::text[])`
    return new Map(found.map((attempt) => [attempt.reference, attempt]))
  },
}

/** Attempts that have sold after they had refused, while another one was tried: a person must look at them. */
export const soldAfterAll: Effect<EarlierAttempt> = {
  write(tx, now, attempts) {
    for (const { purchase, connection, reference } of attempts) {
      const attention = getMessage('bills.sold_after_all', { connection, reference })
      tx.send`
        update bill_attempts set sold_after_all = coalesce(sold_after_all, ${truncateToSecond(now)})
        where reference = ${reference} and purchase = ${purchase}`
      tx.send`update bill_purchases set attention = ${attention} where id = ${purchase}`
    }
  },
}
