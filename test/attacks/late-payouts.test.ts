import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findInconsistencies } from '../../src/jobs/check-consistency.ts'
import { type Json, openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'
import { printFigure } from './figures.ts'

/*
 * A network that contradicts itself. It reports a failure and sends the money all the same, denies a payout that it has
 * received, and takes back parts. All goes over HTTP, with the service and its simulated network; then the data is
 * checked.
 */

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

interface Phone {
  state: string
  amount: string
  reversed_amount: string
  last_error: string | null
}
type Payment = Json & {
  state: string
  last_error: string | null
  phone_nos: Phone[]
  transactions: { amount: string }[]
}

async function balance(): Promise<number> {
  const { body } = await service.shop.get('/api/accounts')
  return body.results.find(({ currency }: { currency: string }) => currency === 'BXC').balance
}

async function pay(...phonenumbers: string[]): Promise<number> {
  const recipient_data = phonenumbers.map((phonenumber) => ({ phonenumber, amount: '1000' }))
  const { status, body } = await service.shop.post('/api/payments', {
    currency: 'BXC',
    description: 'Wages',
    recipient_data,
  })
  expect(status).toBe(201)
  return body.id
}

/** Advance the clock until what this address shows fits. */
function advanceUntil<T>(what: string, path: string, fits: (found: T) => boolean): Promise<T> {
  return eventually(what, async () => {
    const { body } = await service.shop.get(path)
    if (fits(body)) return body
    service.advance(1)
    return undefined
  })
}

const paymentThat = (id: number, what: string, fits: (payment: Payment) => boolean) =>
  advanceUntil<Payment>(`payment ${id} ${what}`, `/api/payments/${id}`, fits)

async function events(type: string, id: number): Promise<Record<string, unknown>[]> {
  await service.waitForFeed()
  const { body } = await service.shop.get(`/api/events?type=${type}&limit=1000&ordering=id`)
  return body.results.map(({ data }: { data: object }) => data).filter((data: { id: number }) => data.id === id)
}

describe('late payouts', () => {
  it('money that is sent after a failure is booked, announced and shown', async () => {
    const before = await balance()
    const id = await pay('+80000000111')
    await paymentThat(id, 'to fail', ({ state }) => state === 'processed_with_errors')
    expect(await balance()).toBe(before)
    const paid = await paymentThat(id, 'to be sent after all', ({ state }) => state === 'processed')
    expect(paid.phone_nos[0]).toMatchObject({
      state: 'complete',
      last_error: 'The network sent the money after it had reported a failure.',
    })
    expect(await balance()).toBe(before - 1_000)
    expect(paid.transactions.map(({ amount }) => amount)).toEqual(['-1000.0000', '1000.0000', '-1000.0000'])
    const states = (await events('payment.status.changed', id)).map(({ state }) => state)
    expect(states).toEqual(['validated', 'processed_with_errors', 'completed'])
    expect(await findInconsistencies(service.testApp.db)).toEqual([
      expect.stringContaining(`of payment ${id} (recipient`),
    ])
    await service.testApp.db`update late_payouts set reviewed = detected, reviewed_by = 'test'`
  })

  it('a payment of several recipients says so each time that money moves after its end', async () => {
    const before = await balance()
    const id = await pay('+80000000111', '+80000000001', '+80000000111')
    await paymentThat(id, 'to fail', ({ state }) => state === 'processed_with_errors')
    await paymentThat(
      id,
      'to be sent after all',
      ({ phone_nos }) => phone_nos.filter(({ state }) => state === 'complete').length === 2,
    )
    expect(await balance()).toBe(before - 2_000)
    const changes = await events('payment.status.changed', id)
    expect(new Set(changes.slice(1).map(({ state }) => state))).toEqual(new Set(['processed_with_errors']))
    expect(changes.at(-1)).toMatchObject({ last_error: 'The network sent the money after it had reported a failure.' })
    await service.testApp.db`update late_payouts set reviewed = detected, reviewed_by = 'test'`
  })

  it('a payout that the network does not know yet is not sent twice', async () => {
    const id = await pay('+80000000114')
    const waiting = await paymentThat(id, 'to be unknown', ({ phone_nos }) =>
      Boolean(phone_nos[0]?.last_error?.includes('does not know')),
    )
    expect(waiting.phone_nos[0]!.state).toBe('processing')
    await paymentThat(id, 'to arrive', ({ state }) => state === 'processed')
    const [row] = await service.testApp.db<{ times_received: number }[]>`
      select times_received from simulator_payouts where phonenumber = '+80000000114'`
    expect(row!.times_received).toBe(1)
    printFigure('late-payouts', `a payout that was unknown for ten seconds was sent ${row!.times_received} time`)
  })

  it('parts of a payout that come back add up, and the last reversal takes the rest', async () => {
    const before = await balance()
    const id = await pay('+80000000113')
    const seen: string[] = []
    await paymentThat(id, 'to come back', ({ phone_nos: [phone] }) => {
      if (phone!.reversed_amount !== seen.at(-1)) seen.push(phone!.reversed_amount)
      return phone!.state === 'error'
    })
    expect(seen).toEqual(['0.0000', '300.0000', '500.0000', '1000.0000'])
    expect(await balance()).toBe(before)
  })

  it('parts of a collection are taken from the wallet, and the request stays successful until nothing is left', async () => {
    const before = await balance()
    const { id } = await service.createRequest({ phonenumber: '+80000000113', amount: '1000', send_instructions: true })
    const request = await service.advanceUntilStatus(id, 'successful')
    const path = `/api/collections/${request.collection}`
    const seen: [string, string][] = []
    await advanceUntil<{ status: string; reversed_amount: string }>('the collection to come back', path, (found) => {
      if (found.reversed_amount !== seen.at(-1)?.[0]) seen.push([found.reversed_amount, found.status])
      return found.status === 'reversed'
    })
    expect(seen).toEqual([
      ['0.0000', 'successful'],
      ['300.0000', 'successful'],
      ['500.0000', 'successful'],
      ['1000.0000', 'reversed'],
    ])
    await service.waitForStatus(id, 'reversed')
    expect(await balance()).toBe(before)
    const told = await events('collection.reversed', Number(request.collection))
    expect(told.map(({ reversed_amount }) => reversed_amount)).toEqual(['300.0000', '500.0000', '1000.0000'])
  })

  it('leaves nothing inconsistent', async () => {
    const findings = await findInconsistencies(service.testApp.db)
    printFigure('late-payouts', `${findings.length} findings in the data afterwards`)
    expect(findings).toEqual([])
  })
})
