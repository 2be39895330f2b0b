import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { assignPayment } from '../../../src/core/collections/actions.ts'
import { type IncomingPaymentReport, ingestIncomingPayments } from '../../../src/core/collections/incoming-payments.ts'
import {
  checkUnassigned,
  countUnassigned,
  type UnassignedPayment,
} from '../../../src/core/connections/unassigned-payments.ts'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
import { assignReceiver, createAccount } from '../../../src/core/ledger/accounts.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { assignPayments } from '../../../src/jobs/assign-payments.ts'
import { applyInBatch } from '../../../src/jobs/shared/apply-in-batch.ts'
import { NETWORK, openShop, PHONE, type Shop } from '../shop.ts'
import { openTwoConnections, type TwoConnections } from '../two-connections.ts'

let shop: Shop
let connections: TwoConnections
let tills = 0

beforeAll(async () => {
  shop = await openShop()
  connections = await openTwoConnections(shop.testApp.app.config.DATABASE_URL!)
})
beforeEach(() => shop.clear())
afterAll(async () => {
  await connections.close()
  await shop.close()
})

const by = { user: null, name: 'Grace' }
const stored = async () => [
  ...(await shop.db<(UnassignedPayment & { due_at: Date | null })[]>`select * from unassigned_payments order by id`),
]

/** A payment to a till that belongs to nobody, which is stored. */
async function keep(changes: Partial<IncomingPaymentReport> = {}): Promise<IncomingPaymentReport> {
  tills += 1
  const report = shop.paymentReport({ receiver: `till-${tills}`, ...changes })
  expect(await shop.ingest(report)).toEqual(['unassigned'])
  return report
}

const assign = async (payment: number, account?: number) => {
  const to = account ?? (await shop.wallet()).id
  return begin(shop.db, (tx) => assignPayment(tx, shop.now(), [NETWORK], { payment, account: to, by }))
}

/** Open a wallet whose money arrives at this receiver. */
const openWalletAt = (number: string) =>
  begin(shop.db, async (tx) => {
    const { organization } = shop
    const author = shop.requestInput().author
    const wallet = { organization, author, currency: 'BXC', kind: 'local' as const, name: number }
    const account = await createAccount(tx, shop.now(), wallet)
    await assignReceiver(tx, { connection: 'sandbox', number, account: account.id })
    return account.id
  })

async function runJob(): Promise<void> {
  const job = assignPayments(shop.testApp.app)
  for (;;) {
    const rows = await job.claim(job.limit)
    if (rows.length === 0) return
    await job.run(rows)
  }
}

describe('money without an account', () => {
  it('is stored once with all that its network said, and looked at again a minute later', async () => {
    const report = await keep({ reference: 'rent' })
    expect(await shop.ingest(report, report)).toEqual(['known', 'known'])
    expect(await stored()).toMatchObject([
      {
        network: 'sandbox',
        remote_transaction_id: report.remote_id,
        receiver: report.receiver,
        currency: 'BXC',
        amount: report.amount,
        phonenumber: PHONE,
        reference: 'rent',
        payment_date: report.paid_at,
        state: 'unassigned',
        account: null,
        collection: null,
        due_at: new Date(shop.now().getTime() + 60_000),
      },
    ])
    expect(await countUnassigned(shop.db)).toBe(1)
    expect(await checkUnassigned(shop.db)).toEqual([
      `BXC 1,500 in one payment to "${report.receiver}" on sandbox belongs to no account. \`npx kusanya collections unassigned\` shows them.`,
    ])
    expect(await shop.collections()).toEqual([])
  })

  it('may be in a currency that nobody knows', async () => {
    const report = { ...shop.paymentReport(), currency: 'ZZZ' }
    expect(await shop.ingest(report)).toEqual(['unassigned'])
    expect(await stored()).toMatchObject([{ currency: 'ZZZ', state: 'unassigned' }])
  })

  it('is never credited after its network has taken it back', async () => {
    const report = await keep()
    expect(await shop.ingest({ ...report, status: 'reversed' })).toEqual(['reversed'])
    const [row] = await stored()
    await expect(assign(row!.id)).rejects.toThrow('The network has taken this money back.')
    await openWalletAt(report.receiver)
    await runJob()
    expect(await shop.ingest(report, { ...report, status: 'reversed' })).toEqual(['known', 'known'])
    expect(await shop.collections()).toEqual([])
    expect(await stored()).toMatchObject([{ state: 'reversed' }])
  })

  it('is not credited if the reversal comes first, or in the same batch', async () => {
    tills += 1
    const first = shop.paymentReport({ receiver: `till-${tills}` })
    expect(await shop.ingest({ ...first, status: 'reversed' }, first)).toEqual(['unassigned', 'known'])
    const second = shop.paymentReport({ receiver: `till-${tills}` })
    expect(await shop.ingest(second, { ...second, status: 'reversed' })).toEqual(['unassigned', 'reversed'])
    expect(await stored()).toMatchObject([{ state: 'reversed' }, { state: 'reversed' }])
  })
})

