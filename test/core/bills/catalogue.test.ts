import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAccountNumber } from '../../../src/core/bills/account-numbers.ts'
import {
  checkAmount,
  findProduct,
  findService,
  findServiceForSale,
  findServiceWithAccounts,
  listAddons,
  listCategories,
  listProducts,
  priceBundle,
  priceExam,
  pricePin,
  priceSubscription,
  returnPinsToStock,
  takePinsFromStock,
} from '../../../src/core/bills/catalogue.ts'
import { readCatalogueFile } from '../../../src/core/bills/catalogue-file.ts'
import { exportCatalogue, importCatalogue } from '../../../src/core/bills/catalogue-import.ts'
import { BillRefusal } from '../../../src/core/bills/refusals.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp

beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

const naira = (text: string) => parseAmount(text)!

/** The code of the refusal of a call, with the invalid fields. */
async function refusalOf(work: () => unknown): Promise<[string, string[]]> {
  try {
    await work()
  } catch (error) {
    if (error instanceof BillRefusal) return [error.code, Object.keys(error.fields ?? {})]
    throw error
  }
  throw new Error('It was not refused.')
}

describe('services', () => {
  it('are found by category and type, also by an alias', async () => {
    expect(await findService(testApp.db, 'airtime', 'mtn')).toMatchObject({ name: 'Mtn Nigeria', plans: ['prepaid'] })
    expect(await findService(testApp.db, 'databundle', 'etisalat')).toMatchObject({ service_type: '9mobile' })
    expect(await findService(testApp.db, 'databundle', ' SPECTRANET ')).toMatchObject({ service_type: 'spectranet' })
    expect(await findServiceWithAccounts(testApp.db, 'jamb')).toMatchObject({ category: 'exampin' })
    expect(await findService(testApp.db, 'electricity', 'ikeja_electric_prepaid')).toMatchObject({
      prepaid: true,
      tariff: naira('66.9'),
      minimum_amount: naira('1000'),
    })
  })

  it('are refused with BX0026 if they do not exist, and with EXC00103 if they are disabled', async () => {
    expect(await refusalOf(() => findService(testApp.db, 'airtime', 'dstv'))).toEqual(['BX0026', []])
    expect(await refusalOf(() => findServiceWithAccounts(testApp.db, 'waec'))).toEqual(['BX0026', []])
    await rollback(async (tx) => {
      await tx`update catalogue_services set enabled = false where service_type = 'glo'`
      expect(await refusalOf(() => findServiceForSale(tx, 'airtime', 'glo'))).toEqual(['EXC00103', []])
    })
  })

  it('belong to categories', async () => {
    expect((await listCategories(testApp.db)).map((one) => one.code)).toEqual([
      'airtime',
      'databundle',
      'cabletv',
      'electricity',
      'epin',
      'exampin',
    ])
  })

  it('have minimum and maximum amounts', async () => {
    const ikeja = await findService(testApp.db, 'electricity', 'ikeja_electric_prepaid')
    expect(checkAmount(ikeja, naira('1000'))).toBeUndefined()
    expect(await refusalOf(() => checkAmount(ikeja, naira('999.99')))).toEqual(['BX0003', ['amount']])
    expect(await refusalOf(() => checkAmount(ikeja, naira('300000.01')))).toEqual(['EXC00127', []])
  })
})

