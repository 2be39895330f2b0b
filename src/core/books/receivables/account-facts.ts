import type { AnyReader } from '../../../db/client.ts'
import type { Amount } from '../../../lib/money.ts'

/** The account of a customer with an organization in one currency. */
export interface CustomerAccount {
  organization: number
  contact: number
  currency: string
}

/** An issued invoice of the customer. */
export interface AccountInvoice {
  id: number
  number: number
  total: Amount
  due_date: string
  issued: Date
  voided: Date | null
}

/** A part of a collection for an invoice, a payment link, or credit of a customer, while it was so. */
export interface Share {
  invoice: number | null
  contact: number | null
  amount: Amount
  created: Date
  ended: Date | null
}

/** Money of a collection that a network reversed, or the organization gave back. */
export interface Loss {
  kind: 'reversal' | 'refund'
  at: Date
  amount: Amount
  /** The payment that gave it back. */
  payment: number | null
}

/** Collection with a part that is, or was, for the customer. It has the shares and losses of all customers. */
export interface AccountMoney {
  id: number
  amount: Amount
  remote_transaction_id: string
  phonenumber: string
  payment_date: Date
  receipt: number | null
  shares: Share[]
  losses: Loss[]
}

/** Events on the account of a customer. */
export interface AccountFacts {
  invoices: AccountInvoice[]
  moneys: AccountMoney[]
}

/** Reads the events on the account of a customer, from its beginning. */
export async function readAccountFacts(db: AnyReader, account: CustomerAccount): Promise<AccountFacts> {
  const { organization, contact, currency } = account
  const invoices = await db<AccountInvoice[]>`
    select id, number, total, due_date::text as due_date, issued, voided from invoices
    where organization = ${organization} and contact = ${contact} and currency = ${currency} and issued is not null
    order by id`
  const collections = await readCollections(
    db,
    account,
    invoices.map(({ id }) => id),
  )
  const ids = collections.map(({ id }) => id)
  const [shares, losses] = await Promise.all([readShares(db, ids), readLosses(db, collections)])
  const moneys = collections.map(({ invoice, fulfilled, status: _, reversed_in_parts: __, ...money }) => ({
    ...money,
    shares:
      invoice === null
        ? (shares.get(money.id) ?? [])
        : [{ invoice, contact: null, amount: money.amount, created: fulfilled, ended: null }],
    losses: losses.get(money.id) ?? [],
  }))
  return { invoices, moneys }
}

type CollectionRow = Omit<AccountMoney, 'shares' | 'losses'> & {
  status: string
  reversed_in_parts: Amount
  /** The invoice whose request it fulfilled, and when. */
  invoice: number | null
  fulfilled: Date
}

function readCollections(
  db: AnyReader,
  { organization, contact, currency }: CustomerAccount,
  invoices: readonly number[],
): Promise<CollectionRow[]> {
  return db<CollectionRow[]>`
    with own as (
      select c.id from invoice_requests i join collections c on c.collection_request = i.request
      where i.invoice = any(${[...invoices]}::bigint[]) and c.status in ('successful', 'reversed')
      union select collection from allocations where invoice = any(${[...invoices]}::bigint[])
      union select collection from allocations where contact = ${contact})
    select c.id, c.amount, c.status, c.reversed_in_parts, c.remote_transaction_id, c.phonenumber, c.payment_date,
      r.number as receipt, i.invoice,
      coalesce((select max(t.at) from collection_request_transitions t
        where t.collection_request = c.collection_request and t.to_status = 'successful'), c.created) as fulfilled
    from own join collections c on c.id = own.id and c.organization = ${organization} and c.currency = ${currency}
    left join receipts r on r.collection = c.id
    left join invoice_requests i on i.request = c.collection_request
    order by c.id`
}

async function readShares(db: AnyReader, collections: readonly number[]): Promise<Map<number, Share[]>> {
  const found = await db<(Share & { collection: number })[]>`
    select collection, invoice, contact, amount, created, ended from allocations
    where collection = any(${[...collections]}::bigint[]) order by id`
  return Map.groupBy(found, ({ collection }) => collection)
}

/**
 * Reads the losses of collections, as they count now: refunds that failed or came back are left out. The last part of a
 * reversal has no row of its own, but a transfer.
 */
async function readLosses(db: AnyReader, collections: readonly CollectionRow[]): Promise<Map<number, Loss[]>> {
  const ids = collections.map(({ id }) => id)
  const rests = new Map(
    collections.filter(({ status }) => status === 'reversed').map((row) => [`reversal:${row.id}`, row]),
  )
  type LossRow = Omit<Loss, 'kind'> & { collection: number }
  const [parts, wholes, refunds] = await Promise.all([
    db<LossRow[]>`
      select collection, amount, created as at, null::bigint as payment from collection_reversals
      where collection = any(${ids}::bigint[])`,
    db<{ reference: string; amount: Amount; at: Date }[]>`
      select reference, amount, created as at from transfers where reference = any(${[...rests.keys()]}::text[])`,
    db<LossRow[]>`
      select p.collection, p.id as payment, p.created as at,
        sum(r.amount - case when r.reversed then r.amount else r.reversed_in_parts end)::numeric(19,4) as amount
      from payments p join payment_recipients r on r.payment = p.id
      where p.collection = any(${ids}::bigint[]) and r.state not in ('aborted', 'error')
      group by p.id`,
  ])
  const ends = wholes.map(({ reference, ...rest }) => ({
    ...rest,
    collection: rests.get(reference)!.id,
    payment: null,
  }))
  const losses = [
    ...[...parts, ...ends].map((loss) => ({ ...loss, kind: 'reversal' as const })),
    ...refunds.filter(({ amount }) => amount > 0n).map((loss) => ({ ...loss, kind: 'refund' as const })),
  ]
  return Map.groupBy(losses, ({ collection }) => collection)
}
