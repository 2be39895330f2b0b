import type { Database } from '../../../src/db/client.ts'
import type { SimulatedNetworks } from '../networks.ts'

/**
 * Hold the requests against what the networks know at the end: what was paid is successful, and no money that names a
 * request or fits an open one is unmatched. No request ends before its time here, so whatever was paid was paid in
 * time. Only requests of invoices may end before: a person ends them, or money with a typed number is quicker.
 */
export async function checkPaid(db: Database, networks: SimulatedNetworks): Promise<string[]> {
  const requests = await db<
    { id: number; status: string; account: number; phonenumber: string; amount: bigint; may_end: boolean }[]
  >`
    select r.id, r.status, r.account, r.phonenumber, r.amount,
      exists (select from invoice_requests i where i.request = r.id)
        or exists (select from collections c where c.collection_request = r.id and c.reference is not null) as may_end
    from collection_requests r`
  const may_end = new Set(requests.flatMap((request) => (request.may_end ? [request.id] : [])))
  const statuses = new Map(requests.map(({ id, status }) => [id, status]))
  const collections = await db<{ id: number; key: string; account: number; phonenumber: string; amount: bigint }[]>`
    select id, network || ':' || remote_transaction_id as key, account, phonenumber, amount
    from collections where collection_request is null`
  const paid = [...networks.orders.values()].flatMap(({ request, reference, payment }) => {
    const wanted = payment?.status === 'reversed' ? ['successful', 'reversed'] : ['successful']
    const status = statuses.get(request)
    return !payment || may_end.has(request) || wanted.includes(status!)
      ? []
      : `Order ${reference} was paid, and its request is ${status}.`
  })
  const unmatched = collections.flatMap(({ id, key, account, phonenumber, amount }) => {
    const reference = networks.payments.get(key)?.order_reference
    if (reference && may_end.has(networks.orders.get(reference)!.request)) return []
    if (reference) return `Collection ${id} of order ${reference} is unmatched.`
    const open = requests.find(
      (one) =>
        ['pending', 'processing_started', 'instructions_sent'].includes(one.status) &&
        one.account === account &&
        one.phonenumber === phonenumber &&
        one.amount === amount,
    )
    return open ? `Collection ${id} is unmatched, and request ${open.id} is open.` : []
  })
  return [...paid, ...unmatched]
}
