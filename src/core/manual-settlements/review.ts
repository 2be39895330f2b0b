import type { Reader, Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { Invalid } from '../refusals.ts'
import { factsOf, lockTarget, type Target } from './targets.ts'

/**
 * Records that a person has reviewed an ended order or purchase, so that it needs no attention any more. An example is
 * one whose network contradicts an attestation. It moves no money.
 * @returns why it needed attention
 * @throws Invalid if it needs no attention, or is open: then it needs attention until it has ended
 */
export async function reviewOrder(tx: Tx, found: Target): Promise<string> {
  const target = await lockTarget(tx, found)
  const { is_open, state } = factsOf(target)
  const { attention } = target.order
  if (attention === null) throw new Invalid({ order: [getMessage('orders.no_attention')] })
  if (is_open) throw new Invalid({ order: [getMessage('orders.attention_until_end', { state })] })
  await tx`update network_orders set attention = null where id = ${target.order.id}`
  return attention
}

/** Lists the orders whose networks contradict an attestation, in sentences, for `doctor` and the nightly check. */
export async function checkAttestedOrders(db: Reader): Promise<string[]> {
  const found = await db<{ reference: string; connection: string; attention: string }[]>`
    select reference, connection, attention from network_orders where attested is not null and attention is not null
    order by reference limit ${MAX_FINDINGS}`
  return found.map(
    ({ reference, connection, attention }) =>
      `Order ${reference} on ${connection}: ${attention} Look into it, then run \`npx kusanya orders review ${reference}\`.`,
  )
}

/** Maximum number of findings: enough for a person to see the fault. */
const MAX_FINDINGS = 200
