import type { Tx } from '../../db/client.ts'
import { rows as toRows } from '../../db/rows.ts'
import { type Effect, type Query, together, type Work } from '../../db/unit-of-work.ts'
import type { PartialReversal } from '../../lib/adapter-types.ts'
import { zip } from '../../lib/batches/zip.ts'
import { encode } from '../../lib/encoding/encode.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { IncomingPaymentReport } from '../connections/destinations.ts'
import type { Contact } from '../contacts/contacts.ts'
import { type NewEvent, recordEvents } from '../events/events.ts'
import { calculateFee, findFee, readFees } from '../ledger/fees.ts'
import { type FloatKey, findFloats } from '../ledger/floats.ts'
import { bookNetworkFees, type NetworkFee, toNetworkFeeTransfers } from '../ledger/network-fees.ts'
import {
  type CounterAccounts,
  drawTransferIds,
  findCounterAccounts,
  moveMoney,
  type NewTransfer,
} from '../ledger/transfers.ts'
import type { RequestRow } from './collection-request.ts'
import {
  buildCredit,
  Collection,
  type CollectionRow,
  creditReference,
  feeReference,
  readReversedAmount,
} from './collections.ts'

/** Collection before it is stored, with the fields for its transfers. */
export type PostedMoney = Pick<CollectionRow, 'organization' | 'account' | 'connection' | 'currency' | 'author'>

/** Data that `creditCollections` reads before it writes. It does not depend on the ids of collections. */
interface CreditAccounts {
  /** Ids of the accounts of floats; undefined where the money comes from suspense. */
  floats: ((float: FloatKey) => number) | undefined
  suspenses: CounterAccounts
  /** Ids for the transfers of the collections, in their order. */
  transfer_ids: number[]
}

/**
 * Reads the accounts between which collections will move money, and draws ids for their transfers. A caller that does it
 * before it stores the collections waits once less.
 * @param from where the money is: `external` for money that arrives
 */
export async function prepareCredits(
  tx: Tx,
  now: Date,
  money: readonly PostedMoney[],
  from: 'external' | 'suspense',
): Promise<CreditAccounts> {
  const organizations = money.map(({ organization }) => organization)
  const [floats, suspenses, transfer_ids] = await Promise.all([
    from === 'external' ? findFloats(tx, now, money) : undefined,
    findCounterAccounts(tx, 'suspense', organizations),
    drawTransferIds(tx, money.length),
  ])
  return { floats, suspenses, transfer_ids }
}

/**
 * Enters collections into the books, and records an event for each that is credited to its wallet. Money that is
 * rejected or not decided yet goes into suspense. When it is accepted later, it is credited from there, less reversals
 * by the network. Money that arrives comes out of the float of its connection (`from: 'external'`).
 */
export async function creditCollections(
  tx: Tx,
  now: Date,
  rows: readonly CollectionRow[],
  options: {
    from: 'external' | 'suspense'
    contacts: ReadonlyMap<number, Contact>
    /** The requests that they have fulfilled, with their new status. */
    requests?: readonly RequestRow[]
    /** False when none of the organizations pays a fee for collections, which saves the look-up. */
    may_charge?: boolean
    /** Charges of networks by collection, if they said so. */
    network_fees?: ReadonlyMap<number, Amount | undefined>
    /** Result of `prepareCredits`, for the same collections in the same order; read now unless given. */
    prepared?: CreditAccounts
    /** Ids for the events, one for each collection. */
    reserved?: readonly number[]
  },
): Promise<void> {
  const { from, contacts, requests = [], reserved } = options
  const network_fees = collectionNetworkFees(rows, options.network_fees)
  const { floats, suspenses, transfer_ids } = options.prepared ?? (await prepareCredits(tx, now, rows, from))
  const charges = options.may_charge === false ? [] : await buildFeeTransfers(tx, rows)
  const paid_fees = network_fees.length === 0 ? [] : await toNetworkFeeTransfers(tx, now, network_fees)
  const credits = rows.map((row): NewTransfer => {
    const accepted = row.status === 'successful'
    const suspense = suspenses.get(`${row.organization}:${row.currency}`)!
    return {
      reference: accepted ? creditReference(row.id) : `suspense:${row.id}`,
      kind: accepted ? 'mobile_collection' : 'mobile_collection_suspense',
      from_account: floats?.(row) ?? suspense,
      to_account: accepted ? row.account : suspense,
      currency: row.currency,
      amount: row.amount - row.reversed_in_parts,
      // The books are kept for ever, so they contain no personal data (docs/decisions/0011).
      description: `Collection ${row.id}`,
      author: row.author,
    }
  })
  const transfers = [...credits, ...charges, ...paid_fees]
  const charge_ids = charges.length === 0 ? [] : await drawTransferIds(tx, charges.length)
  await moveMoney(tx, now, transfers, {
    // The other side of the credits is a float, and a fee is never larger than its credit.
    only_credits: from === 'external',
    ids: [...transfer_ids, ...charge_ids],
    announce: (ids) =>
      recordEvents(tx, now, buildReceivedEvents(now, rows, ids, transfers, { contacts, requests }), reserved),
  })
}

/** Returns the charges of networks for collections. */
function collectionNetworkFees(
  rows: readonly CollectionRow[],
  amounts: ReadonlyMap<number, Amount | undefined> = new Map(),
): NetworkFee[] {
  return rows.flatMap(({ id, connection, currency, author }) => {
    const amount = amounts.get(id)
    return amount === undefined ? [] : [{ subject: `collection:${id}`, connection, currency, author, amount }]
  })
}

