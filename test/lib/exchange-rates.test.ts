import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { fetchExchangeRates, readExchangeRates } from '../../src/lib/exchange-rates.ts'

describe('exchange rates', () => {
  it.each([
    ['at the top', { UGX: 3560, KES: 129.2 }],
    ['under rates', { base: 'USD', rates: { UGX: 3560, KES: 129.2 } }],
    ['under conversion_rates', { result: 'success', conversion_rates: { UGX: 3560, KES: 129.2 } }],
  ])('are read %s', (_where, body) => {
    expect(readExchangeRates(body, 'here')).toEqual({ UGX: 3560, KES: 129.2 })
  })

  it('pass over what is no rate of a currency', () => {
    expect(readExchangeRates({ UGX: 3560, kes: 1, date: 5, KES: '129', NGN: -1, EUR: 0, USD: null }, 'here')).toEqual({
      UGX: 3560,
    })
  })

  it.each([[null], [5], ['x'], [[]], [{ rates: [] }]])('are refused when they are no object: %j', (body) => {
    expect(() => readExchangeRates(body, 'http://rates')).toThrow(
      'The rates at http://rates are not an object of currency codes.',
    )
  })

  it('are refused when there is none', () => {
    expect(() => readExchangeRates({ date: 1 }, 'http://rates')).toThrow(
      'The rates at http://rates have no currency code with a number.',
    )
  })

  it('are fetched over HTTP', async () => {
    await against(
      (_request, response) => response.end('{"rates":{"UGX":3600.5}}'),
      async (url) => expect(await fetchExchangeRates(url)).toEqual({ UGX: 3600.5 }),
    )
  })

  it('say in one line what was wrong with the answer', async () => {
    await against(
      (_request, response) => response.writeHead(503).end(),
      async (url) => expect(fetchExchangeRates(url)).rejects.toThrow(`The rates at ${url} answered 503.`),
    )
    await against(
      (_request, response) => response.end('<html>'),
      async (url) => expect(fetchExchangeRates(url)).rejects.toThrow(),
    )
  })
})

async function against(far: RequestListener, test: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(far)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
