import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChargeConnection } from '../../../src/core/collections/attempts.ts'
import type { NewCollectionRequest } from '../../../src/core/collections/requests.ts'
import {
  applySmsResults,
  type ClaimedSms,
  claimSms,
  listSms,
  nextDueSms,
  queueSms,
  retryFailedSms,
  retrySms,
  type SmsSendResult,
  smsSuffix,
} from '../../../src/core/collections/sms.ts'
import { Invalid, NotFound } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { answer, chargeConnections, dispatch } from '../charges.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

const SUFFIX = smsSuffix('Kusanya')
const LEASE_MS = 60_000

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => begin(shop.db, (tx) => tx`delete from sms_messages`))
afterAll(() => shop.close())

let customers = 0
/** The phone number of a new customer. */
function nextPhone(): string {
  customers += 1
  return `+800${String(20_000_000 + customers)}`
}

async function bodiesTo(phonenumber: string): Promise<string[]> {
  return (await listSms(shop.db, { phonenumber }, 10, SUFFIX)).map((sms) => sms.body)
}

/** Creates a request and pays it. Returns the SMS to its customer. */
async function createAndPay(changes: Partial<NewCollectionRequest>): Promise<string[]> {
  const request = await shop.createRequest({ phonenumber: nextPhone(), ...changes })
  const { phonenumber, currency } = request
  await shop.ingest(shop.paymentReport({ phonenumber, currency, amount: request.amount }))
  expect(await shop.history(request.id)).toEqual(['pending → successful'])
  return bodiesTo(phonenumber)
}

/** Creates a request whose order the network accepts. Returns also the SMS to its customer. */
async function prompt(changes: Partial<NewCollectionRequest>, connection: Partial<ChargeConnection> = {}) {
  const request = await shop.createRequest({ phonenumber: nextPhone(), ...changes })
  await dispatch(shop, request.id, chargeConnections(connection))
  const orders = await shop.orders(request.id)
  const network = { ...NETWORK, instructions: connection.instructions }
  for (const order of orders) await answer(shop, order, { outcome: 'accepted', remote_id: 'N1' }, { network })
  return { request, orders, bodies: await bodiesTo(request.phonenumber) }
}

describe('the SMS that confirms a payment', () => {
  it.each<[string, Partial<NewCollectionRequest>, string]>([
    ['says who has received it', {}, 'Your payment of BXC 1,500 to Demo Shop has arrived. Thank you.'],
    ['has the reason', { reason: 'Rent' }, 'Your payment of BXC 1,500 to Demo Shop for Rent has arrived. Thank you.'],
    [
      'shortens a long reason',
      { reason: 'School fees for the second term' },
      'Your payment of BXC 1,500 to Demo Shop for School fees for t... has arrived. Thank you.',
    ],
    ['is the success message of the request', { success_message: 'Asante sana! 🇰🇪' }, 'Asante sana! 🇰🇪'],
    ['fills in the amount', { success_message: 'We got {amount}.' }, 'We got BXC 1,500.'],
    [
      'fills in the exact amount and its currency',
      { success_message: '{amount}', amount: amount('1234567.5'), currency: 'UGX', phonenumber: '+256772000001' },
      'UGX 1,234,567.5',
    ],
    [
      'fills in the name',
      { success_message: 'Thank you {customer}', first_name: 'Grace', last_name: 'Akello' },
      'Thank you Grace Akello',
    ],
    [
      'fills in a single name without the default for the other one',
      { success_message: 'Thank you {customer}', first_name: 'Grace' },
      'Thank you Grace',
    ],
    [
      'fills in the phone number of a customer without a name',
      { success_message: 'Thank you {customer}', phonenumber: '+80029999999' },
      'Thank you +80029999999',
    ],
    [
      'does not read a name as a placeholder',
      { success_message: '{customer}: {amount}, {amount}', first_name: '{amount}', last_name: '$&' },
      '{amount} $&: BXC 1,500, BXC 1,500',
    ],
    ['does not change other braces', { success_message: '{reason} {Amount} {} {' }, '{reason} {Amount} {} {'],
    [
      'treats a blank message like none',
      { success_message: '  ' },
      'Your payment of BXC 1,500 to Demo Shop has arrived. Thank you.',
    ],
  ])('%s', async (_, changes, body) => {
    expect(await createAndPay({ send_instructions: true, ...changes })).toEqual([`${body} -Powered by Kusanya`])
  })

  it('is sent without send_instructions only if the request has a success message', async () => {
    const pay = (success_message: string) => createAndPay({ send_instructions: false, success_message })
    expect([await pay(''), await pay(' \n ')]).toEqual([[], []])
    expect(await pay('Thank you!')).toEqual(['Thank you! -Powered by Kusanya'])
  })

  it('is sent once per request, even if the network repeats its report', async () => {
    const request = await shop.createRequest({ phonenumber: nextPhone() })
    const report = shop.paymentReport({ phonenumber: request.phonenumber })
    await shop.ingest(report, report)
    await shop.ingest(report, { ...report, status: 'reversed' })
    expect(await bodiesTo(request.phonenumber)).toHaveLength(1)
  })

  it('goes to the customer of the request, also when another person pays', async () => {
    const request = await shop.createRequest({ phonenumber: nextPhone() })
    const payer = nextPhone()
    await shop.ingest(shop.paymentReport({ phonenumber: payer, order_reference: `KR${request.id}-1` }))
    expect(await bodiesTo(request.phonenumber)).toHaveLength(1)
    expect(await bodiesTo(payer)).toEqual([])
  })

  it('is not sent for an unmatched payment', async () => {
    const phonenumber = nextPhone()
    await shop.ingest(shop.paymentReport({ phonenumber }))
    expect(await bodiesTo(phonenumber)).toEqual([])
  })

  it('is not stored when the payment is rolled back', async () => {
    const { phonenumber, id } = await shop.createRequest({ phonenumber: nextPhone() })
    const receiveAndFail = begin(shop.db, async (tx) => {
      const sms = { organization: shop.organization, collection_request: id, purpose: 'success' as const, phonenumber }
      await queueSms(tx, shop.now(), [{ ...sms, body: 'Thank you.' }])
      throw new Error('no')
    })
    await expect(receiveAndFail).rejects.toThrow('no')
    expect(await bodiesTo(phonenumber)).toEqual([])
  })
})

