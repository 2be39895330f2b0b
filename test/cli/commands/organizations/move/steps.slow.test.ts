import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveOrganization, undoMove } from '../../../../../src/cli/commands/organizations/move/steps.ts'
import { readFigures } from '../../../../../src/core/cells/move-rows.ts'
import { checkRequestCounts } from '../../../../../src/core/collections/request-counts.ts'
import { setFee } from '../../../../../src/core/ledger/fees.ts'
import { readMove } from '../../../../../src/core/moves.ts'
import { begin } from '../../../../../src/db/client.ts'
import { REQUIRED_FIELDS } from '../../../../interface/test-service.ts'
import { openReceiver, type Receiver } from '../../../../receiver.ts'
import { createApiClient, eventually } from '../../../../test-app.ts'
import { CELL, NUMBER, openTwoCells, type TwoCells } from './two-cells.ts'

/* An organization moves between two cells with their own databases, while money comes. */

const STEPS = ['copy', 'hold', 'changes', 'verify', 'redirect', 'release'] as const
const AIRTIME_FEE = {
  kind: 'airtime',
  currency: 'BXC',
  network: null,
  fixed: 10_000n,
  percent: 0n,
  min_fee: 0n,
  max_fee: null,
} as const
const SAME_KEY = { zero: 'a'.repeat(64), three: 'a'.repeat(64) }

let cells: TwoCells
let receiver: Receiver
let organization: number
const ask = (fields = {}) => ({ ...REQUIRED_FIELDS, ...fields })
const sides = () => [cells.zero.testApp.app, cells.three.testApp.app, organization] as const

class Killed extends Error {}

/** Run a move that ends before this work, as if its process were killed. */
async function killBefore(step: (typeof STEPS)[number]): Promise<void> {
  const run = moveOrganization(...sides(), (says) => {
    if (says === step) throw new Killed()
  })
  await expect(run).rejects.toThrow(Killed)
}

const figuresOf = ({ testApp }: TwoCells['zero']) => begin(testApp.db, (tx) => readFigures(tx, organization, []))

async function booksOf({ testApp }: TwoCells['zero']) {
  const [sums] = await testApp.db<{ accounts: number; balance: bigint; transfers: number; sum: bigint }[]>`
    select count(*) as accounts, sum(balance) as balance,
      (select count(*) from transfers t join accounts f on f.id = t.from_account where f.organization = ${organization}) as transfers,
      (select sum(amount) from transfers t join accounts f on f.id = t.from_account where f.organization = ${organization}) as sum
    from accounts where organization = ${organization}`
  return sums!
}

/** The faults of the kept counts of requests, in both cells. */
async function countFaults(): Promise<string[]> {
  return [...(await checkRequestCounts(cells.zero.testApp.db)), ...(await checkRequestCounts(cells.three.testApp.db))]
}

async function countFences({ testApp }: TwoCells['zero']): Promise<number> {
  const [found] = await testApp.db<{ count: number }[]>`
    select count(*) from pg_trigger where tgparentid = 0
      and tgname in (${`moving_${organization}`}, ${`moving_${organization}_deleted`})`
  return found!.count
}

beforeAll(async () => {
  receiver = await openReceiver()
  cells = await openTwoCells(SAME_KEY)
  organization = cells.zero.otherShop.organization
  await cells.addWebhook('collection.received', `${receiver.url}/hook?skip-cert-verify`)
})
afterAll(async () => {
  await cells?.close()
  await receiver?.close()
})

/** Wait until the network has taken the order of a request. */
async function untilSent(request: number): Promise<void> {
  await eventually('the order to be sent', async () => {
    const sent = await cells.zero.testApp.db`
      select 1 from network_orders where collection_request = ${request} and answered is not null`
    return sent.length > 0 || undefined
  })
}

