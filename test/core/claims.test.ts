import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { claimAcceptanceChecks } from '../../src/core/collections/acceptance-checks.ts'
import { lockDueRequests, postponeRequests } from '../../src/core/collections/orders.ts'
import { claimDuePlans } from '../../src/core/collections/plans.ts'
import { claimCallbacks } from '../../src/core/connections/callbacks.ts'
import { claimNetworkOrders } from '../../src/core/connections/order-claims.ts'
import { claimLookups } from '../../src/core/contacts/lookups.ts'
import { claimErasures } from '../../src/core/contacts/message-erasure.ts'
import { claimNotifications } from '../../src/core/events/claims.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, deleteExpiredKeys } from '../../src/core/idempotency.ts'
import type { ClaimTimes } from '../../src/core/leases.ts'
import { refillWallets, scheduleRefill } from '../../src/core/ledger/refills.ts'
import { claimDueRecipients } from '../../src/core/payments/payouts.ts'
import { claimSms } from '../../src/core/sms/claims.ts'
import { begin, connect, type Database, type Tx } from '../../src/db/client.ts'
import {
  accountsOf,
  createManyAcceptanceChecks,
  createManyCallbacks,
  createManyContacts,
  createManyPayments,
  createManyPlans,
  createManyPurchases,
  createManyRequests,
  createManySms,
  createManyWebhooks,
  EACH,
} from './many-rows.ts'
import { openShop, type Shop } from './shop.ts'
import { NESTED_LOOPS } from './two-connections.ts'

/*
 * Claims pass over rows that another transaction has locked. Whatever the plan is, each due row is claimed by one claimer,
 * none is left, and no claim is larger than it may be: a subquery that runs twice would lock twice as many.
 */

const CLAIMERS = 4
const LIMIT = 5

let shop: Shop
let claimers: Database[]

beforeAll(async () => {
  shop = await openShop()
  const url = shop.testApp.app.config.DATABASE_URL!
  claimers = Array.from({ length: CLAIMERS }, () => connect(url, { connections: 1, application: 'claimer' }))
  for (const claimer of claimers) await claimer.unsafe(NESTED_LOOPS)
})
beforeEach(() => shop.clear())
afterAll(async () => {
  await Promise.all(claimers.map((claimer) => claimer.end({ timeout: 1 })))
  await shop.close()
})

interface Case {
  what: string
  /** Make due rows and return their keys. */
  create(): Promise<number[]>
  claim(tx: Tx, times: ClaimTimes): Promise<number[]>
}

const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id)

const cases: Case[] = [
  {
    what: 'requests',
    create: () => createManyRequests(shop),
    async claim(tx, times) {
      const ids = idsOf(await lockDueRequests(tx, times, LIMIT))
      await postponeRequests(tx, ids, times)
      return ids
    },
  },
  {
    what: 'bill purchases',
    create: () => createManyPurchases(shop),
    async claim(tx, { now, real, lease_end }) {
      const want = { kind: 'vend' as const, lane: 'bills', slots: LIMIT, sends: true, prepares: false, lease_end }
      const vends = await claimNetworkOrders(tx, now, real, [{ ...want, connection: 'sandbox' }])
      return vends.map(({ bill_purchase }) => bill_purchase!)
    },
  },
  {
    what: 'recipients of payments',
    create: async () => (await createManyPayments(shop)).recipients,
    claim: (tx, times) => claimDueRecipients(tx, times, LIMIT),
  },
  {
    what: 'callbacks',
    create: () => createManyCallbacks(shop),
    claim: async (tx, times) => idsOf(await claimCallbacks(tx, times, LIMIT)),
  },
  {
    what: 'checks about unrequested money',
    // Of one organization twenty are asked at once at the most, so a few have no turn yet.
    create: async () => (await createManyAcceptanceChecks(shop)).checks.slice(0, 20),
    claim: async (tx, times) => idsOf(await claimAcceptanceChecks(tx, times, LIMIT)),
  },
  {
    what: 'contacts to be looked up',
    create: () => createManyContacts(shop),
    claim: async (tx, times) => idsOf(await claimLookups(tx, times, LIMIT)),
  },
  {
    what: 'contacts to be erased',
    create: async () => {
      const ids = await createManyContacts(shop)
      await shop.db`update contacts set number_being_erased = phone_number, erased = created, due_at = ${shop.now()}`
      return ids
    },
    claim: async (tx, times) => idsOf(await claimErasures(tx, times, LIMIT)),
  },
  { what: 'plans', create: () => createManyPlans(shop), claim: (tx, times) => claimDuePlans(tx, times, LIMIT) },
  {
    what: 'SMS',
    create: () => createManySms(shop),
    claim: async (tx, times) =>
      idsOf(await claimSms(tx, times, [{ ...times, connection: '', slots: LIMIT, states: 'all' }])),
  },
  {
    what: 'webhooks',
    create: () => createManyWebhooks(shop),
    async claim(tx, times) {
      const webhooks = idsOf(await tx<{ id: number }[]>`select id from webhooks`)
      const claimed = await claimNotifications(tx, { ...times, renewed_before: times.lease_end }, webhooks, [], LIMIT)
      return claimed.due.map(({ webhook }) => webhook)
    },
  },
]

