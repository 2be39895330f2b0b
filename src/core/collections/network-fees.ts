import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { Amount } from '../../lib/money.ts'
import type { IncomingPaymentReport } from '../connections/destinations.ts'
import { bookNetworkFees } from '../ledger/network-fees.ts'

/**
 * Books what networks charged for money that is in the books already, where only a later report says it. A fee that is booked
 * stays as it is.
 */
export async function bookLaterNetworkFees(
  tx: Tx,
  now: Date,
  reports: readonly IncomingPaymentReport[],
): Promise<void> {
  const charged = reports.flatMap(({ fee, network, remote_id }) =>
    fee === undefined || fee <= 0n ? [] : [{ fee, connection: network.slug, remote_id }],
  )
  if (charged.length === 0) return
  const r = rows(charged, { fee: 'numeric', connection: 'text', remote_id: 'text' })
  const found = await tx<{ id: number; connection: string; currency: string; author: number; amount: Amount }[]>`
    select distinct on (c.id) c.id, c.connection, c.currency, c.author, r.fee as amount from ${r.as('r')}
    join collections c on c.connection = r.connection and c.remote_transaction_id = r.remote_id
    where not exists (select from transfers t where t.reference = 'network_fee:collection:' || c.id)
    order by c.id`
  await bookNetworkFees(
    tx,
    now,
    found.map(({ id, ...fee }) => ({ ...fee, of: `collection:${id}` })),
  )
}