/** Let customers pay between the first copy and the hold. The money is booked in the old cell. @returns how many collections there are */
async function settleAll(): Promise<number> {
  const { zero } = cells
  await eventually('all requests to be paid', async () => {
    zero.advance(30)
    const left = await zero.testApp.db`select 1 from open_collection_requests where organization = ${organization}`
    return left.length === 0 || undefined
  })
  const early = await zero.testApp.db`select 1 from collections where organization = ${organization}`
  expect(early.length).toBeGreaterThan(2)
  return early.length
}

/** Make requests whose orders the network has taken. */
async function openRequests(): Promise<{ id: number }[]> {
  const open: { id: number }[] = []
  for (let count = 0; count < 3; count += 1)
    open.push((await cells.zero.otherShop.post('/api/collectionrequests', ask())).body)
  for (const { id } of open) await untilSent(id)
  return open
}

/** Schedule a payment for the next day. */
async function schedulePayment(): Promise<{ id: number }> {
  const { otherShop, testApp } = cells.zero
  const made = await otherShop.post('/api/payments', {
    phonenumber: '+80000000003',
    amount: '100',
    currency: 'BXC',
    description: 'Wages',
    start_date: new Date(testApp.clock.now().getTime() + 86_400_000).toISOString(),
  })
  expect(made.status).toBe(201)
  return made.body
}

/** Wait until the new cell has heard that it knows a key, which it refused before as one of the other cell. */
async function untilKnown(shop: ReturnType<typeof createApiClient>): Promise<void> {
  await eventually('the new cell to know the key', async () => {
    const { status } = await shop.get('/api/accounts')
    return status === 503 || undefined
  })
}

/** The old cell leads on who opens a page. */
async function expectLedOn(page: string): Promise<void> {
  const { zero, three } = cells
  const led = await fetch(zero.url + page, { redirect: 'manual' })
  expect([led.status, led.headers.get('location')]).toEqual([307, `${page}?cell=3`])
  expect((await fetch(`${zero.url}${page}?cell=3`)).status).toBe(421)
  expect((await fetch(three.url + page)).status).toBe(200)
}

/** Nothing is left of a move that was undone. */
async function expectUndone(): Promise<void> {
  const { zero, three } = cells
  expect([await countFences(zero), await countFences(three)]).toEqual([0, 0])
  expect(await readMove(three.testApp.db, organization)).toBeUndefined()
  expect(await countFaults()).toEqual([])
  const left = Object.entries(await figuresOf(three)).filter(([, { rows }]) => rows > 0)
  expect(left).toEqual([])
  expect(await three.testApp.db`select 1 from users where email = 'owner@second.example'`).toEqual([])
  expect(await three.testApp.db`select 1 from users where email like 'moving-%'`).toEqual([])
}

