import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changePaymentLink, findPaymentLink } from '../../../src/core/checkout/payment-links.ts'
import { startVisit } from '../../../src/core/checkout/visits.ts'
import { cancelRequest } from '../../../src/core/collections/actions.ts'
import { requestsById } from '../../../src/core/collections/requests.ts'
import { readOutcome } from '../../../src/core/follow-ups/outcomes.ts'
import { remindCustomer } from '../../../src/core/follow-ups/reminders.ts'
import { retryRequest } from '../../../src/core/follow-ups/retries.ts'
import { sendPaymentLink } from '../../../src/core/follow-ups/sent-links.ts'
import { setFee } from '../../../src/core/ledger/fees.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { endOfQuietHours, readQuietHours, withQuietHours } from '../../../src/core/sms/country-rules.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { answer, chargeConnections, dispatch, sendOrder } from '../charges.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

let shop: Shop
let author: number

beforeAll(async () => {
  shop = await openShop()
  author = shop.requestInput().author
})
afterAll(() => shop.close())

const limits = { max_per_request: 3, interval_minutes: 10, quiet_hours: null }
const NOT_REACHED = { outcome: 'failed', reason: 'unreachable', message: 'Phone is off' } as const
const REFUSED = { outcome: 'failed', reason: 'cancelled', message: 'Cancelled By User' } as const

let customers = 0
const nextPhone = () => {
  customers += 1
  return `+8000004${String(customers).padStart(4, '0')}`
}
const create = async () => (await shop.createRequest({ phonenumber: nextPhone() })).id
const remind = (request: number) =>
  begin(shop.db, (tx) =>
    remindCustomer(tx, shop.now(), { request, author, comment: '', limits, connections: chargeConnections() }),
  )
const retry = (tx: Tx, request: number) => {
  const network = { ...NETWORK, limits: { decimals: 2, min: amount('1'), max: amount('1000000') } }
  return retryRequest(tx, shop.now(), { request, author, comment: '', network })
}
const statesOf = async (request: number) => (await shop.orders(request)).map(({ state }) => state)
/** Return whether work was done or refused. Any other error is a bug. */
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (!(error instanceof Invalid)) throw error
      return 'refused'
    },
  )

/** A request whose first prompt did not reach the phone a minute ago. */
async function missed(): Promise<number> {
  const id = await create()
  await answer(shop, await sendOrder(shop, id), NOT_REACHED)
  shop.testApp.clock.advance(60)
  return id
}

describe('what came of a request', () => {
  it('is its money with fee and net, and how much can still be refunded', async () => {
    const { id, organization } = await shop.createRequest({ phonenumber: nextPhone() })
    const fee = { organization, kind: 'collection', currency: 'BXC', network: null, fixed: amount('10') } as const
    const none = { percent: 0n, min_fee: 0n, max_fee: null }
    await begin(shop.db, (tx) => setFee(tx, shop.now(), { ...fee, ...none }))
    await answer(shop, await sendOrder(shop, id), { outcome: 'successful', remote_id: 'TX77' })
    await shop.db`delete from fees`
    const request = (await requestsById(shop.db, [id])).get(id)!
    expect(await readOutcome(shop.db, shop.now(), request)).toEqual({
      money: {
        collection: request.collection,
        amount: amount('1500'),
        currency: 'BXC',
        left: amount('1500'),
        fee: amount('10'),
        net: amount('1490'),
        connection: NETWORK.slug,
        remote_transaction_id: 'TX77',
        is_stand_in: false,
      },
      reason: null,
      invoice: null,
      not_retryable: `Request ${id} is successful. Only failed and expired requests can be retried.`,
    })
  })

  it('is the reason of the network for a failed one, by its code', async () => {
    const id = await create()
    const read = async () => readOutcome(shop.db, shop.now(), (await requestsById(shop.db, [id])).get(id)!)
    const order = await sendOrder(shop, id)
    expect((await read()).reason).toBeNull()
    await answer(shop, order, REFUSED)
    expect(await read()).toMatchObject({ money: null, reason: 'cancelled', not_retryable: null })
  })
})

