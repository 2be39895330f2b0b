import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../simulator-test.ts'
import { business, callerOf, customer, type GsmaTest, id, openGsma } from './gsma-door-test.ts'

/* Bills, and batches of transactions, over plain HTTP. */

let database: Awaited<ReturnType<typeof openDatabase>>
let test: GsmaTest

beforeAll(async () => {
  database = await openDatabase()
  test = await openGsma(database.db)
})
afterAll(async () => {
  await test.close()
  await database.drop()
})
afterEach(() => expect(test.errors.splice(0)).toEqual([]))

const { call, done, errorOf, balance } = callerOf(() => test)

const ACCOUNT = '/accounts/msisdn/+256772000002'

describe('a bill', () => {
  const path = `${ACCOUNT}/bills`
  const pay = (bill: string, more: object = {}) =>
    done('POST', `${path}/${bill}/payments`, { amountPaid: '20', currency: 'UGX', ...more })
  const statusOf = async (bill: string) =>
    ((await call('GET', path)).body as unknown as { billReference: string; billStatus: string }[]).find(
      ({ billReference }) => billReference === bill,
    )?.billStatus

  it('is paid in parts, and lists its payments, newest first', async () => {
    expect(await statusOf('REF-000001')).toBe('unpaid')
    const first = await pay('REF-000001')
    expect(await statusOf('REF-000001')).toBe('partialpaid')
    const second = await pay('REF-000001', { amountPaid: '30', paymentType: 'fullpayment' })
    expect([await statusOf('REF-000001'), await statusOf('REF-000002')]).toEqual(['paid', 'unpaid'])
    const { body, headers } = await call('GET', `${path}/REF-000001/payments`)
    expect(body).toMatchObject([
      { serviceProviderPaymentReference: second, amountPaid: '30', billPaymentStatus: 'completed' },
      { serviceProviderPaymentReference: first },
    ])
    expect(headers.get('x-records-available-count')).toBe('2')
  })

  it('that do not exist are refused, and so are invalid payments', async () => {
    const wanted = { amountPaid: '20', currency: 'UGX' }
    expect(await errorOf('POST', `${path}/REF-9/payments`, wanted)).toEqual([404, 'identifierError'])
    expect(await errorOf('POST', `${path}/REF-000001/payments`, { currency: 'UGX' })).toEqual([
      400,
      'mandatoryValueNotSupplied',
    ])
    expect(await errorOf('GET', '/accounts/accountid/123/bills')).toEqual([404, 'identifierError'])
  })

  it('is paid without an account or a reference in the path too', async () => {
    const wanted = { amountPaid: '5', currency: 'UGX' }
    for (const direct of ['/bills/REF-000001/payments', `${path}/payments`]) {
      const headers = id()
      expect((await call('POST', direct, wanted, headers)).status).toBe(202)
      const { link } = (await call('GET', `/responses/${headers['x-correlationid']}`)).body
      expect((await call('GET', String(link))).body).toMatchObject(wanted)
      expect((await call('GET', direct)).body).toMatchObject([wanted])
    }
  })

  it('comes from a company that is listed', async () => {
    const { body } = await call('GET', '/billcompanies')
    expect(body).toHaveLength(2)
    const [{ serviceProvider }] = body as unknown as [{ serviceProvider: string }]
    expect((await call('GET', `/billcompanies/${serviceProvider}`)).body).toMatchObject({ serviceProvider })
    expect((await call('GET', `${ACCOUNT}/billcompanies`)).body).toEqual(body)
    expect(await errorOf('GET', '/billcompanies/plum')).toEqual([404, 'identifierError'])
  })
})

describe('a batch', () => {
  const transfer = (digits: string, more: object = {}) => ({
    type: 'transfer',
    amount: '11',
    currency: 'UGX',
    debitParty: business,
    creditParty: customer(digits),
    ...more,
  })
  const approve = [{ op: 'replace', path: '/batchStatus', value: 'approved' }]

  it('goes out when it is approved, once, and lists each transaction that has ended', async () => {
    const transactions = [
      transfer('000002', { requestingOrganisationTransactionReference: 'WAGE-1' }),
      transfer('700001'),
      transfer('000002', { creditParty: [{ key: 'accountid', value: '123' }] }),
      transfer('000002', { type: 'plum' }),
      transfer('000002', { creditParty: business }),
      transfer('730000'),
    ]
    const before = await balance()
    const path = `/batchtransactions/${await done('POST', '/batchtransactions', { transactions, batchTitle: 'Wages' })}`
    expect((await call('GET', path)).body).toMatchObject({ batchStatus: 'created', batchTitle: 'Wages' })
    expect((await call('GET', `${path}/completions`)).body).toEqual([])
    expect(await balance()).toBe(before)
    await done('PATCH', path, approve)
    expect((await call('GET', path)).body).toMatchObject({
      batchStatus: 'approved',
      approvalDate: expect.any(String),
      completedCount: 2,
      rejectionCount: 3,
    })
    expect(await balance()).toBe(before - 11)
    const completions = (await call('GET', `${path}/completions`)).body as unknown as { link: string }[]
    expect(completions).toMatchObject([
      { requestingOrganisationTransactionReference: 'WAGE-1', creditParty: customer('000002') },
      { creditParty: business },
    ])
    expect((await call('GET', completions[0]!.link)).body).toMatchObject({ type: 'transfer', amount: '11.00' })
    const rejections = (await call('GET', `${path}/rejections`)).body as unknown as { rejectionReason: string }[]
    const reasons = rejections.map(({ rejectionReason }) => rejectionReason)
    expect(reasons).toEqual(['insufficientFunds', 'identifierError', 'transactionTypeError'])
    expect(await errorOf('PATCH', path, approve)).toEqual([400, 'incorrectState'])
  })

  it('is completed when each of its transactions has ended', async () => {
    const reference = await done('POST', '/batchtransactions', { transactions: [transfer('000002')] })
    await done('PATCH', `/batchtransactions/${reference}`, approve)
    expect((await call('GET', `/batchtransactions/${reference}`)).body).toMatchObject({
      batchStatus: 'completed',
      completionDate: expect.any(String),
      completedCount: 1,
    })
    expect(await errorOf('GET', '/batchtransactions/REF-1/rejections')).toEqual([404, 'identifierError'])
  })
})
