import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCatalogueFile } from '../../../src/core/bills/catalogue-file.ts'
import { parseAmount } from '../../../src/lib/money.ts'

const naira = (text: string) => parseAmount(text)!
const sandbox = readFileSync(new URL('../../../src/core/bills/catalogues/sandbox.json', import.meta.url), 'utf8')

/** A file with one TV service, after a change to it. */
function fileWith(change: (file: Record<string, unknown>, dstv: Record<string, unknown>) => void): string {
  const dstv: Record<string, unknown> = {
    category: 'cabletv',
    service_type: 'dstv',
    name: 'DStv',
    biller_id: 1,
    product_id: 1,
    bouquets: [{ code: 'COMPE36', name: 'Compact', price_per_month: '12500' }],
    addons: [{ code: 'HDPVRE36', name: 'XtraView', bouquets: ['COMPE36'], prices: [{ months: 1, price: 4000 }] }],
  }
  const file: Record<string, unknown> = {
    format: 'kusanya-catalogue/1',
    categories: [{ code: 'cabletv', name: 'Cable TV' }],
    services: [dstv],
  }
  change(file, dstv)
  return JSON.stringify(file)
}

const errorsOf = (text: string) => {
  const read = readCatalogueFile(text)
  return 'errors' in read ? read.errors.map(({ place, message }) => `${place}: ${message}`) : []
}

describe('a catalogue file', () => {
  it('of the sandbox is valid, and contains everything in the captured lists', () => {
    const read = readCatalogueFile(sandbox)
    if ('errors' in read) throw new Error(JSON.stringify(read.errors))
    const { services } = read.catalogue
    const of = (category: string) => services.filter((one) => one.category === category)
    expect(of('electricity')).toHaveLength(17)
    expect(of('airtime').map((one) => one.service_type)).toEqual(['mtn', 'airtel', 'glo', '9mobile', 'smile'])
    const plans = of('databundle').filter((one) => ['mtn', 'airtel', 'glo', '9mobile'].includes(one.service_type))
    expect(plans.flatMap((one) => one.products)).toHaveLength(95)
    expect(new Set(of('electricity').flatMap((one) => (one.tariff ? [] : [one.service_type])))).toEqual(new Set())
  })

  it('expands the usual price list of a bouquet: n months cost n monthly prices up to ten, a year costs eleven', () => {
    const read = readCatalogueFile(fileWith(() => {}))
    if ('errors' in read) throw new Error(JSON.stringify(read.errors))
    const [bouquet, addon] = read.catalogue.services[0]!.products
    expect(bouquet!.prices.map((one) => one.months)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])
    expect(bouquet!.prices.at(9)).toEqual({ months: 10, invoice_period: 1, price: naira('125000') })
    expect(bouquet!.prices.at(10)).toEqual({ months: 12, invoice_period: 12, price: naira('137500') })
    expect(addon!.prices).toEqual([{ months: 1, invoice_period: 1, price: naira('4000') }])
  })

  it('reports all its errors at once, each with its place', () => {
    const text = fileWith((file, dstv) => {
      file.format = 'something else'
      file.comment = 'unknown'
      dstv.bouquets = [
        { code: 'A', name: 'A', price_per_month: '-1' },
        { code: 'B B', name: '', prices: [] },
      ]
      dstv.pirce = 1
    })
    const errors = errorsOf(text).join('\n')
    expect(errors).toContain('format: This must be "kusanya-catalogue/1".')
    expect(errors).toContain('services[0] (dstv).bouquets[0].price_per_month: This must be an amount above zero')
    expect(errors).toContain('services[0] (dstv).bouquets[1].code: This must be a code')
    expect(errors).toContain('services[0] (dstv).bouquets[1].name: ')
    expect(errors).toContain('services[0] (dstv).bouquets[1].prices: There must be at least one price.')
    expect(errors).toContain('"pirce"')
    expect(errors).toContain('"comment"')
  })

  it('may not contain duplicates or references to missing entries', () => {
    const text = fileWith((file, dstv) => {
      dstv.bouquets = [
        { code: 'A', name: 'A', price_per_month: 1 },
        { code: 'A', name: 'again', price_per_month: 1 },
      ]
      dstv.minimum_amount = 10
      dstv.maximum_amount = 5
      dstv.account = { kind: 'digits', least: 3, most: 2 }
      file.services = [dstv, { ...dstv, addons: [] }]
      file.categories = []
    })
    expect(errorsOf(text)).toEqual([
      'services[0] (dstv).category: The category cabletv is not listed.',
      'services[0] (dstv).minimum_amount: This is above maximum_amount.',
      'services[0] (dstv).account: least is above most.',
      'services[0] (dstv).bouquets[1]: A is already in this list.',
      'services[0] (dstv).addons[0].bouquets: There is no bouquet COMPE36.',
      'services[1] (dstv).category: The category cabletv is not listed.',
      'services[1] (dstv).service_type: dstv is already in cabletv.',
      'services[1] (dstv).minimum_amount: This is above maximum_amount.',
      'services[1] (dstv).account: least is above most.',
      'services[1] (dstv).bouquets[1]: A is already in this list.',
    ])
  })

  it('reports contradictions together with misspelt names', () => {
    const text = fileWith((file, dstv) => {
      file.services = [
        { ...dstv, service_type: 'gotv', pirce: 1 },
        { ...dstv, bouquets: [] },
      ]
    })
    expect(errorsOf(text)).toEqual([
      'services[0] (gotv): Unrecognized key: "pirce".',
      'services[1] (dstv).addons[0].bouquets: There is no bouquet COMPE36.',
    ])
  })

  it('requires one price list, and one price for each number of months', () => {
    const text = fileWith((_file, dstv) => {
      const prices = [
        { months: 1, price: 1 },
        { months: 1, price: 2 },
      ]
      dstv.bouquets = [
        { code: 'A', name: 'A' },
        { code: 'B', name: 'B', price_per_month: 1, prices },
      ]
    })
    expect(errorsOf(text)).toEqual([
      'services[0] (dstv).bouquets[0]: There must be either price_per_month or prices.',
      'services[0] (dstv).bouquets[1]: There must be either price_per_month or prices.',
    ])
  })

  it('that is not JSON has one error', () => {
    expect(errorsOf('{"format":')).toEqual([expect.stringMatching(/^the file: This is not valid JSON: /)])
    expect(errorsOf('[]')).toEqual([expect.stringMatching(/^the file: /)])
  })
})
