import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  applyOrderAnswers,
  dispatchDueRequests,
  type NetworkTraits,
  type OrderActionAnswer,
} from '../../../src/core/collections/attempts.ts'
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
/** Another customer for every test. */
function nextPhone(): string {
  customers += 1
  return `+800${String(20_000_000 + customers)}`
}

async function textsTo(phonenumber: string): Promise<string[]> {
  return (await listSms(shop.db, { phonenumber }, 10, SUFFIX)).map((text) => text.body)
}

/** A request that was paid, and what its customer was told. */
async function pay(changes: Partial<NewCollectionRequest>): Promise<string[]> {
  const request = await shop.createRequest({ phonenumber: nextPhone(), ...changes })
  const { phonenumber, currency } = request
  await shop.ingest(shop.paymentReport({ phonenumber, currency, amount: request.amount }))
  expect(await shop.history(request.id)).toEqual(['pending → successful'])
  return textsTo(phonenumber)
}

const ABLE: NetworkTraits = { can_prompt: true, can_register_expected_payment: true, can_check_order: true }

/** A request that the network has taken, and what its customer was told. */
async function prompt(changes: Partial<NewCollectionRequest>, able: Partial<NetworkTraits> = {}) {
  const request = await shop.createRequest({ phonenumber: nextPhone(), ...changes })
  const abilities = new Map([['sandbox', { ...ABLE, ...able }]])
  const steps = await begin(shop.db, (tx) => dispatchDueRequests(tx, shop.now(), [request.id], abilities))
  const network = { ...NETWORK, instructions: able.instructions }
  const answers = steps.map(
    (step): OrderActionAnswer => ({ action: step, network, answer: { outcome: 'accepted', remote_id: 'N1' } }),
  )
  await begin(shop.db, (tx) => applyOrderAnswers(tx, shop.now(), answers))
  return { request, steps, texts: await textsTo(request.phonenumber) }
}

describe('the SMS that confirms a payment', () => {
  it.each<[string, Partial<NewCollectionRequest>, string]>([
    ['says who was paid', {}, 'Your payment of BXC 1,500 to Demo Shop has arrived. Thank you.'],
    ['says what for', { reason: 'Rent' }, 'Your payment of BXC 1,500 to Demo Shop for Rent has arrived. Thank you.'],
    [
      'shortens a long reason',
      { reason: 'School fees for the second term' },
      'Your payment of BXC 1,500 to Demo Shop for School fees for t... has arrived. Thank you.',
    ],
    ['comes unasked', { send_instructions: false }, 'Your payment of BXC 1,500 to Demo Shop has arrived. Thank you.'],
    ['is the own message', { success_message: 'Asante sana! 🇰🇪' }, 'Asante sana! 🇰🇪'],
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
      'fills in half a name without what stands for the other half',
      { success_message: 'Thank you {customer}', first_name: 'Grace' },
      'Thank you Grace',
    ],
    [
      'fills in the phone number of the nameless',
      { success_message: 'Thank you {customer}', phonenumber: '+80029999999' },
      'Thank you +80029999999',
    ],
    [
      'never reads a name as a placeholder',
      { success_message: '{customer}: {amount}, {amount}', first_name: '{amount}', last_name: '$&' },
      '{amount} $&: BXC 1,500, BXC 1,500',
    ],
    ['leaves other braces alone', { success_message: '{reason} {Amount} {} {' }, '{reason} {Amount} {} {'],
    [
      'takes blanks for none',
      { success_message: '  ' },
      'Your payment of BXC 1,500 to Demo Shop has arrived. Thank you.',
    ],
  ])('%s', async (_, changes, body) => {
    expect(await pay(changes)).toEqual([`${body} -Powered by Kusanya`])
  })

  it('is sent once per request, whatever the network repeats', async () => {
    const request = await shop.createRequest({ phonenumber: nextPhone() })
    const report = shop.paymentReport({ phonenumber: request.phonenumber })
    await shop.ingest(report, report)
    await shop.ingest(report, { ...report, status: 'reversed' })
    expect(await textsTo(request.phonenumber)).toHaveLength(1)
  })

  it('goes to the customer who was asked, also when somebody else pays', async () => {
    const request = await shop.createRequest({ phonenumber: nextPhone() })
    const friend = nextPhone()
    await shop.ingest(shop.paymentReport({ phonenumber: friend, order_reference: `KR${request.id}-1` }))
    expect(await textsTo(request.phonenumber)).toHaveLength(1)
    expect(await textsTo(friend)).toEqual([])
  })

  it('is not sent for money that nobody asked for', async () => {
    const phonenumber = nextPhone()
    await shop.ingest(shop.paymentReport({ phonenumber }))
    expect(await textsTo(phonenumber)).toEqual([])
  })

  it('is not kept when the payment is rolled back', async () => {
    const { phonenumber, id } = await shop.createRequest({ phonenumber: nextPhone() })
    const receiveAndFail = begin(shop.db, async (tx) => {
      await queueSms(tx, shop.now(), [
        {
          organization: shop.organization,
          collection_request: id,
          purpose: 'success',
          phonenumber,
          body: 'Thank you.',
        },
      ])
      throw new Error('no')
    })
    await expect(receiveAndFail).rejects.toThrow('no')
    expect(await textsTo(phonenumber)).toEqual([])
  })
})