/**
 * The fees of accepted collections, each as a transfer of its own. A fee is never larger than its collection, so it cannot
 * bring a wallet below its earlier balance.
 */
async function buildFeeTransfers(tx: Tx, rows: readonly CollectionRow[]): Promise<NewTransfer[]> {
  const accepted = rows.filter((row) => row.status === 'successful')
  const organizations = [...new Set(accepted.map(({ organization }) => organization))]
  const rates = await readFees(tx, organizations)
  const charged = accepted.flatMap((row) => {
    const { organization, network, currency } = row
    const fee = findFee(rates.get(organization)!, { kind: 'collection', currency, network })
    const credited = row.amount - row.reversed_in_parts
    let amount = calculateFee(fee, credited, currency)
    if (amount > credited) amount = credited
    return amount === 0n ? [] : [{ row, amount }]
  })
  if (charged.length === 0) return []
  const fees = await findCounterAccounts(tx, 'fees', organizations)
  return charged.flatMap(({ row, amount }) => {
    return [
      {
        reference: feeReference(row.id),
        kind: 'service_charge' as const,
        from_account: row.account,
        to_account: fees.get(`${row.organization}:${row.currency}`)!,
        currency: row.currency,
        amount,
        description: `Fee: Collection ${row.id}`,
        author: row.author,
      },
    ]
  })
}

/**
 * Books the charges of networks for money that is in the books already, if only a later report tells them. A fee that
 * is booked stays as it is.
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
  const r = toRows(charged, { fee: 'numeric', connection: 'text', remote_id: 'text' })
  const found = await tx<{ id: number; connection: string; currency: string; author: number; amount: Amount }[]>`
    select distinct on (c.id) c.id, c.connection, c.currency, c.author, r.fee as amount from ${r.as('r')}
    join collections c on c.connection = r.connection and c.remote_transaction_id = r.remote_id
    where not exists (select from transfers t where t.reference = 'network_fee:collection:' || c.id)
    order by c.id`
  await bookNetworkFees(
    tx,
    now,
    found.map(({ id, ...fee }) => ({ ...fee, subject: `collection:${id}` })),
  )
}

/** Reversal that the network has just made of a collection: parts, and the rest if it has reversed everything. */
export interface CollectionReversal {
  /** Collection as it was before. */
  collection: CollectionRow
  parts: readonly PartialReversal[]
  rest: Amount
}

/** Takes money out of the books again: from its wallet, or from suspense if it was not accepted. */
export async function takeBack(work: Work, { collection, parts, rest }: CollectionReversal): Promise<void> {
  const { id, organization, account, currency, author } = collection
  const { float, suspenses } = await together({
    float: work.load(floatsOf, collection),
    suspenses: work.load(suspensesOf, organization),
  })
  const from_account = collection.status === 'successful' ? account : suspenses.get(`${organization}:${currency}`)!
  const transfer = { kind: 'mobile_collection_reversal' as const, from_account, to_account: float, currency, author }
  const reference = `reversal:${id}`
  for (const { remote_id, amount } of parts) {
    const description = `Reversal of a part of collection ${id}`
    work.add(moneyTakenBack, { ...transfer, reference: `${reference}:part:${remote_id}`, amount, description })
  }
  if (rest > 0n)
    work.add(moneyTakenBack, { ...transfer, reference, amount: rest, description: `Reversal of collection ${id}` })
}

/** The accounts of the floats of collections. */
const floatsOf: Query<CollectionRow, number> = {
  async read(tx, collections, now) {
    const idOf = await findFloats(tx, now, collections)
    return new Map(collections.map((row) => [row, idOf(row)]))
  },
}

/** The suspense accounts of an organization, among those of all organizations that are asked for. */
const suspensesOf: Query<number, CounterAccounts> = {
  async read(tx, organizations) {
    const found = await findCounterAccounts(tx, 'suspense', organizations)
    return new Map(organizations.map((organization) => [organization, found]))
  },
}

/** Money that a network has taken back already, so that a wallet may be below zero afterwards. */
export const moneyTakenBack: Effect<NewTransfer> = {
  write: (tx, now, transfers) => moveMoney(tx, now, transfers, { overdraw: true }),
}

function buildReceivedEvents(
  now: Date,
  rows: readonly CollectionRow[],
  ids: readonly number[],
  transfers: readonly NewTransfer[],
  known: { contacts: ReadonlyMap<number, Contact>; requests: readonly RequestRow[] },
): NewEvent[] {
  const requests = new Map(known.requests.map((request) => [request.id, request]))
  const moved = zip(transfers.slice(0, ids.length), ids).map(([transfer, id]) => ({ ...transfer, id }))
  const by_reference = new Map(moved.map((transfer) => [transfer.reference, transfer]))
  const created = truncateToSecond(now)
  return rows.flatMap((row) => {
    const credit = by_reference.get(creditReference(row.id))
    if (!credit) return []
    const { id, amount, description } = credit
    const request = row.collection_request === null ? undefined : requests.get(row.collection_request)
    const data = encode(Collection, {
      ...row,
      contact: known.contacts.get(row.contact)!,
      collection_request: request ? { ...request, contact: known.contacts.get(request.contact)! } : null,
      reversed_amount: readReversedAmount(row),
      transaction: buildCredit(
        row,
        { id, amount, created, description },
        by_reference.get(feeReference(row.id))?.id ?? null,
      ),
    })
    return [{ organization: row.organization, type: 'collection.received', data, author: row.author }]
  })
}
