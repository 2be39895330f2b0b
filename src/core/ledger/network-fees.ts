import type { Reader, Tx } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'
import { findFloats, findNetworkFeeAccounts } from './floats.ts'
import { moveMoney, type NewTransfer } from './transfers.ts'

/** Charge of a network for one movement of money. */
export interface NetworkFee {
  /** Movement that was charged, unique for ever: `collection:7`, `recipient:7`. A fee is booked once for it. */
  subject: string
  /** The slug of the connection. */
  connection: string
  currency: string
  amount: Amount
  author: number
}

/**
 * Builds the transfers of fees: out of the float of the connection, as an expense of the merchant account's owner. A
 * fee that was booked before moves no money. Amounts that are not above zero are left out.
 */
export async function toNetworkFeeTransfers(
  tx: Tx,
  now: Date,
  network_fees: readonly NetworkFee[],
): Promise<NewTransfer[]> {
  const charged = network_fees.filter(({ amount }) => amount > 0n)
  if (charged.length === 0) return []
  const owners = await readOwners(
    tx,
    charged.map(({ connection }) => connection),
  )
  const owned = charged.map((fee) => ({ ...fee, organization: owners.get(fee.connection) ?? null }))
  const floats = await findFloats(tx, now, owned)
  const expenses = await findNetworkFeeAccounts(tx, now, owned)
  return owned.map((fee) => ({
    reference: `network_fee:${fee.subject}`,
    kind: 'network_fee',
    from_account: expenses(fee),
    to_account: floats(fee),
    currency: fee.currency,
    amount: fee.amount,
    description: `Fee of the network: ${fee.subject.replace(':', ' ')}`,
    author: fee.author,
    once: true,
  }))
}

/** Books fees that were not booked before. */
export async function bookNetworkFees(tx: Tx, now: Date, network_fees: readonly NetworkFee[]): Promise<void> {
  await moveMoney(tx, now, await toNetworkFeeTransfers(tx, now, network_fees))
}

/** The organizations that own these connections; null for the operator's. */
async function readOwners(db: Reader, slugs: readonly string[]): Promise<Map<string, number | null>> {
  const found = await db<{ slug: string; organization: number | null }[]>`
    select slug, organization from connections where slug = any(${[...new Set(slugs)]}::text[])`
  return new Map(found.map(({ slug, organization }) => [slug, organization]))
}
