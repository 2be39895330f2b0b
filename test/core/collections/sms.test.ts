import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChargeConnection } from '../../../src/core/collections/charges/attempts.ts'
import type { NewCollectionRequest } from '../../../src/core/collections/requests.ts'
import { smsSuffix } from '../../../src/core/sms/message.ts'
import { listSms, queueSms } from '../../../src/core/sms/outbox.ts'
import { begin } from '../../../src/db/client.ts'
import { answer, chargeConnections, dispatch, placeOrder } from '../charges.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

const SUFFIX = smsSuffix('Kusanya')

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

/** Create a request and pay it. Returns the SMS to its customer. */
async function createAndPay(changes: Partial<NewCollectionRequest>): Promise<string[]> {
  const request = await shop.createRequest({ phonenumber: nextPhone(), ...changes })
  const { phonenumber, currency } = request
  await shop.ingest(shop.paymentReport({ phonenumber, currency, amount: request.amount }))
  expect(await shop.history(request.id)).toEqual(['pending → successful'])
  return bodiesTo(phonenumber)
}

/** Create a request whose order the network accepts. Returns also the SMS to its customer. */
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
      'UGX 1,234,567.50',
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
    await shop.ingest(shop.paymentReport({ phonenumber: payer, order_reference: await placeOrder(shop, request.id) }))
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