describe('prices', () => {
  it('are found for a bouquet and an add-on by their months', async () => {
    const dstv = await findService(testApp.db, 'cabletv', 'dstv')
    const input = { product_code: 'COMPE36', months: 1 }
    expect(await priceSubscription(testApp.db, dstv, input)).toMatchObject({ price: naira('12500'), addon: undefined })
    expect((await priceSubscription(testApp.db, dstv, { ...input, months: 12 })).price).toBe(naira('137500'))
    const both = { ...input, months: 2, addon_code: 'FRN7E36', addon_months: 1 }
    expect((await priceSubscription(testApp.db, dstv, both)).price).toBe(naira('29600'))
    const same = { ...input, months: 2, addon_code: 'FRN7E36' }
    expect((await priceSubscription(testApp.db, dstv, same)).price).toBe(naira('34200'))
  })

  it('are refused if there is none', async () => {
    const dstv = await findService(testApp.db, 'cabletv', 'dstv')
    const refusal = (input: object) =>
      refusalOf(() => priceSubscription(testApp.db, dstv, { product_code: 'NLTESE36', months: 1, ...input }))
    expect(await refusal({ product_code: 'NONE' })).toEqual(['BX0003', ['product_code']])
    expect(await refusal({ months: 11 })).toEqual(['BX0003', ['product_monthsPaidFor']])
    expect(await refusal({ addon_code: 'NONE' })).toEqual(['BX0003', ['addon_code']])
    expect(await refusal({ addon_code: 'FRN15E36' })).toEqual(['BX0003', ['addon_code']])
    expect(await refusal({ addon_code: 'FRN7E36', addon_months: 13 })).toEqual(['BX0003', ['addon_monthsPaidFor']])
    expect(await refusalOf(() => listAddons(testApp.db, dstv, 'NONE'))).toEqual(['BX0003', ['product_code']])
  })

  it('are found for bundles, pins and exams', async () => {
    const [mtn, glo, jamb] = await Promise.all([
      findService(testApp.db, 'databundle', 'mtn'),
      findService(testApp.db, 'epin', 'glo'),
      findService(testApp.db, 'exampin', 'jamb'),
    ])
    expect((await priceBundle(testApp.db, mtn, '1000')).price).toBe(naira('1000'))
    expect((await pricePin(testApp.db, glo, naira('100'))).price).toBe(naira('100'))
    expect((await priceExam(testApp.db, jamb, 'DE')).price).toBe(naira('4000'))
    expect(await refusalOf(() => priceBundle(testApp.db, mtn, '1001'))).toEqual(['BX0003', ['datacode']])
    expect(await refusalOf(() => pricePin(testApp.db, glo, naira('101')))).toEqual(['BX0003', ['pinValue']])
    expect(await refusalOf(() => priceExam(testApp.db, jamb, 'XX'))).toEqual(['BX0003', ['product_code']])
  })

  it('are listed only for the add-ons that a bouquet can have', async () => {
    const dstv = await findService(testApp.db, 'cabletv', 'dstv')
    const codes = async (bouquet: string) => (await listAddons(testApp.db, dstv, bouquet)).map((one) => one.code)
    expect(await codes('NLTESE36')).toEqual(['HDPVRE36', 'FRN7E36', 'GWALLE36'])
    expect(await codes('COMPE36')).toContain('FRN15E36')
  })
})

describe('the stock of pins', () => {
  it('falls with each purchase and never below zero, even with many purchases at the same time', async () => {
    const glo = await findService(testApp.db, 'epin', 'glo')
    const pin = (await findProduct(testApp.db, glo.id, 'pin', '5000'))!
    const buyers = Array.from({ length: 6 }, () =>
      begin(testApp.db, (tx) => takePinsFromStock(tx, pin, 300)).then(
        () => 'bought',
        (error) => (error instanceof BillRefusal ? error.fields?.numberOfPins?.[0] : error),
      ),
    )
    const bought = (await Promise.all(buyers)).filter((one) => one === 'bought')
    expect(bought).toHaveLength(3)
    const left = async () => (await findProduct(testApp.db, glo.id, 'pin', '5000'))!.available
    expect(await left()).toBe(100)
    await begin(testApp.db, (tx) =>
      returnPinsToStock(tx, { service_type: 'glo', pin_value: naira('5000'), count: 300 }),
    )
    expect(await left()).toBe(400)
  })
})