describe('the SMS that tells how to pay', () => {
  const TEMPLATE = { instructions: 'Dial *165#, number {receiver}, {amount} to {organization}: {reason}' }

  it.each<[string, Partial<NewCollectionRequest>, Partial<ChargeConnection>, string[]]>([
    ['says which organization asks', {}, {}, ['Approve the request of BXC 1,500 from Demo Shop on your phone.']],
    [
      'contains the reason, shortened',
      { reason: '  Water bill of September 2030 ' },
      {},
      ['Approve the request of BXC 1,500 from Demo Shop for Water bill of Sep... on your phone.'],
    ],
    ['is the text of the request, unchanged', { instructions: 'Call us. {amount}' }, TEMPLATE, ['Call us. {amount}']],
    ['is not sent if the instructions are skip', { instructions: 'skip' }, TEMPLATE, []],
    ['is sent if the instructions only begin with skip', { instructions: 'Skip it' }, {}, ['Skip it']],
    ['is not sent without send_instructions', { send_instructions: false }, TEMPLATE, []],
    [
      'treats blank instructions like none',
      { instructions: ' ' },
      {},
      ['Approve the request of BXC 1,500 from Demo Shop on your phone.'],
    ],
    [
      'uses the template of the network',
      { reason: 'Rent' },
      TEMPLATE,
      ['Dial *165#, number RECEIVER, BXC 1,500 to Demo Shop: Rent'],
    ],
    [
      'uses the organization as the reason if there is none',
      {},
      TEMPLATE,
      ['Dial *165#, number RECEIVER, BXC 1,500 to Demo Shop: Demo Shop'],
    ],
  ])('%s', async (_, changes, traits, expected) => {
    const { bodies } = await prompt(changes, traits)
    expect(bodies).toEqual(expected.map((body) => body.replace('RECEIVER', shop.receiver()) + SUFFIX))
  })

  it('is sent once, even if the customer is prompted several times', async () => {
    const { request, orders } = await prompt({})
    for (const order of orders) await answer(shop, order, { outcome: 'accepted', remote_id: 'N2' })
    expect(await bodiesTo(request.phonenumber)).toHaveLength(1)
  })

  it('makes the request instructions_sent by itself if the network cannot prompt', async () => {
    const { request, orders, bodies } = await prompt({ reason: 'Rent' }, { can_prompt: false })
    expect(orders).toEqual([])
    expect(bodies).toEqual([
      `To pay BXC 1,500 to Demo Shop for Rent, send it to ${shop.receiver()} from your phone.${SUFFIX}`,
    ])
    expect(await shop.history(request.id)).toEqual([
      'pending → processing_started',
      'processing_started → instructions_sent',
    ])
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ status: 'instructions_sent', due_at: row.expiry_date })
  })

  it('leaves the request processing_started if there is neither a prompt nor an SMS', async () => {
    const { request, bodies } = await prompt({ instructions: 'skip' }, { can_prompt: false })
    expect(bodies).toEqual([])
    expect((await shop.request(request.id)).status).toBe('processing_started')
  })
})

