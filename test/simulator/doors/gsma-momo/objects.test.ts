import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../simulator-test.ts'
import { business, callerOf, customer, type GsmaTest, id, openGsma } from './gsma-door-test.ts'

/* Accounts, mandates, links, codes, quotations and all types of transactions, over plain HTTP. */

let database: Awaited<ReturnType<typeof openDatabase>>
let test: GsmaTest
let defaults: Record<string, string | number | boolean>

beforeAll(async () => {
  database = await openDatabase()
  test = await openGsma(database.db)
  defaults = { ...(await test.world.switches()) }
})
afterAll(async () => {
  await test.close()
  await database.drop()
})
afterEach(async () => {
  await test.set(defaults)
  expect(test.errors.splice(0)).toEqual([])
})

const { call, done, errorOf, balance } = callerOf(() => test)

const ACCOUNT = '/accounts/msisdn/+256772000002'
const mandate = { payee: business, startDate: '2026-12-01', amountLimit: '1000', currency: 'UGX' }
const link = { sourceAccountIdentifiers: business, mode: 'both', status: 'active' }
const quotation = {
  debitParty: business,
  creditParty: customer('000002'),
  requestAmount: '75.30',
  requestCurrency: 'UGX',
}

describe('an object', () => {
  it.each([
    [`${ACCOUNT}/debitmandates`, 'mandateReference', mandate, { mandateStatus: 'active' }],
    [`${ACCOUNT}/links`, 'linkReference', link, {}],
    [`${ACCOUNT}/authorisationcodes`, 'authorisationCode', { amount: '5', currency: 'UGX' }, { codeState: 'active' }],
    ['/quotations', 'quotationReference', quotation, { quotationStatus: 'completed' }],
  ])('of %s is created and shown', async (path, name, body, more) => {
    const reference = await done('POST', path, body)
    const { status, body: shown } = await call('GET', `${path}/${reference}`)
    expect([status, shown]).toMatchObject([
      200,
      { [name]: reference, ...body, ...more, creationDate: expect.any(String) },
    ])
    expect(await errorOf('GET', `${path}/REF-1`)).toEqual([404, 'identifierError'])
  })

  it.each([
    [`${ACCOUNT}/debitmandates`, { ...mandate, startDate: undefined }, 'mandatoryValueNotSupplied'],
    [`${ACCOUNT}/debitmandates`, { ...mandate, amountLimit: '-5' }, 'negativeValue'],
    [`${ACCOUNT}/debitmandates`, { ...mandate, amountLimit: 5 }, 'formatError'],
    [`${ACCOUNT}/debitmandates`, { ...mandate, currency: 'KES' }, 'currencyNotSupported'],
    [`${ACCOUNT}/debitmandates`, { ...mandate, frequencyType: 'daily' }, 'formatError'],
    [`${ACCOUNT}/debitmandates`, { ...mandate, payee: 'simulated-shop' }, 'formatError'],
    [`${ACCOUNT}/links`, { ...link, mode: 'sideways' }, 'formatError'],
    [`${ACCOUNT}/links`, { ...link, status: undefined }, 'mandatoryValueNotSupplied'],
    ['/quotations', { ...quotation, requestAmount: undefined }, 'mandatoryValueNotSupplied'],
    ['/quotations', [], 'formatError'],
    ['/accounts/individual', {}, 'mandatoryValueNotSupplied'],
    ['/accounts/individual', { identity: 'Grace' }, 'formatError'],
    ['/batchtransactions', { transactions: [] }, 'formatError'],
    ['/batchtransactions', { transactions: [{ amount: '5', currency: 'UGX' }] }, 'mandatoryValueNotSupplied'],
  ])('at %s of %j is refused', async (path, body, code) => {
    expect(await errorOf('POST', path, body)).toEqual([400, code])
  })

  it('belongs to its account, whatever the form of the path', async () => {
    const reference = await done('POST', `${ACCOUNT}/links`, link)
    const several = '/accounts/msisdn@+256772000002$walletid@77'
    expect((await call('GET', `${several}/links/${reference}`)).body).toMatchObject({ linkReference: reference })
    expect(await errorOf('GET', `/accounts/msisdn/+256772000003/links/${reference}`)).toEqual([404, 'identifierError'])
    expect(await errorOf('POST', '/accounts/accountid/123/links', link)).toEqual([404, 'identifierError'])
  })

  it('is changed member by member, as the standard allows', async () => {
    const path = `${ACCOUNT}/debitmandates/${await done('POST', `${ACCOUNT}/debitmandates`, mandate)}`
    const change = (name: string, value: unknown, op = 'replace') => [{ op, path: `/${name}`, value }]
    await done('PATCH', path, change('mandateStatus', 'inactive'))
    expect((await call('GET', path)).body).toMatchObject({ mandateStatus: 'inactive', amountLimit: '1000' })
    for (const wrong of [
      change('mandateStatus', 'asleep'),
      change('mandateReference', 'REF-1'),
      change('mandateStatus', 'active', 'remove'),
      [],
    ])
      expect(await errorOf('PATCH', path, wrong)).toEqual([400, 'formatError'])
  })

  it('is changed by POST too, where that names PATCH', async () => {
    const path = `${ACCOUNT}/links/${await done('POST', `${ACCOUNT}/links`, link)}`
    const change = [{ op: 'replace', path: '/mode', value: 'pull' }]
    const override = { ...id(), 'x-http-method-override': 'PATCH' }
    expect((await call('POST', path, change, override)).status).toBe(202)
    expect((await call('GET', path)).body).toMatchObject({ mode: 'pull' })
    expect((await call('POST', path, change, id())).status).toBe(404)
  })

  it('is refused under a used correlation id, and nothing is made', async () => {
    const same = id()
    const { body } = await call('POST', '/quotations', quotation, same)
    expect(body.status).toBe('pending')
    const path = '/transactions/type/transfer'
    const transfer = { amount: '5', currency: 'UGX', debitParty: business, creditParty: business }
    const list = async () => (await call('GET', '/accounts/organisationid/simulated-shop/transactions')).body.length
    const before = await list()
    expect((await call('POST', '/quotations', quotation, same)).body.errorCode).toBe('duplicateRequest')
    expect((await call('POST', path, transfer, same)).body.errorCode).toBe('duplicateRequest')
    expect(await list()).toBe(before)
  })

  it('is found by the correlation id of its call, and reported on request', async () => {
    const headers = { ...id(), 'x-callback-url': `${test.listener.url}/hear` }
    const { body } = await call('POST', `${ACCOUNT}/links`, link, headers)
    expect(body.notificationMethod).toBe('callback')
    await test.advance(2)
    expect(test.listener.heard.at(-1)).toMatchObject({
      method: 'PUT',
      headers: { 'x-correlationid': headers['x-correlationid'] },
      body: { mode: 'both' },
    })
    const found = await call('GET', `/responses/${headers['x-correlationid']}`)
    expect((await call('GET', String(found.body.link))).body).toMatchObject(link)
  })
})

