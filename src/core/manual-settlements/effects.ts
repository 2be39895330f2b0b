import type { Reader, Tx } from '../../db/client.ts'
import type { FailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, formatAmount } from '../../lib/money.ts'
import type { ConnectionRef } from '../connections/destinations.ts'
import type { OrderAnswer, VendNews } from '../connections/network-orders.ts'
import { Invalid } from '../refusals.ts'
import { settle } from '../settlements/settle.ts'
import type { Attestation } from './attestation.ts'
import type { Target } from './targets.ts'

/** Finds a connection by its slug. The doors, which know the drivers, provide it. */
export type FindNetwork = (slug: string) => (ConnectionRef & { instructions?: string | undefined }) | undefined

/** Settles an order or a purchase as the answer of its network or biller would. It must be locked, and open. */
export async function applyAttestation(
  tx: Tx,
  { now, findNetwork }: { now: Date; findNetwork: FindNetwork },
  target: Target,
  attestation: Attestation,
): Promise<void> {
  const { outcome, amount } = attestation
  const attested_amount = amount === null ? null : formatAmount(amount)
  const { order } = target
  await tx`
    update network_orders set attested = ${outcome}, attested_amount = ${attested_amount}, attention = null
    where id = ${order.id}`
  if (order.kind === 'vend') {
    await settle(tx, now, [{ order, source: 'operator', answer: await toVendAnswer(tx, attestation) }])
    return
  }
  const { connection: slug } = order
  const network = findNetwork(slug) ?? { slug, code: slug, name: slug }
  await settle(tx, now, [{ order, network, source: 'operator', answer: toAnswer(attestation) }])
}

function toAnswer({ outcome, remote_id, amount, failure_reason, statement }: Attestation): OrderAnswer {
  if (outcome === 'successful') return { outcome, remote_id: remote_id!, amount: amount! }
  return { outcome, reason: failure_reason as FailureReason, message: failureMessage(statement) }
}

async function toVendAnswer(db: Reader, { id, ...attestation }: Attestation): Promise<VendNews> {
  const { outcome, remote_id, statement } = attestation
  if (outcome === 'failed') return { outcome, reason: 'rejected', message: failureMessage(statement) }
  const [row] = await db<{ token: string | null }[]>`select token from order_attestations where id = ${id}`
  const goods = { amount_of_power: null, pins: [], provider_message: '', raw_output: null, more: {} }
  return { outcome, remote_id: remote_id!, vended: { token: row!.token, ...goods } }
}

function failureMessage(statement: string): string {
  return getMessage('orders.did_not_happen', { statement })
}

/**
 * Refuses the id of money that the books have for something else: it would be counted twice.
 * @throws Invalid
 */
export async function requireUnknownMoney(
  db: Reader,
  { order }: Target,
  { outcome, remote_id }: { outcome: string; remote_id: string | null; amount: Amount | null },
): Promise<void> {
  if (order.kind === 'vend' || outcome !== 'successful' || remote_id === null) return
  const { id, kind, connection, payment_recipient } = order
  const [known] =
    kind === 'charge'
      ? await db<{ what: string }[]>`
          select 'collection ' || id as what from collections
          where connection = ${connection} and remote_transaction_id = ${remote_id} and network_order is distinct from ${id}
            and (network_order is not null or collection_request is not null)`
      : await db<{ what: string }[]>`
          select 'payment ' || payment as what from payment_recipients
          where connection = ${connection} and remote_transaction_id = ${remote_id} and id <> ${payment_recipient}`
  if (known) throw new Invalid({ remote_id: [getMessage('orders.known_money', { what: known.what })] })
}
