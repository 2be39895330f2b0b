import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AccountHolderLookup, AccountQuery, Biller } from '../../../src/billers/biller.ts'
import { callRaw, type Json, openTestService, type TestService } from '../../interface/test-service.ts'

let service: TestService
let answer: AccountHolderLookup
let queries: AccountQuery[]

/** A biller that answers look-ups as a test wants and sells nothing. */
const biller: Biller = {
  code: 'lookup_only',
  name: 'Look-up only',
  in_flight_ms: 1_000,
  vend: async () => ({ outcome: 'unknown', message: 'This biller only answers look-ups.' }),
  checkVend: async () => ({ outcome: 'not_found' }),
  async lookUpAccountHolder(query) {
    queries.push(query)
    return answer
  },
}

beforeAll(async () => {
  service = await openTestService({ jobs: false, overrides: { billers: [biller] } })
})
afterAll(() => service.close())
beforeEach(() => {
  queries = []
})

const HOLDER = {
  name: 'ADA OKAFOR',
  address: null,
  outstanding_balance: 25_005_000n,
  due_date: null,
  district: null,
  account_number: null,
  minimum_amount: null,
  raw_output: { gsmNo: '08030000000' },
  more: { hasDiscount: false },
}

const find = (body: object) =>
  callRaw(service.url, 'POST', '/api/gateway/services/namefinder/query', {
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const METER = { service_type: 'ikeja_electric_prepaid', account_number: '0404 2404 048' }

describe('the name look-up', () => {
  it('sends the normalized number to the biller and returns its answer', async () => {
    answer = { outcome: 'found', holder: HOLDER }
    const { body } = await find(METER)
    expect(queries).toEqual([{ service_type: METER.service_type, account_number: '04042404048', product_code: null }])
    expect((body.data as Json).user).toEqual({
      name: 'ADA OKAFOR',
      address: null,
      outstandingBalance: 2_500.5,
      dueDate: null,
      district: null,
      accountNumber: null,
      minimumAmount: 1_000,
      rawOutput: { gsmNo: '08030000000' },
      errorMessage: null,
      hasDiscount: false,
    })
  })

  it('returns the larger minimum amount: of the biller for the account or of the catalogue for the service', async () => {
    const minimumAmount = async (minimum_amount: bigint | null) => {
      answer = { outcome: 'found', holder: { ...HOLDER, minimum_amount } }
      return ((await find(METER)).body.data as { user: Json }).user.minimumAmount
    }
    expect([await minimumAmount(null), await minimumAmount(5_000_000n), await minimumAmount(25_000_000n)]).toEqual([
      1_000, 1_000, 2_500,
    ])
  })

  it('sends the product only for services with products', async () => {
    answer = { outcome: 'found', holder: HOLDER }
    await find({ service_type: 'dstv', account_number: '4131953321', product_code: 'COMPE36' })
    await find({ service_type: 'jamb', account_number: '9678528341', product_code: 'UTME' })
    expect(queries.map((one) => one.product_code)).toEqual([null, 'UTME'])
  })

  it('stores the phone of the last look-up of an exam code', async () => {
    const jamb = { service_type: 'jamb', account_number: '9678528342', product_code: 'DE' }
    for (const gsmNo of ['08030000001', '08030000002']) {
      answer = { outcome: 'found', holder: { ...HOLDER, raw_output: { gsmNo } } }
      await find(jamb)
    }
    const rows = await service.testApp.db`
      select phone, name from bill_validations where account_number = ${jamb.account_number}`
    expect([...rows]).toEqual([{ phone: '08030000002', name: 'ADA OKAFOR' }])
  })

  it('has different errors for a silent biller and for an unknown number, and stores neither', async () => {
    const dstv = { service_type: 'dstv', account_number: '4131953322' }
    answer = { outcome: 'unknown', message: 'connection reset by 10.0.0.7' }
    const silent = await find(dstv)
    expect([silent.status, silent.body]).toEqual([
      503,
      { status: 'error', message: 'No response from the provider.', code: 'BX0024', errors: [] },
    ])
    answer = { outcome: 'not_found', message: 'There is no such account.' }
    expect((await find(dstv)).body).toMatchObject({ code: 'BX0025', message: 'There is no such account.' })
    const rows = await service.testApp.db`select 1 from bill_validations where account_number = ${dstv.account_number}`
    expect(rows).toHaveLength(0)
  })

  it('does not ask the biller about an invalid number', async () => {
    expect((await find({ ...METER, account_number: '04042404049' })).body.code).toBe('BX0003')
    expect((await find({ service_type: 'jamb', account_number: '9678528341' })).body.code).toBe('BX0003')
    expect(queries).toEqual([])
  })
})