describe('a mandate', () => {
  const take = (reference: string, amount: string) => ({
    amount,
    currency: 'UGX',
    debitParty: [{ key: 'mandatereference', value: reference }],
    creditParty: business,
  })

  it('lets the business take money without a prompt, up to its limit, while it is active', async () => {
    const payer = '/accounts/msisdn/+256772000109'
    const reference = await done('POST', `${payer}/debitmandates`, mandate)
    const before = await balance()
    const paid = await done('POST', '/transactions/type/merchantpay', take(reference, '1000'))
    expect(await balance()).toBe(before + 1_000)
    expect((await call('GET', `/transactions/${paid}`)).body).toMatchObject({ debitParty: customer('000109') })
    const MERCHANT = '/transactions/type/merchantpay'
    expect(await errorOf('POST', MERCHANT, take(reference, '1001'))).toEqual([400, 'noMandateAuthority'])
    expect(await errorOf('POST', MERCHANT, take('REF-1', '5'))).toEqual([404, 'identifierError'])
    await done('PATCH', `${payer}/debitmandates/${reference}`, [
      { op: 'replace', path: '/mandateStatus', value: 'inactive' },
    ])
    expect(await errorOf('POST', MERCHANT, take(reference, '5'))).toEqual([400, 'noMandateAuthority'])
  })
})