describe('the SMS that tells how to pay', () => {
  const TEMPLATE = { instructions: 'Dial *165#, number {receiver}, {amount} to {organization}: {reason}' }

  it.each<[string, Partial<NewCollectionRequest>, Partial<NetworkTraits>, string[]]>([
    ['says who asks', {}, {}, ['Approve the request of BXC 1,500 from Demo Shop on your phone.']],
    [
      'says what for, and not at length',
      { reason: '  Water bill of September 2030 ' },
      {},
      ['Approve the request of BXC 1,500 from Demo Shop for Water bill of Sep... on your phone.'],
    ],
    ['is the own text, word for word', { instructions: 'Call us. {amount}' }, TEMPLATE, ['Call us. {amount}']],
    ['is none when it says skip', { instructions: 'skip' }, TEMPLATE, []],
    ['is nothing else than skip', { instructions: 'Skip it' }, {}, ['Skip it']],
    ['is none when nobody asked for it', { send_instructions: false }, TEMPLATE, []],
    [
      'takes blanks for none',
      { instructions: ' ' },
      {},
      ['Approve the request of BXC 1,500 from Demo Shop on your phone.'],
    ],
    [
      'is in the words of the network',
      { reason: 'Rent' },
      TEMPLATE,
      ['Dial *165#, number RECEIVER, BXC 1,500 to Demo Shop: Rent'],
    ],
    [
      'names the organization as the reason where there is none',
      {},
      TEMPLATE,
      ['Dial *165#, number RECEIVER, BXC 1,500 to Demo Shop: Demo Shop'],
    ],
  ])('%s', async (_, changes, able, bodies) => {
    const { texts } = await prompt(changes, able)
    expect(texts).toEqual(bodies.map((body) => body.replace('RECEIVER', shop.receiver()) + SUFFIX))
  })

  it('is sent once, however often the customer is prompted', async () => {
    const { request, steps } = await prompt({})
    const retry: OrderActionAnswer[] = steps.map((action) => ({
      action,
      network: NETWORK,
      answer: { outcome: 'accepted', remote_id: 'N2' },
    }))
    await begin(shop.db, (tx) => applyOrderAnswers(tx, shop.now(), retry))
    expect(await textsTo(request.phonenumber)).toHaveLength(1)
  })

  it('stands alone where the network cannot prompt, and is what moves the request', async () => {
    const { request, steps, texts } = await prompt({ reason: 'Rent' }, { can_prompt: false })
    expect(steps).toEqual([])
    expect(texts).toEqual([
      `To pay BXC 1,500 to Demo Shop for Rent, send it to ${shop.receiver()} from your phone.${SUFFIX}`,
    ])
    expect(await shop.history(request.id)).toEqual([
      'pending → processing_started',
      'processing_started → instructions_sent',
    ])
    const row = await shop.request(request.id)
    expect(row).toMatchObject({ status: 'instructions_sent', due_at: row.expiry_date })
  })

  it('moves nothing where there is neither a prompt nor a text', async () => {
    const { request, texts } = await prompt({ instructions: 'skip' }, { can_prompt: false })
    expect(texts).toEqual([])
    expect((await shop.request(request.id)).status).toBe('processing_started')
  })
})

