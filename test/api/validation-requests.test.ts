import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callDriver } from '../../src/connections/tools/call-driver.ts'
import { listAcceptanceChecks } from '../../src/core/collections/acceptance-checks.ts'
import { removeAcceptanceUrl, setAcceptanceUrl } from '../../src/core/collections/acceptance-urls.ts'
import { setMatchingSettings } from '../../src/core/matching/settings.ts'
import { begin } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { callRaw, openTestService, type TestService } from '../interface/test-service.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { eventually } from '../test-app.ts'

let service: TestService
let receiver: Receiver
let till: string
let answer = 'ACCEPT 1'

beforeAll(async () => {
  service = await openTestService()
  const [row] = await service.testApp.db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${service.organization} and a.currency = 'BXC'`
  till = row!.number
  receiver = await openReceiver((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(answer)
  })
})
beforeEach(() => {
  receiver.received.length = 0
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

const setUrl = () =>
  begin(service.testApp.db, (tx) =>
    setAcceptanceUrl(tx, service.testApp.clock.now(), {
      organization: service.organization,
      when_unreachable: 'reject',
      timeout_s: 60,
      url: `${receiver.url}/?skip-cert-verify`,
    }),
  )

/** A customer sends an unrequested payment. Resolves when the simulated network has accepted or refused it. */
async function pay(phonenumber: string, reference?: string, needs_validation = true): Promise<string> {
  const simulator = service.testApp.app.simulator!
  const amount = parseAmount('70')!
  const { remote_id } = await simulator.pay({
    phonenumber,
    amount,
    currency: 'BXC',
    receiver: till,
    reference,
    needs_validation,
  })
  service.testApp.app.wake()
  const { db } = service.testApp
  await eventually('the network to decide', async () => {
    const offers = await db`select from simulator_validation_requests where remote_id = ${remote_id}`
    return offers.length === 0 ? true : undefined
  })
  return remote_id
}

async function collectionOf(remote_id: string) {
  return (await service.shop.get(`/api/collections?remote_transaction_id=${remote_id}`)).body.results[0]
}

/** Send a validation request as the simulated network does. */
function sendValidation(offer: object, options: { network?: string; secret?: string } = {}) {
  const body = JSON.stringify({ event: 'payment.offered', offer })
  const secret = options.secret ?? service.testApp.app.deriveSecret('sandbox network')
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-sandbox-signature': signature }
  return callRaw(service.url, 'POST', `/api/callbacks/${options.network ?? 'sandbox'}/validation`, { headers, body })
}

const OFFER = { remote_id: 'OFFER1', phonenumber: '+80000000061', amount: '70', currency: 'BXC', reference: null }

describe('an unrequested payment', () => {
  it('is accepted at once without an acceptance URL', async () => {
    const remote_id = await pay('+80000000061')
    const collection = await eventually('the collection', () => collectionOf(remote_id))
    expect(collection).toMatchObject({ status: 'successful', collection_request: null })
    expect(receiver.received).toEqual([])
  })

  it('is checked once, before the network accepts it, and is credited when it arrives', async () => {
    await setUrl()
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
    const [check] = await listAcceptanceChecks(service.testApp.db, { organization: service.organization }, 1)
    expect(check).toMatchObject({ verdict: 'accept', collection: collection.id })
  })

  it('is never paid when the organization refuses it', async () => {
    await setUrl()
    answer = 'REJECT 1 We are closed.'
    const remote_id = await pay('+80000000063')
    const { app } = service.testApp
    const found = await callDriver(app, app.connections.list()[0]!, 'transaction', { remote_id })
    expect(found).toEqual({ outcome: 'not_found' })
    expect(await collectionOf(remote_id)).toBe(undefined)
  })

  it('fails when the network accepted it without asking and the organization refuses it', async () => {
    await setUrl()
    answer = 'REJECT 1 We are closed.'
    const remote_id = await pay('+80000000064', 'rent', false)
    const collection = await eventually('the verdict', async () => {
      const found = await collectionOf(remote_id)
      return found && found.status !== 'pending' ? found : undefined
    })
    expect(collection).toMatchObject({ status: 'failed', transaction: null, collection_request: null })
    const { body } = await service.shop.get('/api/events?type=collection.received&limit=1')
    expect(body.results[0]?.data.id).not.toBe(collection.id)
  })

  it('that matches a request fulfils it without an acceptance check', async () => {
    await setUrl()
    answer = 'REJECT 1 no'
    const request = await service.createRequest({ phonenumber: '+80004000109', amount: '70' })
    await pay('+80004000109')
    expect(await service.advanceUntilStatus(request.id, 'successful')).toMatchObject({ status: 'successful' })
    expect(receiver.received).toEqual([])
  })
})

describe('an organization that knows its numbers', () => {
  const setRule = (unknown_number: 'accept' | 'reject') =>
    begin(service.testApp.db, (tx) =>
      setMatchingSettings(tx, service.testApp.clock.now(), service.organization, { unknown_number }),
    )

  it('accepts known numbers without being asked, and rejects unknown ones if it wants that', async () => {
    await setUrl()
    answer = 'REJECT 1 We are closed.'
    const { body: customer } = await service.shop.post('/api/contacts', {
      number: 'STU-0042',
      first_name: 'Betty',
      last_name: 'Nakato',
    })
    expect(customer.number).toBe('STU-0042')
    const offer = (reference: string, remote_id: string) =>
      sendValidation({ ...OFFER, receiver: till, reference, remote_id }).then(({ body }) => body)
    expect(await offer('stu 42', 'KNOWN1')).toEqual({ verdict: 'accept', reason: null })
    expect(receiver.received).toEqual([])
    expect(await offer('stu 43', 'UNKNOWN1')).toEqual({ verdict: 'reject', reason: 'We are closed.' })
    await setRule('reject')
    receiver.received.length = 0
    expect(await offer('stu 44', 'UNKNOWN2')).toEqual({ verdict: 'reject', reason: 'This number is not known.' })
    expect(receiver.received).toEqual([])
    await setRule('accept')
  })
})

describe('POST /api/callbacks/:network/validation', () => {
  it('has the response format of the network', async () => {
    await setUrl()
    answer = 'REJECT 1 We are closed.'
    const refused = await sendValidation({ ...OFFER, receiver: till })
    expect([refused.status, refused.body]).toEqual([200, { verdict: 'reject', reason: 'We are closed.' }])
    answer = 'ACCEPT 1'
    const again = await sendValidation({ ...OFFER, receiver: till })
    expect(again.body).toEqual(refused.body)
    expect(receiver.received).toHaveLength(1)
    const other = await sendValidation({ ...OFFER, receiver: till, remote_id: 'OFFER2' })
    expect(other.body).toEqual({ verdict: 'accept', reason: null })
  })

  it('keeps a payment in suspense that arrives after it was refused', async () => {
    await setUrl()
    answer = 'REJECT 1 no'
    const offer = { ...OFFER, remote_id: 'OFFER3', receiver: till }
    expect((await sendValidation(offer)).body).toMatchObject({ verdict: 'reject' })
    const transaction = { ...offer, status: 'successful', order_reference: null, name: null }
    const body = JSON.stringify({
      event: 'payment.received',
      transaction: { ...transaction, paid_at: service.testApp.clock.now().toISOString() },
    })
    const secret = service.testApp.app.deriveSecret('sandbox network')
    const headers = { 'x-sandbox-signature': createHmac('sha256', secret).update(body).digest('hex') }
    await callRaw(service.url, 'POST', '/api/callbacks/sandbox', { headers, body })
    const collection = await eventually('the collection', () => collectionOf('OFFER3'))
    expect(collection).toMatchObject({ status: 'failed', transaction: null })
  })

  it('refuses a payment for an unknown receiver', async () => {
    const { body } = await sendValidation({ ...OFFER, remote_id: 'OFFER4', receiver: 'unknown' })
    expect(body).toMatchObject({ verdict: 'reject', reason: 'This receiver number belongs to no account.' })
  })

  it('refuses unsigned requests and unknown networks', async () => {
    const forged = await sendValidation({ ...OFFER, remote_id: 'OFFER5', receiver: till }, { secret: 'guessed' })
    expect([forged.status, forged.body]).toEqual([
      400,
      { detail: 'This is not a valid validation request of the network.' },
    ])
    expect((await sendValidation({ ...OFFER, receiver: till }, { network: 'other' })).status).toBe(404)
    expect((await callRaw(service.url, 'GET', '/api/callbacks/sandbox/validation')).status).toBe(405)
    await begin(service.testApp.db, (tx) => removeAcceptanceUrl(tx, service.organization))
  })
})
