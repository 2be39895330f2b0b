import { prepareRefund } from '../../../src/connections/refunds.ts'
import type { Target } from '../../../src/core/allocations/allocations.ts'
import type { RequestedPart } from '../../../src/core/approvals/changes/matching-kinds.ts'
import { returnCollection } from '../../../src/core/payments/refunds.ts'
import { begin } from '../../../src/db/client.ts'
import type { Amount } from '../../../src/lib/money.ts'
import { matchByHand } from '../../core/matching/match-by-hand.ts'
import { type Deed, type Desk, pickInvoice } from './desk.ts'

interface ListedMoney {
  id: number
  organization: number
  free: Amount
}

/** Give money to an invoice or a customer, or split it over both. */
export async function giveMoney(desk: Desk): Promise<Deed | undefined> {
  const { app } = desk
  const money = await pickMoney(desk)
  if (!money) return undefined
  const parts = await chooseParts(desk, money)
  if (parts.length === 0) return undefined
  return {
    name: `collection ${money.id} for ${parts.map(({ target }) => JSON.stringify(target)).join(' and ')}`,
    run: () => matchByHand(app, money.organization, { collection: money.id, parts }),
  }
}

async function chooseParts(desk: Desk, { organization, free }: ListedMoney): Promise<RequestedPart[]> {
  const { random, customers } = desk
  const invoice = await pickInvoice(desk)
  const own = customers.filter(({ shop }) => shop.organization === organization)
  if (!invoice || own.length === 0) return []
  const [first, second] = [{ invoice: invoice.id }, { contact: random.pick(own).contact }]
  if (free < 300_000n || random.chance(0.6)) return [{ target: random.chance(0.8) ? first : second }]
  return [
    { target: first, amount: random.pick(['10', '20']) },
    { target: second, amount: '10' },
  ]
}

/** Give what an allocation has to another invoice or customer. */
export async function moveMoney(desk: Desk): Promise<Deed | undefined> {
  const { app, random, customers } = desk
  const allocation = await pickAllocation(desk)
  if (!allocation) return undefined
  const invoice = await pickInvoice(desk)
  const own = customers.filter(({ shop }) => shop.organization === allocation.organization)
  if (!invoice || own.length === 0) return undefined
  const target: Target = random.chance(0.7) ? { invoice: invoice.id } : { contact: random.pick(own).contact }
  const { collection, id: instead_of } = allocation
  return {
    name: `allocation ${instead_of} to ${JSON.stringify(target)}`,
    run: () => matchByHand(app, allocation.organization, { collection, parts: [{ target }], instead_of }),
  }
}

export async function endAllocation(desk: Desk): Promise<Deed | undefined> {
  const { app } = desk
  const found = await pickAllocation(desk)
  if (!found) return undefined
  const { collection, id: allocation } = found
  return {
    name: `the end of allocation ${allocation}`,
    run: () => matchByHand(app, found.organization, { collection, parts: [], instead_of: allocation }),
  }
}

/** Send back what is for nothing. */
export async function returnMoney(desk: Desk): Promise<Deed | undefined> {
  const { app, customers } = desk
  const money = await pickMoney(desk)
  const shop = customers.find((one) => one.shop.organization === money?.organization)?.shop
  if (!money || !shop) return undefined
  const { id: collection, organization } = money
  return {
    name: `the return of collection ${collection}`,
    async run() {
      const prepared = await prepareRefund(app, { collection })
      await begin(app.db, (tx) =>
        returnCollection(tx, app.clock.now(), { ...prepared, organization, collection, author: shop.user }),
      )
    },
  }
}

async function pickMoney({ observer, random }: Desk): Promise<ListedMoney | undefined> {
  const found = await observer<ListedMoney[]>`
    select id, organization, (amount - refunded - reversed_in_parts - allocated)::numeric(19,4) as free from collections
    where collection_request is null and claimed_by is null and status = 'successful' order by id`
  const free = found.filter((one) => one.free > 0n)
  return free.length === 0 ? undefined : random.pick(free)
}

async function pickAllocation({ observer, random }: Desk) {
  const found = await observer<{ id: number; collection: number; organization: number }[]>`
    select id, collection, organization from allocations where ended is null order by id`
  return found.length === 0 ? undefined : random.pick(found)
}
