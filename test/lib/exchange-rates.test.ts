import { describe, expect, it } from 'vitest'
import { fetchExchangeRates, readExchangeRates } from '../../src/lib/exchange-rates.ts'
import { withServer } from '../networks/contract.ts'

describe('exchange rates', () => {
  it.each([
    ['at the top', { UGX: 3560, KES: 129.2 }],
    ['under rates', { base: 'USD', rates: { UGX: 3560, KES: 129.2 } }],
    ['under conversion_rates', { result: 'success', conversion_rates: { UGX: 3560, KES: 129.2 } }],
  ])('are read %s', (_where, body) => {
    expect(readExchangeRates(body, 'here')).toEqual({ UGX: 3560, KES: 129.2 })
  })

  it('ignore entries that are not the rate of a currency', () => {
    expect(readExchangeRates({ UGX: 3560, kes: 1, date: 5, KES: '129', NGN: -1, EUR: 0, USD: null }, 'here')).toEqual({
      UGX: 3560,
    })
  })

  it.each([[null], [5], ['x'], [[]], [{ rates: [] }]])('are refused when they are not an object: %j', (body) => {
    expect(() => readExchangeRates(body, 'http://rates')).toThrow(
      'The rates at http://rates are not an object of currency codes.',
    )
  })

  it('are refused when there is no rate', () => {
    expect(() => readExchangeRates({ date: 1 }, 'http://rates')).toThrow(
      'The rates at http://rates have no currency code with a number.',
    )
  })

  it('are fetched over HTTP', async () => {
    await withServer(
      (_request, response) => response.end('{"rates":{"UGX":3600.5}}'),
      async (url) => expect(await fetchExchangeRates(url)).toEqual({ UGX: 3600.5 }),
    )
  })

  it('fail with one line that says what was wrong with the answer', async () => {
    await withServer(
      (_request, response) => response.writeHead(503).end(),
      async (url) =>
        expect(fetchExchangeRates(`${url}/latest?app_id=hunter2`)).rejects.toThrow(
          `The rates at ${new URL(url).host} answered 503.`,
        ),
    )
    await withServer(
      (_request, response) => response.end('<html>'),
      async (url) => expect(fetchExchangeRates(url)).rejects.toThrow(),
    )
  })
})