it.each(cases)('$what are claimed once each by many concurrent processes', async ({ create, claim }) => {
  const due = await create()
  expect((await claimAll(claim)).sort(byNumber)).toEqual(due.toSorted(byNumber))
})

it('refills of test wallets are claimed once each', async () => {
  const accounts = await accountsOf(shop)
  const before = (await shop.wallet()).balance
  await begin(shop.db, async (tx) => {
    await tx`delete from refills`
    for (const account of accounts) await scheduleRefill(tx, new Date(shop.now().getTime() - 86_400_000), account)
  })
  const refilled = await claimAll((tx) => refillWallets(tx, shop.now(), 1))
  expect(refilled.sort(byNumber)).toEqual(accounts.toSorted(byNumber))
  expect((await shop.wallet()).balance).toBeGreaterThanOrEqual(before)
})

it('Duplicate-Check-Keys are deleted once each, and one that is claimed again stays', async () => {
  const old = new Date(shop.now().getTime() - 25 * 3_600_000)
  const claims = EACH.map((index) => createDuplicateKeyClaim(shop.organization, `key ${index}`))
  await begin(shop.db, (tx) => claimDuplicateKeys(tx, old, 'payment', claims))
  const forgotten = await begin(shop.db, async (tx) => {
    await claimDuplicateKeys(tx, shop.now(), 'payment', claims.slice(0, 3))
    return claimAll(async (other) => {
      const count = await deleteExpiredKeys(other, shop.now(), LIMIT)
      return EACH.slice(0, count)
    })
  })
  expect(forgotten).toHaveLength(EACH.length - 3)
  const [row] = await shop.db<{ count: number }[]>`select count(*) from idempotency_keys`
  expect(row!.count).toBe(3)
})

/** Let all claimers claim in transactions that end together, until there is nothing left. Returns all that they got. */
async function claimAll(claim: Case['claim']): Promise<number[]> {
  const claimed: number[] = []
  for (;;) {
    const round = await claimAtOnce(claim)
    for (const rows of round) expect(rows.length).toBeLessThanOrEqual(LIMIT)
    if (round.flat().length === 0) return claimed
    claimed.push(...round.flat())
  }
}

async function claimAtOnce(claim: Case['claim']): Promise<number[][]> {
  const real = shop.testApp.clock.real()
  const times = { now: shop.now(), real, lease_end: new Date(real.getTime() + 60_000) }
  let waiting = CLAIMERS
  const all_claimed = Promise.withResolvers<void>()
  return Promise.all(
    claimers.map((claimer) =>
      begin(claimer, async (tx) => {
        try {
          return await claim(tx, times)
        } finally {
          waiting -= 1
          if (waiting === 0) all_claimed.resolve()
          await all_claimed.promise
        }
      }),
    ),
  )
}

function byNumber(one: number, other: number): number {
  return one - other
}