describe('an authorisation code', () => {
  const path = `${ACCOUNT}/authorisationcodes`
  const withdraw = (oneTimeCode: string) => ({
    amount: '5',
    currency: 'UGX',
    debitParty: customer('000002'),
    creditParty: business,
    oneTimeCode,
  })

  it('counts once, ends with its time, and is listed', async () => {
    const [used, old] = [
      await done('POST', path, { amount: '5', currency: 'UGX' }),
      await done('POST', path, { codeLifetime: 600 }),
    ]
    const WITHDRAWAL = '/transactions/type/withdrawal'
    const paid = await done('POST', WITHDRAWAL, withdraw(used))
    expect((await call('GET', `/transactions/${paid}`)).body).toMatchObject({ type: 'withdrawal', amount: '5.00' })
    expect(await errorOf('POST', WITHDRAWAL, withdraw(used))).toEqual([404, 'identifierError'])
    await test.advance(601)
    expect(await errorOf('POST', WITHDRAWAL, withdraw(old))).toEqual([404, 'identifierError'])
    const { body, headers } = await call('GET', `${path}?codeState=expired`)
    expect(body.map((one) => (one as { authorisationCode: string }).authorisationCode)).toEqual(
      expect.arrayContaining([used, old]),
    )
    expect(headers.get('x-records-returned-count')).toBe(String(body.length))
  })
})

describe('an account', () => {
  const identity = {
    accountRelationship: 'accountholder',
    kycVerificationStatus: 'unverified',
    identityKyc: { subjectName: { firstName: 'Grace', lastName: 'Achieng', fullName: 'Grace Achieng' } },
  }
  const opened = {
    accountIdentifiers: [
      { key: 'msisdn', value: '+256772000301' },
      { key: 'walletid', value: 'W-7' },
    ],
  }

  it('is opened, found by each identifier, and verified', async () => {
    expect(await done('POST', '/accounts/individual', { ...opened, identity: [identity] })).toBe('msisdn/+256772000301')
    for (const path of ['/accounts/msisdn/+256772000301', '/accounts/walletid/W-7', '/accounts/walletid@W-7']) {
      expect((await call('GET', path)).body).toMatchObject({ accountStatus: 'available', identity: [identity] })
      expect((await call('GET', `${path}/accountname`)).body).toMatchObject({ name: { fullName: 'Grace Achieng' } })
      expect((await call('GET', `${path}/status`)).body).toEqual({ accountStatus: 'available' })
    }
    const again = await errorOf('POST', '/accounts/individual', { ...opened, identity: [identity] })
    expect(again).toEqual([400, 'duplicateRequest'])
    const [{ identityId }] = (await call('GET', '/accounts/walletid/W-7')).body.identity as [{ identityId: string }]
    const verified = [{ op: 'replace', path: '/kycVerificationStatus', value: 'verified' }]
    await done('PATCH', `/accounts/walletid/W-7/identities/${identityId}`, verified)
    expect((await call('GET', '/accounts/msisdn/+256772000301')).body).toMatchObject({
      identity: [{ kycVerificationStatus: 'verified' }],
    })
    expect(await errorOf('PATCH', '/accounts/walletid/W-7/identities/9', verified)).toEqual([404, 'identifierError'])
  })

  it('of each phone that has mobile money is known without that', async () => {
    expect((await call('GET', ACCOUNT)).body).toMatchObject({ accountStatus: 'available', identity: [{}] })
    expect((await call('GET', `${ACCOUNT}/balance`)).body).toEqual({ accountStatus: 'available' })
    expect(await errorOf('GET', '/accounts/msisdn/+256772000401')).toEqual([404, 'identifierError'])
    expect((await call('GET', '/accounts/walletid/1/accountname')).body).toMatchObject({
      name: { fullName: 'Simulated Shop' },
    })
  })

  it('of the business has statement entries', async () => {
    const payout = { amount: '7', currency: 'UGX', creditParty: customer('000002') }
    const reference = await done('POST', '/transactions/type/disbursement', payout)
    const expected = { transactionReference: reference, displayType: 'disbursement', amount: '7.00' }
    const { body } = await call('GET', '/accounts/accountid/1/statemententries?limit=1')
    expect(body).toMatchObject([expected])
    expect((await call('GET', `/statemententries/${reference}`)).body).toMatchObject(expected)
    expect(await errorOf('GET', '/statemententries/REF-1')).toEqual([404, 'identifierError'])
  })
})