describe('the outbox', () => {
  const queue = async (purpose: 'instructions' | 'success' = 'success', request = 1_000_000_000) => {
    const sms = { organization: shop.organization, collection_request: request, purpose, phonenumber: nextPhone() }
    await begin(shop.db, (tx) => queueSms(tx, shop.now(), [{ ...sms, body: 'Hello' }]))
  }
  const claim = (limit = 10, suffix = SUFFIX, lease_ms = LEASE_MS): Promise<ClaimedSms[]> => {
    const real = shop.testApp.clock.real()
    const times = { now: shop.now(), real, lease_end: new Date(real.getTime() + lease_ms) }
    return begin(shop.db, (tx) => claimSms(tx, times, limit, suffix))
  }
  const apply = (sms: ClaimedSms, result: SmsSendResult['result']) =>
    begin(shop.db, (tx) => applySmsResults(tx, shop.now(), [{ sms, sender: 'test', result }]))
  const newestSms = async () => (await listSms(shop.db, {}, 1, SUFFIX))[0]!
  const nextDue = () => nextDueSms(shop.db, shop.testApp.clock.real())

  it('gives each SMS to one process', async () => {
    for (const request of [1, 2, 3, 4, 5, 6]) await queue('success', 2_000_000_000 + request)
    const claimed = (await Promise.all([claim(4), claim(4), claim(4)])).flat()
    expect(new Set(claimed.map((sms) => sms.id)).size).toBe(6)
    expect(claimed).toHaveLength(6)
    expect(await claim()).toEqual([])
  })

  it('does not count a claimed SMS as due', async () => {
    await queue()
    expect(await nextDue()).toEqual(shop.now())
    await claim()
    expect(await nextDue()).toBeNull()
  })

  it('gives an SMS to another process when the lease of the first one has ended', async () => {
    await queue()
    const [first] = await claim(10, SUFFIX, 0)
    expect(await nextDue()).toEqual(shop.now())
    const [second] = await claim()
    expect(second).toEqual({ ...first, attempts: 2 })
  })

  it('stores when an SMS was sent, the sender and its id', async () => {
    await queue()
    const [sms] = await claim()
    expect(sms).toMatchObject({ body: `Hello${SUFFIX}`, attempts: 1, outdated: false })
    await apply(sms!, { outcome: 'sent', remote_id: 'ATX-1' })
    expect(await newestSms()).toMatchObject({
      state: 'sent',
      sender: 'test',
      remote_id: 'ATX-1',
      sent_at: shop.now(),
      due_at: null,
      last_error: null,
    })
  })

  it('sends again after 30 s, 2 min, 10 min, 1 h and 6 h, and then the SMS has failed', async () => {
    await queue()
    for (const wait_s of [30, 120, 600, 3_600, 21_600]) {
      const [sms] = await claim()
      await apply(sms!, { outcome: 'failed', message: 'busy', retry: true })
      expect(await newestSms()).toMatchObject({
        state: 'waiting',
        last_error: 'busy',
        due_at: new Date(shop.now().getTime() + wait_s * 1_000),
      })
      shop.testApp.clock.advance(wait_s - 1)
      expect(await claim()).toEqual([])
      shop.testApp.clock.advance(1)
    }
    const [sms] = await claim()
    await apply(sms!, { outcome: 'unknown', message: 'no answer' })
    expect(await newestSms()).toMatchObject({ state: 'failed', attempts: 6, due_at: null, last_error: 'no answer' })
    expect(await nextDue()).toBeNull()
  })

  it('sends again after an unknown outcome', async () => {
    await queue()
    const [sms] = await claim()
    await apply(sms!, { outcome: 'unknown', message: 'no answer' })
    expect(await newestSms()).toMatchObject({ state: 'waiting', last_error: 'no answer' })
  })

  it('does not send again after a final failure', async () => {
    await queue()
    const [sms] = await claim()
    await apply(sms!, { outcome: 'failed', message: 'no such number', retry: false })
    expect(await newestSms()).toMatchObject({ state: 'failed', attempts: 1, last_error: 'no such number' })
  })

  it('ignores a late result of an SMS that was sent', async () => {
    await queue()
    const [sms] = await claim()
    await apply(sms!, { outcome: 'sent' })
    await apply(sms!, { outcome: 'failed', message: 'too late', retry: true })
    expect(await newestSms()).toMatchObject({ state: 'sent', last_error: null })
  })

  it('keeps the same text in every attempt, even if the service is renamed in between', async () => {
    await queue()
    const [sms] = await claim()
    await apply(sms!, { outcome: 'unknown', message: 'no answer' })
    shop.testApp.clock.advance(30)
    const [again] = await claim(10, smsSuffix('Other'))
    expect(again!.body).toBe('Hello -Powered by Kusanya')
    expect((await listSms(shop.db, {}, 1, smsSuffix('Third')))[0]!.body).toBe(again!.body)
  })

  it('marks instructions as outdated when their request has ended', async () => {
    const { request } = await prompt({})
    await shop.ingest(shop.paymentReport({ phonenumber: request.phonenumber }))
    const claimed = await claim()
    const outdated = new Map(claimed.map((sms) => [sms.body.split(' ')[0], sms.outdated]))
    expect(outdated).toEqual(
      new Map([
        ['Approve', true],
        ['Your', false],
      ]),
    )
  })

  it('skips a second SMS of the same purpose for a request', async () => {
    await queue('success', 7)
    await queue('success', 7)
    await queue('instructions', 7)
    expect(await listSms(shop.db, {}, 10, SUFFIX)).toHaveLength(2)
  })

  it('filters by phone and state', async () => {
    await queue('success', 8)
    await queue('success', 9)
    const [sms] = await claim(1)
    await apply(sms!, { outcome: 'sent' })
    const ids = async (filters: Parameters<typeof listSms>[1]) =>
      (await listSms(shop.db, filters, 10, SUFFIX)).map((row) => row.id)
    expect(await ids({ state: 'sent' })).toEqual([sms!.id])
    expect(await ids({ phonenumber: sms!.phonenumber })).toEqual([sms!.id])
    expect(await ids({ phonenumber: sms!.phonenumber, state: 'failed' })).toEqual([])
    expect(await ids({})).toHaveLength(2)
  })

  it('sends a failed SMS again on request, with all its attempts', async () => {
    await queue()
    const [sms] = await claim()
    await apply(sms!, { outcome: 'failed', message: 'wrong key', retry: false })
    await begin(shop.db, (tx) => retrySms(tx, shop.now(), sms!.id))
    expect(await newestSms()).toMatchObject({ state: 'waiting', attempts: 0, due_at: shop.now() })
    const [again] = await claim()
    expect(again).toMatchObject({ id: sms!.id, attempts: 1, body: `Hello${SUFFIX}` })
  })

  it('sends all SMS again that have failed since a time, such as when an API key expired', async () => {
    const fail = async (request: number) => {
      await queue('success', request)
      const [sms] = await claim()
      await apply(sms!, { outcome: 'failed', message: 'wrong key', retry: false })
      return sms!.id
    }
    await fail(1)
    shop.testApp.clock.advance(60)
    const since = shop.now()
    const later = [await fail(2), await fail(3)]
    expect(await begin(shop.db, (tx) => retryFailedSms(tx, shop.now(), since))).toBe(2)
    expect((await claim()).map((sms) => sms.id).sort((a, b) => a - b)).toEqual(later)
  })

  it('refuses to send an SMS again that was sent or does not exist', async () => {
    await queue()
    const [sms] = await claim()
    await apply(sms!, { outcome: 'sent' })
    const retry = (id: number) => begin(shop.db, (tx) => retrySms(tx, shop.now(), id))
    await expect(retry(sms!.id)).rejects.toThrow(Invalid)
    await expect(retry(sms!.id + 1_000)).rejects.toThrow(NotFound)
  })
})