describe('a move', () => {
  it('lets the organization work on while it is copied, and nobody use the copy', async () => {
    const { zero, three } = cells
    const before = await zero.otherShop.post('/api/collectionrequests', ask())
    await untilSent(before.body.id)
    await killBefore('hold')
    const made = await zero.otherShop.post('/api/collectionrequests', ask())
    expect(made.status).toBe(201)
    await untilSent(made.body.id)
    const copied = await three.testApp.db`select 1 from collection_requests where organization = ${organization}`
    expect(copied.length).toBeGreaterThan(0)
    // Neither program nor person gets in, and no job finds anything to do.
    expect((await createApiClient(three.url, zero.otherShop.key).get('/api/accounts')).status).toBe(421)
    const people = await three.testApp.db`
      select 1 from users where email = 'owner@second.example' or (email like 'moving-%' and password_hash is not null)`
    expect(people).toEqual([])
    expect(await three.testApp.db`select 1 from memberships where organization = ${organization}`).toEqual([])
    const due = await three.testApp.db`
      select 1 from network_orders where organization = ${organization} and due_at is not null and leased_until < '9999-12-31'
      union all select 1 from open_collection_requests where organization = ${organization} and leased_until is distinct from '9999-12-31'
      union all select 1 from webhooks where organization = ${organization} and leased_until is distinct from '9999-12-31'`
    expect(due).toEqual([])
    expect(await countFences(zero)).toBe(0)
    const change = three.testApp.db`update contacts set first_name = 'Other' where organization = ${organization}`
    await expect(change).rejects.toMatchObject({ code: 'KM001' })
    const books = await booksOf(zero)
    await undoMove(...sides(), () => {})
    expect(await booksOf(zero)).toEqual(books)
    await expectUndone()
  })

  it('goes back before its redirection from every step, and leaves all as it was', async () => {
    const { zero, three } = cells
    const made = await zero.otherShop.post('/api/collectionrequests', ask())
    expect(made.status).toBe(201)
    await untilSent(made.body.id)
    await begin(zero.testApp.db, (tx) => setFee(tx, zero.testApp.clock.now(), { organization, ...AIRTIME_FEE }))
    const before = await booksOf(zero)
    for (const step of ['changes', 'verify', 'redirect'] as const) {
      await killBefore(step)
      expect(await countFences(zero)).toBeGreaterThan(50)
      const refused = await zero.otherShop.post('/api/collectionrequests', ask())
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('30')
      const deletion = zero.testApp.db`delete from fees where organization = ${organization}`
      await expect(deletion).rejects.toMatchObject({ code: 'KM001' })
      expect((await zero.otherShop.get('/api/accounts')).status).toBe(200)
      // Others work on in both cells.
      await zero.createRequest()
      await three.createRequest()
      await undoMove(...sides(), () => {})
      expect(await booksOf(zero)).toEqual(before)
      await expectUndone()
    }
    expect((await zero.otherShop.post('/api/collectionrequests', ask())).status).toBe(201)
  })

  it('goes on after it was killed before each step, and money that comes meanwhile is booked once', async () => {
    const { zero, three } = cells
    const scheduled = await schedulePayment()
    const link = await zero.otherShop.post('/api/paymentlinks', { title: 'Fees', currency: 'BXC', amount: '1500' })
    await killBefore('hold')
    const early = await settleAll()
    const open = await openRequests()

    await killBefore('changes')
    const books = await booksOf(zero)
    // The customers pay now, while both cells refuse to book it.
    zero.advance(30)
    await eventually('the callbacks of the network to wait', async () => {
      const rows = await zero.testApp.db`select 1 from callbacks where state = 'waiting'`
      return rows.length >= open.length || undefined
    })
    expect(await booksOf(zero)).toEqual(books)
    for (const step of ['verify', 'redirect', 'release'] as const) await killBefore(step)

    // Past the redirection there is only one way.
    await expect(undoMove(...sides(), () => {})).rejects.toThrow('It belongs to cell 3 now.')
    const here = await figuresOf(zero)
    expect(await zero.otherShop.get('/api/accounts')).toMatchObject({ status: 421, body: { cell: CELL } })
    const shop = createApiClient(three.url, zero.otherShop.key)
    await untilKnown(shop)

    await finishMove()

    // The same key, the same ids, the same money in the new cell.
    expect((await shop.get('/api/accounts')).body.results[0].id).toBe(zero.otherShop.account)
    expect((await shop.get(`/api/payments/${scheduled.id}`)).body).toMatchObject({ id: scheduled.id })
    expect(here.transfers!.rows).toBe(books.transfers)

    zero.advance(10)
    three.testApp.app.wake()
    for (const { id } of open)
      await eventually(`request ${id} to be paid`, async () => {
        zero.advance(5)
        const { body } = await shop.get(`/api/collectionrequests/${id}`)
        return body.status === 'successful' || undefined
      })
    expect(await countFaults()).toEqual([])
    expect((await booksOf(three)).transfers).toBe(books.transfers + open.length)
    await expectBookedOnce(early + open.length)
    await expectLedOn(new URL(link.body.url).pathname)
  })

  it('sends every event to the webhooks that follow it', async () => {
    const { three } = cells
    const events = await three.testApp.db<{ id: number }[]>`
      select id from events where organization = ${organization} and type = 'collection.received' order by id`
    expect(events.length).toBeGreaterThan(0)
    await eventually('all events to arrive', async () => {
      three.testApp.app.wake()
      return receiver.received.length >= events.length || undefined
    })
  })

  it('takes unrequested money to its number once, also when the old cell passes its callback on twice', async () => {
    const { zero, three } = cells
    const countCollections = async () => {
      const [found] = await three.testApp.db<{ count: number }[]>`
        select count(*) from collections where organization = ${organization}`
      return found!.count
    }
    const before = await countCollections()
    await zero.testApp.app.simulator!.pay({
      phonenumber: '+80000000003',
      receiver: NUMBER,
      amount: 5_000_000n,
      currency: 'BXC',
      reference: 'gift',
    })
    await eventually('the money to be booked in the new cell', async () => {
      zero.advance(5)
      return (await countCollections()) === before + 1 || undefined
    })
    const [passed] = await zero.testApp.db<{ id: number }[]>`
      update callbacks set state = 'waiting', ended = null, due_at = ${zero.testApp.clock.now()}
      where id = (select max(id) from callbacks where note like 'Passed on%') returning id`
    await eventually('the callback to be passed on again', async () => {
      zero.testApp.app.wake()
      const found = await zero.testApp.db`select 1 from callbacks where id = ${passed!.id} and state = 'settled'`
      return found.length > 0 || undefined
    })
    const taken = await three.testApp.db`select 1 from callbacks where id = ${passed!.id}`
    expect(taken).toHaveLength(1)
    expect(await countCollections()).toBe(before + 1)
    expect(await zero.testApp.db`select 1 from unassigned_payments`).toEqual([])
  })

  it('leaves an audit trail in both cells', async () => {
    const { zero, three } = cells
    const actions = async ({ testApp }: TwoCells['zero']) =>
      (
        await testApp.db<{ action: string }[]>`
          select action from audit_log where organization = ${organization} and action like '% organization' order by id`
      ).map(({ action }) => action)
    expect(new Set(await actions(zero))).toEqual(new Set(['move organization', 'redirect organization']))
    expect(await actions(three)).toContain('receive organization')
    expect(await actions(three)).toContain('move organization')
  })
})