describe('a transaction', () => {
  const between = (debitParty: unknown, creditParty: unknown) => ({
    amount: '9',
    currency: 'UGX',
    debitParty,
    creditParty,
  })

  it.each([
    ['transfer', business, customer('000002'), -9],
    ['inttransfer', business, customer('000002'), -9],
    ['deposit', customer('000002'), business, 9],
    ['billpay', customer('000002'), customer('000003'), 0],
    ['transfer', [{ key: 'accountid', value: '2999' }], [{ key: 'walletid', value: '1' }], 0],
  ])('%s from %j to %j moves the money of the business', async (type, debit, credit, moved) => {
    const before = await balance()
    const reference = await done('POST', `/transactions/type/${type}`, between(debit, credit))
    expect(await balance()).toBe(before + moved)
    expect((await call('GET', `/transactions/${reference}`)).body).toMatchObject({
      type,
      transactionStatus: 'completed',
    })
  })

  it('without money of the business is reversed once', async () => {
    const reference = await done('POST', '/transactions/type/transfer', between(customer('000002'), customer('000003')))
    const reversal = await done('POST', `/transactions/${reference}/reversals`, { type: 'reversal' })
    expect((await call('GET', `/transactions/${reference}`)).body.transactionStatus).toBe('reversed')
    expect((await call('GET', `/transactions/${reversal}`)).body).toMatchObject({
      type: 'reversal',
      originalTransactionReference: reference,
      debitParty: customer('000003'),
    })
    expect(await errorOf('POST', `/transactions/${reference}/reversals`, { type: 'reversal' })).toEqual([
      400,
      'incorrectState',
    ])
  })

  it('to an inactive link is refused', async () => {
    const reference = await done('POST', `${ACCOUNT}/links`, { ...link, status: 'inactive' })
    const to = [{ key: 'linkref', value: reference }]
    expect(await errorOf('POST', '/transactions/type/transfer', between(business, to))).toEqual([400, 'linkViolation'])
  })

  it('requires both parties unless its type implies them', async () => {
    for (const missing of [between(undefined, business), between(business, undefined)])
      expect(await errorOf('POST', '/transactions/type/transfer', missing)).toEqual([400, 'mandatoryValueNotSupplied'])
  })

  it('has any currency of the world if the provider accepts that, and no other', async () => {
    await test.set({ currencies: 'any' })
    const path = '/transactions/type/transfer'
    const transfer = between(business, customer('000002'))
    expect((await call('POST', path, { ...transfer, currency: 'RWF' }, id())).status).toBe(202)
    expect(await errorOf('POST', path, { ...transfer, currency: 'USDD' })).toEqual([400, 'currencyNotSupported'])
  })

  it('is over when a question about it waits', async () => {
    await test.set({ waits: true })
    const taken = await call('POST', '/transactions/type/disbursement', between(undefined, customer('000002')), id())
    const asked = call('GET', `/requeststates/${taken.body.serverCorrelationId}`)
    await test.advance(2)
    expect((await asked).body).toMatchObject({ status: 'completed' })
  })
})