describe('money that came over the merchant account of an organization', () => {
  it('is assigned to no account of another organization', async () => {
    await keep()
    const [row] = await stored()
    const { id: other } = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Another shop'))
    await shop.db`update connections set organization = ${other} where slug = 'sandbox'`
    try {
      await expect(assign(row!.id)).rejects.toThrow('belongs to another organization than the connection sandbox')
    } finally {
      await shop.db`update connections set organization = null where slug = 'sandbox'`
    }
    expect(await stored()).toMatchObject([{ state: 'unassigned' }])
    expect(await shop.collections()).toEqual([])
  })
})

describe('money of which its network takes back parts before it has an account', () => {
  const part = (remote_id: string, amount: bigint) => ({ remote_id, amount })
  const reversedAmounts = () => shop.db`
    select status, reversed_in_parts as parts from collections order by id`

  it('is credited without these parts, each taken once', async () => {
    const report = await keep()
    const before = (await shop.wallet()).balance
    const first = part('R1', 3_000_000n)
    expect(await shop.ingest({ ...report, reversals: [first] })).toEqual(['known'])
    expect(await shop.ingest({ ...report, reversals: [first, part('R2', 2_000_000n)] })).toEqual(['known'])
    const [row] = await stored()
    const collection = await assign(row!.id)
    expect(await reversedAmounts()).toEqual([{ status: 'successful', parts: 5_000_000n }])
    expect((await shop.wallet()).balance - before).toBe(report.amount - 5_000_000n)
    // The network repeats the first part, and takes the rest back.
    expect(await shop.ingest({ ...report, reversals: [first] })).toEqual(['known'])
    expect(await shop.ingest({ ...report, status: 'reversed' })).toEqual(['reversed'])
    expect((await shop.wallet()).balance).toBe(before)
    expect(collection.status).toBe('successful')
  })

  it('is credited without them also if its network reports it again, to a receiver that has an account now', async () => {
    const report = await keep({ reversals: [part('R1', 3_000_000n)] })
    const account = await openWalletAt(report.receiver)
    expect(await checkUnassigned(shop.db)).toEqual([expect.stringContaining('BXC 1,200 in one payment')])
    expect(await shop.ingest(report)).toEqual(['reversed'])
    expect(await reversedAmounts()).toEqual([{ status: 'successful', parts: 3_000_000n }])
    const [wallet] = await shop.db<{ balance: bigint }[]>`select balance from accounts where id = ${account}`
    expect(wallet!.balance).toBe(report.amount - 3_000_000n)
  })
})

describe('assigning by hand', () => {
  it('makes it a collection as any other: matched, credited and announced', async () => {
    const request = await shop.createRequest()
    await keep()
    const before = (await shop.wallet()).balance
    const [row] = await stored()
    const collection = await assign(row!.id)
    expect(collection).toMatchObject({ amount: 15_000_000n, status: 'successful', phonenumber: PHONE })
    expect(await shop.request(request.id)).toMatchObject({ status: 'successful', collection: collection.id })
    expect((await shop.wallet()).balance - before).toBe(15_000_000n)
    expect(await shop.events('collection.received')).toHaveLength(1)
    expect(await stored()).toMatchObject([
      {
        state: 'assigned',
        collection: collection.id,
        account: (await shop.wallet()).id,
        assigned_by: 'Grace',
        due_at: null,
      },
    ])
  })

  it('is refused a second time, for an account in another currency, and for unknown ids', async () => {
    await keep()
    const [row] = await stored()
    await expect(assign(row!.id, (await shop.wallet('UGX')).id)).rejects.toThrow('is in UGX, and the payment is in BXC')
    await expect(assign(row!.id, 999_999)).rejects.toThrow('There is no account 999999.')
    await expect(assign(999_999)).rejects.toThrow('There is no unassigned payment 999999.')
    const { id } = await assign(row!.id)
    await expect(assign(row!.id)).rejects.toThrow(`It is already assigned: it is collection ${id}.`)
    expect(await shop.collections()).toHaveLength(1)
  })

  it('lets a later reversal take it out of the books, although its receiver is still unknown', async () => {
    const report = await keep()
    const [row] = await stored()
    await assign(row!.id)
    expect(await shop.ingest(report)).toEqual(['known'])
    expect(await shop.ingest({ ...report, status: 'reversed' })).toEqual(['reversed'])
    expect(await shop.collections()).toMatchObject([{ status: 'reversed' }])
  })
})

