import { afterAll, beforeAll, expect, it } from 'vitest'
import { assignPayment } from '../../src/core/collections/actions.ts'
import { assignReceiver, createAccount, listAccounts } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'
import { printFigure } from './figures.ts'
import { paymentReport, runEach, sendCallback, signatureOf } from './signed-callbacks.ts'

/*
 * Money for an unknown till: several operators assign it, the network repeats its reports and takes some money back,
 * and the till gets an account. All happens at the same time.
 */

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const PAYMENTS = 60
const TILL = '424242'
const isReversed = (index: number) => index % 3 === 0

it('is credited at most once, and never after it was taken back', async () => {
  const { testApp, organization, user } = service
  const { db, clock, app } = testApp
  const send = (index: number, status: string) => {
    const body = paymentReport(`LOST${index}`, TILL, { status })
    return sendCallback(service, body, signatureOf(service, body))
  }
  await runEach(PAYMENTS, 10, (index) => send(index, 'successful'))
  const waiting = await db<{ id: number }[]>`select id from unassigned_payments where state = 'unassigned' order by id`
  expect(waiting).toHaveLength(PAYMENTS)
  const account = (await listAccounts(db, organization)).find(({ currency }) => currency === 'BXC')!.id
  const by = { user: null, name: 'an operator' }
  const assign = (payment: number) =>
    begin(db, (tx) => assignPayment(tx, clock.now(), app.connections.list(), { payment, account, by })).then(
      () => 1,
      () => 0,
    )
  const openTill = () =>
    begin(db, async (tx) => {
      const wallet = { organization, currency: 'BXC', kind: 'local' as const, name: 'Found', author: user }
      const { id } = await createAccount(tx, clock.now(), wallet)
      await assignReceiver(tx, { connection: 'sandbox', number: TILL, account: id })
    })
  const outcomes = await runEach(PAYMENTS, 10, async (index) => {
    const { id } = waiting[index]!
    const [first, second] = await Promise.all([
      assign(id),
      assign(id),
      send(index, 'successful'),
      isReversed(index) ? send(index, 'reversed') : 200,
      index === PAYMENTS / 2 ? openTill() : undefined,
    ])
    return first + second
  })
  app.wake()
  service.advance(61)
  await eventually('all of it to be processed', async () => {
    const open = await db`
      select 1 from unassigned_payments where due_at is not null union all select 1 from callbacks where state <> 'settled'`
    return open.length === 0 || undefined
  })
  const [row] = await db<{ credited: number; reversed: number; wrong: number; waiting: number }[]>`
    select count(*) filter (where c.status = 'successful') as credited,
      count(*) filter (where c.status = 'reversed' or u.state = 'reversed') as reversed,
      count(*) filter (where (u.state = 'assigned') <> (c.id is not null)) as wrong,
      count(*) filter (where u.state = 'unassigned') as waiting
    from unassigned_payments u
    left join collections c on c.network = u.network and c.remote_transaction_id = u.remote_transaction_id`
  const reversed = Array.from({ length: PAYMENTS }, (_, index) => index).filter(isReversed).length
  printFigure(
    'unassigned-money',
    `${PAYMENTS} payments, each assigned twice and repeated at once: ${row!.credited} credited, ${row!.reversed} taken back, ${row!.wrong} wrong`,
  )
  expect(outcomes.filter((times) => times > 1)).toEqual([])
  expect(row).toEqual({ credited: PAYMENTS - reversed, reversed, wrong: 0, waiting: 0 })
  const double = await db`
    select reference from transfers where reference like 'collection:%' group by reference having count(*) > 1`
  expect(double).toEqual([])
})
