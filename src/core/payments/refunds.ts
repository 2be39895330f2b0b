import type { Tx } from '../../db/client.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { addRefundedAmount } from '../collections/refunded-amounts.ts'
import { findCounterAccounts } from '../ledger/transfers.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { createPayments } from './create.ts'
import { limitError, type PayoutNetwork } from './new-payment.ts'
import type { Payment } from './payments.ts'

/** Money to be given back to whoever paid it. */
export interface RefundInput {
  organization: number
  collection: number
  /** The person who decides it, or the organization's service user. */
  author: number
  description?: string
  /** The network through which the collection came, if it can send. */
  network: PayoutNetwork | undefined
}

/**
 * Returns a collection that matched no request and that nobody has claimed, as a payment of its own to the phone that it
 * came from. Money that the organization never accepted is returned out of suspense and without a fee.
 * @throws NotFound, Invalid when it is not unmatched, when nothing is left, or when the payment cannot be made.
 */
export async function returnCollection(tx: Tx, now: Date, wish: RefundInput): Promise<Payment> {
  const collection = await lockCollection(tx, wish)
  const unmatched = collection.collection_request === null && collection.claimed_by === null
  if (!unmatched || !['successful', 'failed'].includes(collection.status))
    throw new Invalid({ collection: ['Only unmatched money is returned. What was asked for can be refunded.'] })
  return createRefundPayment(tx, now, collection, { ...wish, purpose: 'return', amount: undefined })
}

/**
 * Refunds a collection, whole or in part, as a payment of its own: never more in sum than was collected.
 * @throws as returnCollection
 */
export async function refundCollection(tx: Tx, now: Date, wish: RefundInput & { amount?: Amount }): Promise<Payment> {
  const collection = await lockCollection(tx, wish)
  const unmatched = collection.collection_request === null && collection.claimed_by === null
  if (unmatched || collection.status !== 'successful')
    throw new Invalid({ collection: ['Only money that was asked for or claimed is refunded. The rest is returned.'] })
  return createRefundPayment(tx, now, collection, { ...wish, purpose: 'refund' })
}

/** Whoever gives back holds this lock, so that two together can never give back more than there was. */
async function lockCollection(tx: Tx, { organization, collection: id }: RefundInput): Promise<CollectionRow> {
  const [row] = await tx<CollectionRow[]>`select * from collections where id = ${id} for update`
  if (row?.organization !== organization) throw new NotFound(`There is no collection ${id}.`)
  return row
}

async function createRefundPayment(
  tx: Tx,
  now: Date,
  collection: CollectionRow,
  wish: RefundInput & { purpose: 'return' | 'refund'; amount?: Amount },
): Promise<Payment> {
  const { organization, author, purpose, network } = wish
  const left = collection.amount - collection.refunded
  const amount = wish.amount ?? left
  if (left === 0n) throw new Invalid({ collection: ['All of it has been given back, or is on its way.'] })
  if (amount <= 0n) throw new Invalid({ amount: ['Ensure this value is greater than 0.'] })
  if (amount > left)
    throw new Invalid({ amount: [`Only ${collection.currency} ${displayAmount(left)} of it can still be given back.`] })
  if (!collection.phonenumber.startsWith('+'))
    throw new Invalid({ collection: ['The number that it came from is not known any more.'] })
  if (!network) throw new Invalid({ collection: [`The network ${collection.network} cannot send money.`] })
  const fault = limitError(amount, network.limits)
  if (fault) throw new Invalid({ amount: [fault] })
  await addRefundedAmount(tx, collection.id, amount)
  const description =
    wish.description ?? `${purpose === 'return' ? 'Return' : 'Refund'} of ${collection.remote_transaction_id}`
  const { account, currency, phonenumber } = collection
  const [made] = await createPayments(tx, now, [
    {
      ...{ organization, author, purpose, collection: collection.id, payment_type: 'money', amount, currency },
      ...{ account, source: await findSourceAccount(tx, collection), description, metadata: {}, start_date: null },
      send_sms_message: false,
      recipients: [
        {
          ...{ phonenumber, amount, network, description, metadata: {} },
          ...{ national_id: null, national_id_type: null },
        },
      ],
    },
  ])
  if (!made!.ok) throw made!.error
  return made!.value
}

/** The wallet, or suspense when the organization never accepted the money. */
async function findSourceAccount(tx: Tx, collection: CollectionRow): Promise<number> {
  if (collection.status !== 'failed') return collection.account
  const suspense = await findCounterAccounts(tx, 'suspense', [collection.organization])
  return suspense.get(`${collection.organization}:${collection.currency}`)!
}
