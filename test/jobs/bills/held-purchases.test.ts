import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BillConnection } from '../../../src/connections/connection.ts'
import { createPurchases, findPurchasesById } from '../../../src/core/bills/purchases.ts'
import { findBillWallet } from '../../../src/core/bills/wallets.ts'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { prepareRestoredData } from '../../../src/core/operations/restored-data.ts'
import { isSendingHeld } from '../../../src/core/sending.ts'
import { begin } from '../../../src/db/client.ts'
import { networkOrders } from '../../../src/jobs/orders/network-orders.ts'
import { freshReference } from '../../api/bills/buyer.ts'
import { openShell } from '../../cli/shell.ts'
import { postponeVends } from '../../core/vends.ts'
import { buildTestApp, type TestApp, type TestClock, testClock } from '../../test-app.ts'
import { type FakeSeller, fakeSeller, goods, silence, sold } from './bill-sellers.ts'

/* Purchases while an operator or a restore holds sending. What may have been sent is asked about, and never bought twice. */

const PRICE = 10_000_000n

let testApp: TestApp
let clock: TestClock
let ahead_ms = 0
let kusanya: ReturnType<typeof openShell>
const connections: BillConnection[] = []

beforeAll(async () => {
  const started_ms = Date.now()
  clock = { ...testClock(), real: () => new Date(started_ms + ahead_ms) }
  testApp = await buildTestApp({ overrides: { connections: [], bill_connections: connections, billers: [], clock } })
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  await postponeVends(testApp.db)
})

describe('purchases while sending is held', () => {
  it('wait where they are new, and are asked about where they were sent; after the release each is bought once', async () => {
    const seller = open(fakeSeller('first'))[0]!
    seller.answers = { vend: silence, status: silence }
    const sent = await order()
    await work()
    expect(seller.vends).toHaveLength(1)

    await hold()
    const fresh = await order()
    seller.answers = { vend: sold, status: sold }
    await pass(3_600)
    expect(await look(sent)).toMatchObject({ status: 'success', status_queries: 1 })
    expect(await look(fresh)).toMatchObject({ status: 'pending', sent: null, outcome: null })
    expect([seller.vends.length, await job().nextDue()]).toEqual([1, null])

    await release()
    await pass(1)
    await pass(1)
    expect(await look(fresh)).toMatchObject({ status: 'success', status_queries: 0 })
    expect(seller.vends.map(({ reference }) => reference)).toEqual([
      (await look(sent)).reference,
      (await look(fresh)).reference,
    ])
    expect(await checkLedger(testApp.db)).toEqual([])
  })

  it('of a restored backup are asked about before anything else, and not sent again', async () => {
    const [seller, other] = open(fakeSeller('first'), fakeSeller('second'))
    const restored = await order()
    await restore()
    // The provider has sold it after the backup.
    seller!.answers = { vend: { outcome: 'successful', remote_id: 'again', vended: goods }, status: sold }
    await pass(1)
    expect(await look(restored)).toMatchObject({ status: 'success', remote_id: '77', vended: goods, restored: true })
    await release()
    await pass(3_600)
    expect([seller!.vends, other!.vends, seller!.asked.length]).toEqual([[], [], 1])
  })

  it('of a restored backup go to the next provider after the release when the first one has certainly not got them', async () => {
    const [seller, other] = open(fakeSeller('first'), fakeSeller('second'))
    const restored = await order()
    await restore()
    seller!.answers.status = { outcome: 'not_found' }
    await pass(1)
    expect(await look(restored)).toMatchObject({ biller: 'first', outcome: 'not_found', status: 'pending' })
    ahead_ms += 23_000
    await pass(3_600)
    await pass(3_600)
    expect(await look(restored)).toMatchObject({ biller: 'second', attempt: 2, sent: null, restored: false })
    expect([seller!.vends, other!.vends]).toEqual([[], []])
    await release()
    await pass(1)
    await pass(3_600)
    expect(await look(restored)).toMatchObject({ biller: 'second', status: 'success' })
    expect([seller!.vends.length, other!.vends.length]).toEqual([0, 1])
  })

  it('of a restored backup wait for a person where the provider knows them by the lost time of sending', async () => {
    const [seller, other] = open(fakeSeller('first', { traits: { named_by_time: true } }), fakeSeller('second'))
    const restored = await order()
    const { created } = await look(restored)
    await restore()
    seller!.answers.status = { outcome: 'not_found' }
    await release()
    for (const hours of [1, 2, 24]) {
      ahead_ms += 3_600_000
      await pass(hours * 3_600)
    }
    const message = 'It may have been sent before the data was restored: ask the provider.'
    expect(await look(restored)).toMatchObject({ biller: 'first', status: 'pending', outcome: 'unknown', message })
    expect([seller!.vends, other!.vends]).toEqual([[], []])
    expect(seller!.asked[0]!.created).toEqual(created)
    seller!.answers.status = sold
    await pass(86_400)
    expect(await look(restored)).toMatchObject({ status: 'success' })
  })
})

const job = () => networkOrders(testApp.app, () => isSendingHeld(testApp.db))

async function pass(seconds: number): Promise<void> {
  clock.advance(seconds)
  await work()
}

async function work(): Promise<void> {
  await job().run(await job().claim(10))
}

async function hold(): Promise<void> {
  expect(await kusanya(['sending', 'hold'])).toMatchObject({ code: 0 })
}

async function release(): Promise<void> {
  expect(await kusanya(['sending', 'release', '--yes'])).toMatchObject({ code: 0 })
}

/** Treat the data as `kusanya restore` treats a backup. */
async function restore(): Promise<void> {
  const times = { now: clock.now(), real: clock.real() }
  await testApp.app.asOwner((owner) =>
    begin(owner, (tx) => prepareRestoredData(tx, times, { created: '2030-01-01T00:00:00Z' })),
  )
}

/** Open these connections instead of those before. */
function open(...sellers: FakeSeller[]): FakeSeller[] {
  connections.splice(0, connections.length, ...sellers.map(({ connection }) => connection))
  return sellers
}

async function order(): Promise<number> {
  const wallet = await findBillWallet(testApp.db, testApp.organization)
  const [created] = await begin(testApp.db, (tx) =>
    createPurchases(tx, clock.now(), [
      {
        organization: testApp.organization,
        account: wallet!.id,
        agent_reference: freshReference(),
        agent_id: null,
        biller: 'first',
        kind: 'electricity',
        service_type: 'ikeja_electric_prepaid',
        pin: null,
        author: 1,
        account_number: '04042404048',
        phone: '08031234567',
        amount: PRICE,
        details: { prepaid: true },
        scenario: null,
        metadata: {},
      },
    ]),
  )
  if (!created?.ok) throw new Error('The purchase was refused.')
  return created.value
}

async function look(id: number) {
  return (await findPurchasesById(testApp.db, [id])).get(id)!
}