describe('the outbox', () => {
  const write = async (purpose: 'instructions' | 'success' = 'success', request = 1_000_000_000) => {
    const text = { organization: shop.organization, collection_request: request, purpose, phonenumber: nextPhone() }
    await begin(shop.db, (tx) => queueSms(tx, shop.now(), [{ ...text, body: 'Hello' }]))
  }
  const claim = (limit = 10, suffix = SUFFIX, lease_ms = LEASE_MS): Promise<ClaimedSms[]> => {
    const real = shop.testApp.clock.real()
    const times = { now: shop.now(), real, lease_end: new Date(real.getTime() + lease_ms) }
    return begin(shop.db, (tx) => claimSms(tx, times, limit, suffix))
  }
  const settle = (text: ClaimedSms, result: SmsSendResult['result']) =>
    begin(shop.db, (tx) => applySmsResults(tx, shop.now(), [{ sms: text, sender: 'test', result }]))
  const theText = async () => (await listSms(shop.db, {}, 1, SUFFIX))[0]!
  const nextDue = () => nextDueSms(shop.db, shop.testApp.clock.real())

  it('gives each text to one process', async () => {
    for (const request of [1, 2, 3, 4, 5, 6]) await write('success', 2_000_000_000 + request)
    const claimed = (await Promise.all([claim(4), claim(4), claim(4)])).flat()
    expect(new Set(claimed.map((text) => text.id)).size).toBe(6)
    expect(claimed).toHaveLength(6)
    expect(await claim()).toEqual([])
  })

  it('does not call a text due that somebody is sending', async () => {
    await write()
    expect(await nextDue()).toEqual(shop.now())
    await claim()
    expect(await nextDue()).toBeNull()
  })

  it('gives a text to another process when the lease of a killed one has ended', async () => {
    await write()
    const [lost] = await claim(10, SUFFIX, 0)
    expect(await nextDue()).toEqual(shop.now())
    const [found] = await claim()
    expect(found).toEqual({ ...lost, attempts: 2 })
  })

  it('keeps when, by whom and as what a text was sent', async () => {
    await write()
    const [text] = await claim()
    expect(text).toMatchObject({ body: `Hello${SUFFIX}`, attempts: 1, outdated: false })
    await settle(text!, { outcome: 'sent', remote_id: 'ATX-1' })
    expect(await theText()).toMatchObject({
      state: 'sent',
      sender: 'test',
      remote_id: 'ATX-1',
      sent_at: shop.now(),
      due_at: null,
      last_error: null,
    })
  })

  it('tries again after 30 s, 2 min, 10 min, 1 h and 6 h, and has then failed', async () => {
    await write()
    for (const wait_s of [30, 120, 600, 3_600, 21_600]) {
      const [text] = await claim()
      await settle(text!, { outcome: 'failed', message: 'busy', retry: true })
      expect(await theText()).toMatchObject({
        state: 'waiting',
        last_error: 'busy',
        due_at: new Date(shop.now().getTime() + wait_s * 1_000),
      })
      shop.testApp.clock.advance(wait_s - 1)
      expect(await claim()).toEqual([])
      shop.testApp.clock.advance(1)
    }
    const [text] = await claim()
    await settle(text!, { outcome: 'unknown', message: 'no answer' })
    expect(await theText()).toMatchObject({ state: 'failed', attempts: 6, due_at: null, last_error: 'no answer' })
    expect(await nextDue()).toBeNull()
  })

  it('tries again when nobody knows what became of it', async () => {
    await write()
    const [text] = await claim()
    await settle(text!, { outcome: 'unknown', message: 'no answer' })
    expect(await theText()).toMatchObject({ state: 'waiting', last_error: 'no answer' })
  })

  it('gives up at once when trying again is useless', async () => {
    await write()
    const [text] = await claim()
    await settle(text!, { outcome: 'failed', message: 'no such number', retry: false })
    expect(await theText()).toMatchObject({ state: 'failed', attempts: 1, last_error: 'no such number' })
  })

  it('lets a late answer change nothing about a text that was sent', async () => {
    await write()
    const [text] = await claim()
    await settle(text!, { outcome: 'sent' })
    await settle(text!, { outcome: 'failed', message: 'too late', retry: true })
    expect(await theText()).toMatchObject({ state: 'sent', last_error: null })
  })

  it('says the same in every try, even if the service is renamed in between', async () => {
    await write()
    const [text] = await claim()
    await settle(text!, { outcome: 'unknown', message: 'no answer' })
    shop.testApp.clock.advance(30)
    const [again] = await claim(10, smsSuffix('Other'))
    expect(again!.body).toBe('Hello -Powered by Kusanya')
    expect((await listSms(shop.db, {}, 1, smsSuffix('Third')))[0]!.body).toBe(again!.body)
  })

  it('calls instructions late once their request has ended', async () => {
    const { request } = await prompt({})
    await shop.ingest(shop.paymentReport({ phonenumber: request.phonenumber }))
    const claimed = await claim()
    const late = new Map(claimed.map((text) => [text.body.split(' ')[0], text.outdated]))
    expect(late).toEqual(
      new Map([
        ['Approve', true],
        ['Your', false],
      ]),
    )
  })

  it('passes over a second text of the same kind for a request', async () => {
    await write('success', 7)
    await write('success', 7)
    await write('instructions', 7)
    expect(await listSms(shop.db, {}, 10, SUFFIX)).toHaveLength(2)
  })

  it('lists by phone and state', async () => {
    await write('success', 8)
    await write('success', 9)
    const [text] = await claim(1)
    await settle(text!, { outcome: 'sent' })
    const ids = async (filters: Parameters<typeof listSms>[1]) =>
      (await listSms(shop.db, filters, 10, SUFFIX)).map((one) => one.id)
    expect(await ids({ state: 'sent' })).toEqual([text!.id])
    expect(await ids({ phonenumber: text!.phonenumber })).toEqual([text!.id])
    expect(await ids({ phonenumber: text!.phonenumber, state: 'failed' })).toEqual([])
    expect(await ids({})).toHaveLength(2)
  })

  it('sends a failed text again when a person asks, with all its tries', async () => {
    await write()
    const [text] = await claim()
    await settle(text!, { outcome: 'failed', message: 'wrong key', retry: false })
    await begin(shop.db, (tx) => retrySms(tx, shop.now(), text!.id))
    expect(await theText()).toMatchObject({ state: 'waiting', attempts: 0, due_at: shop.now() })
    const [again] = await claim()
    expect(again).toMatchObject({ id: text!.id, attempts: 1, body: `Hello${SUFFIX}` })
  })

  it('sends all again that have failed since a moment, such as the night in which the key had expired', async () => {
    const fail = async (request: number) => {
      await write('success', request)
      const [text] = await claim()
      await settle(text!, { outcome: 'failed', message: 'wrong key', retry: false })
      return text!.id
    }
    await fail(1)
    shop.testApp.clock.advance(60)
    const since = shop.now()
    const later = [await fail(2), await fail(3)]
    expect(await begin(shop.db, (tx) => retryFailedSms(tx, shop.now(), since))).toBe(2)
    expect((await claim()).map((text) => text.id).sort((a, b) => a - b)).toEqual(later)
  })

  it('does not send again what was sent, and knows when there is no such text', async () => {
    await write()
    const [text] = await claim()
    await settle(text!, { outcome: 'sent' })
    const retry = (id: number) => begin(shop.db, (tx) => retrySms(tx, shop.now(), id))
    await expect(retry(text!.id)).rejects.toThrow(Invalid)
    await expect(retry(text!.id + 1_000)).rejects.toThrow(NotFound)
  })
})