describe('the prompt after a reminder', () => {
  it('is begun when the network has said again that the first one failed', async () => {
    const id = await missed()
    expect(await remind(id)).toMatchObject({ kind: 'reminder', prompt: true })
    await dispatch(shop, id)
    expect(await statesOf(id)).toEqual(['failed'])
    const [order] = await shop.orders(id)
    expect(order!.due_at).toEqual(shop.now())
    await answer(shop, order!, NOT_REACHED, { source: 'status', asked_at: shop.now() })
    await Promise.all([dispatch(shop, id), dispatch(shop, id)])
    expect(await statesOf(id)).toEqual(['failed', 'new'])
  })

  it('is not begun when the customer has paid the first one', async () => {
    const id = await missed()
    await remind(id)
    await dispatch(shop, id)
    const [order] = await shop.orders(id)
    await answer(shop, order!, { outcome: 'successful' }, { source: 'status', asked_at: shop.now() })
    await dispatch(shop, id)
    expect([await statesOf(id), (await shop.request(id)).status]).toEqual([['successful'], 'successful'])
  })

  it('is not brought forward while the first one may be on the phone', async () => {
    const id = await create()
    const order = await sendOrder(shop, id)
    await answer(shop, order, { outcome: 'accepted', remote_id: `accepted ${id}` })
    expect(await remind(id)).toMatchObject({ prompt: false })
    await dispatch(shop, id)
    expect(await statesOf(id)).toEqual(['accepted'])
  })
})

describe('a retry', () => {
  it('never passes an order whose end is not known, whatever happens at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await create()
      const order = await sendOrder(shop, id)
      await begin(shop.db, (tx) => cancelRequest(tx, shop.now(), { request: id, by: { user: author, name: 'Jane' } }))
      const [retried] = await Promise.all([
        outcomeOf(begin(shop.db, (tx) => retry(tx, id))),
        answer(shop, order, { outcome: 'successful' }),
      ])
      expect(retried).toBe('refused')
      expect(await outcomeOf(begin(shop.db, (tx) => retry(tx, id)))).toBe('refused')
    }
  })

  it('and a payment over the link that was sent before exclude each other', async () => {
    const outcomes: string[] = []
    for (let round = 0; round < 6; round += 1) {
      const id = await create()
      await answer(shop, await sendOrder(shop, id), REFUSED)
      const input = { request: id, author, comment: '', limits, base_url: 'https://pay.example.com' }
      const link = await begin(shop.db, (tx) => sendPaymentLink(tx, shop.now(), input))
      const pay = () => begin(shop.db, (tx) => startVisit(tx, shop.now(), visitOf(link.id, `${id}`)))
      const closeAndRetry = () =>
        begin(shop.db, async (tx) => {
          const row = (await findPaymentLink(tx, shop.now(), link.id))!
          await changePaymentLink(tx, shop.now(), row, author, { state: 'closed' })
          return retry(tx, id)
        })
      const first = round % 2 === 0 ? pay() : undefined
      const retried = outcomeOf(closeAndRetry())
      const paid = (await (first ?? pay())) === 'started' ? 'paid' : 'closed'
      outcomes.push(`${paid}, ${await retried}`)
    }
    expect(outcomes.filter((one) => one !== 'paid, refused' && one !== 'closed, done')).toEqual([])
  })
})

/** A payment over a link, by another phone. */
function visitOf(link: number, form: string) {
  const phone = Buffer.from(`phone ${form}`)
  const request = shop.requestInput({ phonenumber: nextPhone() })
  const source = { phone, address: Buffer.from('address') }
  return { link, single_use: true, form, token: `token ${form}`, previous: null, source, request }
}

describe('quiet hours', () => {
  const rule = {
    country: 'UG',
    time_zone: 'Africa/Kampala',
    consent_required: false,
    is_set: false,
    quiet_from: null,
    quiet_until: null,
  }
  const night = readQuietHours('21:00-07:00')!

  it('are those of the setting, unless the country has some or an operator wants none', () => {
    // 22:30 in Kampala.
    const late = new Date('2030-01-15T19:30:00Z')
    expect(endOfQuietHours(withQuietHours(rule, night), late)).toEqual(new Date('2030-01-16T04:00:00Z'))
    expect(endOfQuietHours(withQuietHours(rule, null), late)).toBeUndefined()
    expect(endOfQuietHours(withQuietHours({ ...rule, is_set: true }, night), late)).toBeUndefined()
    const own = { ...rule, quiet_from: '20:00', quiet_until: '08:00' }
    expect(endOfQuietHours(withQuietHours(own, night), late)).toEqual(new Date('2030-01-16T05:00:00Z'))
  })

  it('are read only as two times of a day', () => {
    for (const wrong of ['none', '', '21:00', '21-07', '24:00-07:00', '21:00-21:00', '21:00-07:00-08:00'])
      expect(readQuietHours(wrong)).toBeUndefined()
  })
})
