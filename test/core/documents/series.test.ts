import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocumentCode, isDocumentCode } from '../../../src/core/documents/codes.ts'
import { formatNumber, lockSeries, parseNumber, setLastNumber } from '../../../src/core/documents/series.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

describe('the numbers of documents', () => {
  it('have no gap and none twice, also when transactions fail and run at the same time', async () => {
    const { app, organization } = testApp
    const given: number[] = []
    const take = (fails: boolean) =>
      begin(app.db, async (tx) => {
        const series = await lockSeries(tx, organization, 'receipt')
        const number = series.last_number + 1
        await setLastNumber(tx, series, number)
        if (fails) throw new Error('It fails after it took the number.')
        return number
      }).then(
        (number) => given.push(number),
        () => undefined,
      )
    await Promise.all(Array.from({ length: 12 }, (_, index) => take(index % 3 === 0)))
    expect(given.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('are written with letters and zeros, and found without them', () => {
    expect(formatNumber('receipt', 12)).toBe('R-000012')
    expect(formatNumber('receipt', 12_345_678)).toBe('R-12345678')
    for (const text of ['R-000012', 'r-12', ' 12 ']) expect(parseNumber('receipt', text)).toBe(12)
    for (const text of ['', 'R-', 'I-12', '1.2', '-1']) expect(parseNumber('receipt', text)).toBeUndefined()
  })

  it('say nothing about the address, which is random', () => {
    const codes = new Set(Array.from({ length: 100 }, () => createDocumentCode(0)))
    expect(codes.size).toBe(100)
    for (const code of codes) expect(isDocumentCode(code)).toBe(true)
    expect(isDocumentCode("' or true --")).toBe(false)
  })
})
