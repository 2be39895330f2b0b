import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Service, startService } from '../../src/cli/service/serve.ts'
import { createAccount, fundAccount } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { openTestService, REQUIRED_FIELDS, type TestService } from '../interface/test-service.ts'
import { createApiClient } from '../test-app.ts'

const PATH = '/api/collectionrequests'

/** The responses must be the same with and without batches. */
const ways: [how: string, BATCH_MOST: string][] = [
  ['in batches of many', '128'],
  ['one by one', '1'],
]

describe.each(ways)('collection requests, %s', (_how, BATCH_MOST) => {
  let service: TestService
  let post: TestService['shop']['post']

  beforeAll(async () => {
    service = await openTestService({ settings: { BATCH_MOST } })
    post = (...call) => service.shop.post(...call)
  })
  afterAll(() => service.close())

  it('have every field of the interface in the response, and are paid a second later', async () => {
    const response = await post(PATH, {
      ...REQUIRED_FIELDS,
      send_instructions: true,
      metadata: { order: 7 },
      reason: 'Fees',
    })
    expect(response.status).toBe(201)
    const stamp = '2030-01-15T12:00:00Z'
    const wallet = await walletOf('BXC')
    expect(response.body).toEqual({
      id: expect.any(Number),
      organization: service.organization,
      amount: '1500.0000',
      currency: 'BXC',
      account: wallet,
      phonenumber: '+80000000003',
      contact: {
        id: expect.any(Number),
        organization: service.organization,
        first_name: 'Anonymous',
        last_name: 'Contact',
        email: null,
        phone_number: '+80000000003',
        type: 'employee',
        status: 'active',
        metadata: null,
        phone_is_supported: 'yes',
        phone_is_mm_registered: 'unknown',
        name_on_network: '',
        name_matches_network_status: 'unchecked',
        name_matches_network_score: 0,
        network_name: 'Sandbox Network',
        created: stamp,
        modified: stamp,
        author: service.user,
        updated_by: null,
      },
      reason: 'Fees',
      metadata: { order: 7 },
      created: stamp,
      author: service.user,
      modified: stamp,
      updated_by: null,
      collection: null,
      success_message: '',
      send_instructions: true,
      instructions: null,
      status: 'pending',
      error_message: null,
      expiry_date: '2030-01-16 12:00:00.000000+00:00',
      start_date: null,
      retry_interval_minutes: null,
      max_attempts: 3,
      subscription_settings: null,
    })
    await service.waitForStatus(response.body.id, 'instructions_sent')
    const paid = await service.advanceUntilStatus(response.body.id, 'successful')
    expect(paid).toMatchObject({ collection: expect.any(Number), updated_by: expect.stringMatching(/^\d+$/) })
  })

  it.each(['{"__proto__":{"admin":true}}', '{"constructor":"Mukasa Ltd","prototype":1}'])(
    'keep the metadata %s, whose names mean nothing here',
    async (metadata) => {
      const fields = JSON.stringify(REQUIRED_FIELDS).slice(0, -1)
      const [name] = Object.keys(JSON.parse(metadata)) as [string]
      const path = `"metadata.${name}":${JSON.stringify(JSON.parse(metadata)[name])}`
      const bodies = [`${fields},"metadata":${metadata}}`, `${fields},${path}}`]
      for (const [index, body] of bodies.entries()) {
        const created = await post(PATH, body, { 'content-type': 'application/json' })
        expect(created.status).toBe(201)
        const read = await service.shop.get(`${PATH}/${created.body.id}`)
        const wanted = index === 0 ? metadata : JSON.stringify(Object.fromEntries([[name, JSON.parse(metadata)[name]]]))
        for (const answer of [created, read]) expect(JSON.stringify(answer.body.metadata)).toBe(wanted)
      }
    },
  )

  it('created at the same time each have their own fields and id', async () => {
    const inputs = Array.from({ length: 60 }, (_, index) => ({
      ...REQUIRED_FIELDS,
      amount: String(index + 1),
      phonenumber: `+8000000${2000 + (index % 7)}`,
      metadata: { index },
    }))
    const answers = await Promise.all(inputs.map((input) => post(PATH, input)))
    for (const [index, { status, body }] of answers.entries()) {
      expect(status).toBe(201)
      expect(body).toMatchObject({
        amount: `${index + 1}.0000`,
        phonenumber: inputs[index]!.phonenumber,
        metadata: { index },
      })
      expect(body.contact.phone_number).toBe(inputs[index]!.phonenumber)
    }
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(60)
    // Seven phones, so seven contacts.
    expect(new Set(answers.map(({ body }) => body.contact.id)).size).toBe(7)
  })

  it('that are refused do not affect others in the same batch', async () => {
    const empty = await openWallet('local', 'UGX')
    const good = Array.from({ length: 5 }, () => post(PATH, REQUIRED_FIELDS))
    const bad = [
      post(PATH, { ...REQUIRED_FIELDS, account: service.otherShop.account }),
      post(PATH, { ...REQUIRED_FIELDS, account: 999_999 }),
      post(PATH, { ...REQUIRED_FIELDS, account: await walletOf('UGX') }),
      post(PATH, { ...REQUIRED_FIELDS, currency: 'UGX', phonenumber: '+256772000001', account: empty }),
    ]
    for (const { status } of await Promise.all(good)) expect(status).toBe(201)
    expect((await Promise.all(bad)).map(({ status, body }) => [status, body])).toEqual([
      [403, { detail: 'You do not have permission to perform this action.' }],
      [400, { account: ['Invalid pk "999999" - object does not exist.'] }],
      [400, { account: ['This account is in UGX.'] }],
      [400, { currency: ['Your UGX account has no funds. Add funds before you collect.'] }],
    ])
  })

  it('with one Duplicate-Check-Key in several processes at the same time are created once', async () => {
    const second = await startSecondApp(service)
    try {
      const clients = [service.shop, createApiClient(second.url, service.key)]
      for (let round = 0; round < 5; round += 1) {
        const headers = { 'Duplicate-Check-Key': `several processes ${round}` }
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, index) => clients[index % 2]!.post(PATH, REQUIRED_FIELDS, headers)),
        )
        const accepted = answers.filter(({ status }) => status === 201)
        expect(accepted).toHaveLength(1)
        for (const { status, body } of answers)
          if (status !== 201) expect([status, body.id]).toEqual([409, accepted[0]!.body.id])
      }
    } finally {
      await second.stop()
    }
  })

  it('that were refused do not use up their Duplicate-Check-Key', async () => {
    const headers = { 'Duplicate-Check-Key': 'unlucky' }
    for (const bad of [
      { ...REQUIRED_FIELDS, amount: 0 },
      { ...REQUIRED_FIELDS, account: 999_999 },
      { ...REQUIRED_FIELDS, account: service.otherShop.account },
      '{',
    ])
      expect((await post(PATH, bad, headers)).status).toBeGreaterThanOrEqual(400)
    expect((await post(PATH, REQUIRED_FIELDS, headers)).status).toBe(201)
    expect((await post(PATH, REQUIRED_FIELDS, headers)).status).toBe(409)
    expect((await service.otherShop.post(PATH, REQUIRED_FIELDS, headers)).status).toBe(201)
  })

  it('into a cross-border account must name it, accept phones of other countries, and cannot recur', async () => {
    const account = await openWallet('cross_border', 'KES', '50')
    const input = { amount: 10, currency: 'KES', phonenumber: '+256772000001' }
    expect((await post(PATH, input)).body).toEqual({ currency: ['KES is not used in the country of +256772000001.'] })
    expect(await post(PATH, { ...input, account })).toMatchObject({ status: 201, body: { account } })
    const subscription_settings = { end_date: '31/12/2030 00:00:00', frequency: 'daily' }
    expect((await post(PATH, { ...input, account, subscription_settings })).body).toEqual({
      subscription_settings: ['Recurring requests need a local account.'],
    })
    // The rule for local accounts also holds when the request names one.
    expect((await post(PATH, { ...input, account: await walletOf('KES') })).body).toEqual({
      currency: ['KES is not used in the country of +256772000001.'],
    })
  })

  it('without an account go to the oldest active local account of the currency', async () => {
    const oldest = await walletOf('KES')
    await openWallet('local', 'KES', '50')
    const input = { amount: 10, currency: 'KES', phonenumber: '+254711000001' }
    for (const account of [undefined, null, 0, '0', ''])
      expect((await post(PATH, { ...input, account })).body.account).toBe(oldest)
    await service.testApp.db`update accounts set status = 'inactive' where currency = 'KES' and kind = 'local'`
    expect((await post(PATH, input)).body).toEqual({ currency: ['You have no active account in KES.'] })
    expect((await post(PATH, { ...input, account: oldest })).body).toEqual({
      account: [`Invalid pk "${oldest}" - the account is not active.`],
    })
    await service.testApp.db`update accounts set status = 'active' where currency = 'KES' and kind = 'local'`
  })

  async function walletOf(currency: string): Promise<number> {
    const [row] = await service.testApp.db<{ id: number }[]>`
      select id from accounts where organization = ${service.organization} and currency = ${currency} and kind = 'local' order by id limit 1`
    return row!.id
  }

  async function openWallet(kind: 'local' | 'cross_border', currency: string, funds?: string): Promise<number> {
    const { testApp, organization, user } = service
    return begin(testApp.db, async (tx) => {
      const wallet = await createAccount(tx, testApp.clock.now(), {
        organization,
        currency,
        kind,
        name: 'another',
        author: user,
      })
      const amount = parseAmount(funds ?? '0')!
      if (amount > 0n)
        await fundAccount(tx, testApp.clock.now(), { account: wallet.id, amount, description: '', author: user })
      return wallet.id
    })
  }
})

/** A second App on the same database, as in another process. */
async function startSecondApp({ testApp }: TestService): Promise<Service> {
  const app = await buildApp(testApp.app.config, testApp.app.log, { clock: testApp.clock })
  return startService(app, { api: true, jobs: false })
}