/** Run the last steps of the move, past its redirection. */
async function finishMove(): Promise<void> {
  const { zero, three } = cells
  const says: string[] = []
  const move = await moveOrganization(...sides(), (one) => void says.push(one))
  expect(says).toEqual(['release', 'moved'])
  expect(move.figures.seconds!.refused).toBeGreaterThan(0)
  expect(move.step).toBe('moved')
  expect(Object.keys(move.figures.tables!).length).toBeGreaterThan(80)
  expect([await countFences(zero), await countFences(three)]).toEqual([0, 0])
  expect((await booksOf(zero)).transfers).toBe(0)
  expect(await countFaults()).toEqual([])
}

/** The new cell has booked what was paid for this number of requests once, and the old cell keeps none of it. */
async function expectBookedOnce(count: number): Promise<void> {
  const { zero, three } = cells
  const [collections] = await three.testApp.db<{ count: number; sum: bigint }[]>`
    select count(*), sum(amount) from collections where organization = ${organization}`
  expect(collections).toEqual({ count, sum: BigInt(count) * 15_000_000n })
  const [wallet] = await three.testApp.db<{ balance: bigint }[]>`
    select balance from accounts where id = ${zero.otherShop.account}`
  const [paid] = await zero.testApp.db<{ sum: bigint }[]>`
    select sum(amount) from simulator_transactions where receiver = ${NUMBER}`
  expect(paid!.sum).toBe(collections!.sum)
  expect(wallet!.balance).toBe(10_000_000n - 1_000_000n + collections!.sum)
  expect(await zero.testApp.db`select 1 from unassigned_payments`).toEqual([])
}
