import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAcceptanceChecks } from '../../src/core/collections/acceptance-checks.ts'
import { removeAcceptanceUrl, setAcceptanceUrl } from '../../src/core/collections/acceptance-urls.ts'
import { begin } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { callRaw, openTestService, type TestService } from '../interface/test-service.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { eventually } from '../test-app.ts'

let market: TestService
let receiver: Receiver
let till: string
let answer = 'ACCEPT 1'

beforeAll(async () => {
  market = await openTestService()
  const [row] = await market.testApp.db<{ number: string }[]>`
    select r.number from receivers r join accounts a on a.id = r.account
    where a.organization = ${market.organization} and a.currency = 'BXC'`
  till = row!.number
  receiver = await openReceiver((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(answer)
  })
})
beforeEach(() => {
  receiver.received.length = 0
})
afterAll(async () => {
  await market.close()
  await receiver.close()
})

const setHook = () =>
  begin(market.testApp.db, (tx) =>
    setAcceptanceUrl(tx, market.testApp.clock.now(), {
      ...{ organization: market.organization, when_unreachable: 'reject', timeout_s: 60 },
      url: `${receiver.url}/?skip-cert-verify`,
    }),
  )

/** A customer sends money unasked; resolves when the simulated network has taken or refused it. */
async function pay(phonenumber: string, reference?: string, asks = true): Promise<string> {
  const simulator = market.testApp.app.simulator!
  const amount = parseAmount('70')!
  const { remote_id } = await simulator.pay({
    phonenumber,
    amount,
    currency: 'BXC',
    receiver: till,
    reference,
    needs_validation: asks,
  })
  market.testApp.app.wake()
  const { db } = market.testApp
  await eventually('the network to decide', async () => {
    const offers = await db`select from simulator_validation_requests where remote_id = ${remote_id}`
    return offers.length === 0 ? true : undefined
  })
  return remote_id
}

async function collectionOf(remote_id: string) {
  return (await market.shop.get(`/api/collections?remote_transaction_id=${remote_id}`)).body.results[0]
}

/** Asks as the simulated network does. */
function ask(offer: object, options: { network?: string; secret?: string } = {}) {
  const body = JSON.stringify({ event: 'payment.offered', offer })
  const secret = options.secret ?? market.testApp.app.deriveSecret('sandbox network')
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-sandbox-signature': signature }
  return callRaw(market.url, 'POST', `/api/callbacks/${options.network ?? 'sandbox'}/validation`, { headers, body })
}

const OFFER = { remote_id: 'OFFER1', phonenumber: '+80000000061', amount: '70', currency: 'BXC', reference: null }

describe('money that nobody asked for', () => {
  it('is taken by the network at once where no hook is set', async () => {
    const remote_id = await pay('+80000000061')
    const collection = await eventually('the collection', () => collectionOf(remote_id))
    expect(collection).toMatchObject({ status: 'successful', collection_request: null })
    expect(receiver.received).toEqual([])
  })

  it('is asked about once, before the network takes it, and is accepted when it comes', async () => {
    await setHook()
    answer = 'ACCEPT 1'
    const remote_id = await pay('+80000000062', 'rent')
    const collection = await eventually('the collection', () => collectionOf(remote_id))
    expect(collection).toMatchObject({ status: 'successful', reference: 'rent' })
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
      {
        remote_transaction_id: remote_id,
        phonenumber: '+80000000062',
        reference: 'rent',
        amount: '70.0000',
        currency_code: 'BXC',
      },
    ])
    const [question] = await listAcceptanceChecks(market.testApp.db, { organization: market.organization }, 1)
    expect(question).toMatchObject({ verdict: 'accept', collection: collection.id })
  })

  it('never moves when the organization refuses it', async () => {
    await setHook()
    answer = 'REJECT 1 We are closed.'
    const remote_id = await pay('+80000000063')
    const found = await market.testApp.app.networks[0]!.findTransaction!(remote_id)
    expect(found).toEqual({ outcome: 'not_found' })
    expect(await collectionOf(remote_id)).toBe(undefined)
  })

  it('fails when the network took it without asking and the organization refuses it', async () => {
    await setHook()
    answer = 'REJECT 1 We are closed.'
    const remote_id = await pay('+80000000064', 'rent', false)
    const collection = await eventually('the verdict', async () => {
      const found = await collectionOf(remote_id)
      return found && found.status !== 'pending' ? found : undefined
    })
    expect(collection).toMatchObject({ status: 'failed', transaction: null, collection_request: null })
    const { body } = await market.shop.get('/api/events?type=collection.received&limit=1')
    expect(body.results[0]?.data.id).not.toBe(collection.id)
  })

  it('fulfils a request without a question', async () => {
    await setHook()
    answer = 'REJECT 1 no'
    const request = await market.createRequest({ phonenumber: '+80004000109', amount: '70' })
    await pay('+80004000109')
    expect(await market.advanceUntilStatus(request.id, 'successful')).toMatchObject({ status: 'successful' })
    expect(receiver.received).toEqual([])
  })
})

describe('POST /api/callbacks/:network/validation', () => {
  it('answers in the words of the network', async () => {
    await setHook()
    answer = 'REJECT 1 We are closed.'
    const refused = await ask({ ...OFFER, receiver: till })
    expect([refused.status, refused.body]).toEqual([200, { verdict: 'reject', reason: 'We are closed.' }])
    answer = 'ACCEPT 1'
    const again = await ask({ ...OFFER, receiver: till })
    expect(again.body).toEqual(refused.body)
    expect(receiver.received).toHaveLength(1)
    const other = await ask({ ...OFFER, receiver: till, remote_id: 'OFFER2' })
    expect(other.body).toEqual({ verdict: 'accept', reason: null })
  })

  it('keeps money in suspense that comes although it was refused', async () => {
    await setHook()
    answer = 'REJECT 1 no'
    const offer = { ...OFFER, remote_id: 'OFFER3', receiver: till }
    expect((await ask(offer)).body).toMatchObject({ verdict: 'reject' })
    const transaction = { ...offer, status: 'successful', order_reference: null, name: null }
    const body = JSON.stringify({
      event: 'payment.received',
      transaction: { ...transaction, paid_at: market.testApp.clock.now().toISOString() },
    })
    const secret = market.testApp.app.deriveSecret('sandbox network')
    const headers = { 'x-sandbox-signature': createHmac('sha256', secret).update(body).digest('hex') }
    await callRaw(market.url, 'POST', '/api/callbacks/sandbox', { headers, body })
    const collection = await eventually('the collection', () => collectionOf('OFFER3'))
    expect(collection).toMatchObject({ status: 'failed', transaction: null })
  })

  it('refuses money for a receiver that is nobody’s', async () => {
    const { body } = await ask({ ...OFFER, remote_id: 'OFFER4', receiver: 'nobody' })
    expect(body).toMatchObject({ verdict: 'reject', reason: 'This receiver number belongs to no account.' })
  })

  it('answers nobody who is not the network, and knows no other network', async () => {
    const forged = await ask({ ...OFFER, remote_id: 'OFFER5', receiver: till }, { secret: 'guessed' })
    expect([forged.status, forged.body]).toEqual([400, { detail: 'This is no question that the network asks.' }])
    expect((await ask({ ...OFFER, receiver: till }, { network: 'other' })).status).toBe(404)
    expect((await callRaw(market.url, 'GET', '/api/callbacks/sandbox/validation')).status).toBe(405)
    await begin(market.testApp.db, (tx) => removeAcceptanceUrl(tx, market.organization))
  })
})