describe('a receiver that gets an account', () => {
  it('brings all its earlier money of that currency with it', async () => {
    const first = await keep()
    const second = shop.paymentReport({ receiver: first.receiver })
    const other_currency = shop.paymentReport({ receiver: first.receiver, currency: 'UGX' })
    const elsewhere = shop.paymentReport({
      receiver: first.receiver,
      network: { slug: 'other', code: 'other', name: 'Other' },
    })
    await shop.ingest(second, other_currency, elsewhere)
    const account = await openWalletAt(first.receiver)
    await runJob()
    expect((await shop.collections()).map((row) => [row.remote_transaction_id, row.account])).toEqual([
      [first.remote_id, account],
      [second.remote_id, account],
    ])
    const waiting = (await stored()).filter(({ state }) => state === 'unassigned')
    expect(waiting.map(({ remote_transaction_id }) => remote_transaction_id).sort()).toEqual(
      [other_currency.remote_id, elsewhere.remote_id].sort(),
    )
  })

  it('gets its money also when the network repeats the report first', async () => {
    const report = await keep()
    const account = await openWalletAt(report.receiver)
    expect(await shop.ingest(report)).toEqual(['recorded'])
    await runJob()
    expect(await shop.collections()).toMatchObject([{ account }])
    expect(await stored()).toMatchObject([{ state: 'assigned', account, assigned_by: null }])
  })

  it('gets money that was stored while the receiver was assigned', async () => {
    tills += 1
    const receiver = `till-${tills}`
    const report = shop.paymentReport({ receiver })
    let account = 0
    await begin(shop.db, async (tx) => {
      expect(await ingestIncomingPayments(tx, shop.now(), [report])).toEqual(['unassigned'])
      account = await openWalletAt(receiver)
    })
    await runJob()
    expect(await shop.collections()).toEqual([])
    shop.testApp.clock.advance(60)
    await runJob()
    expect(await shop.collections()).toMatchObject([{ account }])
  })
})

describe('two transactions at once', () => {
  const ingestAgain = (report: IncomingPaymentReport) =>
    applyInBatch(
      [report],
      (reports) => begin(shop.db, async (tx) => void (await ingestIncomingPayments(tx, shop.now(), reports))),
      shop.testApp.app.log,
    )
  const assignIn = async (payment: number) => {
    const account = (await shop.wallet()).id
    return async (tx: Tx) => void (await assignPayment(tx, shop.now(), [NETWORK], { payment, account, by }))
  }

  it('assign it once', async () => {
    await keep()
    const [row] = await stored()
    const results = await Promise.allSettled([assign(row!.id), assign(row!.id), assign(row!.id)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await shop.collections()).toHaveLength(1)
  })

  it('that store it keep one row', async () => {
    tills += 1
    const report = shop.paymentReport({ receiver: `till-${tills}` })
    await Promise.all([ingestAgain(report), ingestAgain(report), ingestAgain(report)])
    expect(await stored()).toHaveLength(1)
  })

  it('that assign and reverse it leave no money, whichever comes first', async () => {
    const report = await keep()
    const [row] = await stored()
    await connections
      .runWhileHeld(await assignIn(row!.id), (tx) =>
        ingestIncomingPayments(tx, shop.now(), [{ ...report, status: 'reversed' }]).catch(() => undefined),
      )
      .catch(() => undefined)
    await ingestAgain({ ...report, status: 'reversed' })
    expect(await shop.collections()).toMatchObject([{ status: 'reversed' }])

    const second = await keep()
    const other = (await stored()).at(-1)!
    const reversed = { ...second, status: 'reversed' as const }
    const assigned = connections.runWhileHeld(
      async (tx) => void (await ingestIncomingPayments(tx, shop.now(), [reversed])),
      await assignIn(other.id),
    )
    await expect(assigned).rejects.toThrow('The network has taken this money back.')
    expect(await shop.collections()).toHaveLength(1)
  })
})

describe('erasing the person who paid', () => {
  it('erases the number from money that was assigned or taken back, and keeps what still waits', async () => {
    const taken_back = await keep()
    await shop.ingest({ ...taken_back, status: 'reversed' })
    await keep({ reference: 'for Grace' })
    const [, row] = await stored()
    const collection = await assign(row!.id)
    await keep()
    await begin(shop.db, (tx) => eraseContact(tx, shop.now(), collection.contact.id, { author: 1, lease_end: null }))
    const replacement = `erased-${collection.contact.id}`
    expect((await stored()).map(({ phonenumber, reference }) => [phonenumber, reference])).toEqual([
      [replacement, null],
      [replacement, null],
      [PHONE, null],
    ])
  })
})