describe('account numbers', () => {
  it('follow the rule of their service', async () => {
    const read = async (type: string, text: string) =>
      readAccountNumber(await findServiceWithAccounts(testApp.db, type), text)
    expect(await read('mtn', '+234 803 123 4567')).toBe('08031234567')
    expect(await read('ikeja_electric_prepaid', '0404-2404-048')).toBe('04042404048')
    expect(await read('abuja_electric_prepaid', '0704242404048')).toBe('0704242404048')
    expect(await read('ikeja_electric_postpaid', '04042404139')).toBe('04042404139')
    expect(await read('dstv', '4131953321')).toBe('4131953321')
    expect(await read('startimes', '02110144711')).toBe('02110144711')
    expect(await read('spectranet', '210001245')).toBe('210001245')
    expect(await read('jamb', '9678528341')).toBe('9678528341')
  })

  it('are refused on their field if they break the rule', async () => {
    for (const [type, text] of [
      ['mtn', '0803123456'],
      ['mtn', '06031234567'],
      ['ikeja_electric_prepaid', '04042404049'],
      ['ikeja_electric_prepaid', '4042404048'],
      ['ikeja_electric_postpaid', '12345'],
      ['gotv', '20051292420'],
      ['jamb', 'abc'],
    ] as const) {
      const service = await findServiceWithAccounts(testApp.db, type)
      expect([text, await refusalOf(() => readAccountNumber(service, text))]).toEqual([
        text,
        ['BX0003', ['account_number']],
      ])
    }
  })
})

describe('a catalogue', () => {
  it('is the same after an export and an import', async () => {
    const exported = await exportCatalogue(testApp.db)
    const read = readCatalogueFile(JSON.stringify(exported))
    if ('errors' in read) throw new Error(JSON.stringify(read.errors))
    const before = await dump(testApp.db)
    await begin(testApp.db, (tx) => importCatalogue(tx, testApp.clock.now(), read.catalogue))
    expect(await dump(testApp.db)).toEqual(before)
  })

  it('replaces the current one when it is imported, but keeps the stock of pins', async () => {
    const file = JSON.stringify({
      format: 'kusanya-catalogue/1',
      categories: [{ code: 'epin', name: 'Pins' }],
      services: [
        {
          category: 'epin',
          service_type: 'glo',
          name: 'Glo pins',
          biller_id: 1,
          product_id: 1,
          pins: [
            { value: 200, available: 7, description: 'known' },
            { value: '250', available: 7, description: 'new' },
          ],
        },
      ],
    })
    const read = readCatalogueFile(file)
    if ('errors' in read) throw new Error(JSON.stringify(read.errors))
    const { catalogue } = read
    await rollback(async (tx) => {
      const { id } = await findService(tx, 'epin', 'glo')
      const steps: string[] = []
      const onProgress = (done: number, total: number) => steps.push(`${done}/${total}`)
      const done = await importCatalogue(tx, testApp.clock.now(), catalogue, { onProgress })
      expect(done).toMatchObject({ services: 1, products: 2 })
      expect(done.removed).toBeGreaterThan(200)
      expect(steps).toEqual(['2/2'])
      expect(await findService(tx, 'epin', 'glo')).toMatchObject({ id, name: 'Glo pins' })
      const stock = async () => (await listProducts(tx, id, 'pin')).map((one) => [one.code, one.available])
      expect(await stock()).toEqual([
        ['200', 1000],
        ['250', 7],
      ])
      await importCatalogue(tx, testApp.clock.now(), catalogue, { restock: true })
      expect(await stock()).toEqual([
        ['200', 7],
        ['250', 7],
      ])
      expect((await listCategories(tx)).map((one) => one.name)).toEqual(['Pins'])
    })
  })
})

/** The whole catalogue, except the ids of prices and the times. */
async function dump(db: TestApp['db']) {
  return [
    await db`select category, service_type, name, aliases, plans, tariff, account_kind, position from catalogue_services
      order by id`,
    await db`select id, kind, code, name, description, allowance, available, bouquets from catalogue_products order by id`,
    await db`select * from catalogue_prices order by product, months`,
  ].map((rows) => [...rows])
}

class Undo extends Error {}

/** Run a function in a transaction that is rolled back. */
async function rollback(work: (tx: Tx) => Promise<void>): Promise<void> {
  await begin(testApp.db, async (tx) => {
    await work(tx)
    throw new Undo()
  }).catch((error) => {
    if (!(error instanceof Undo)) throw error
  })
}
