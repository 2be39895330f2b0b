import { callJson } from './http/http-call.ts'
import { isObject } from './structured-input.ts'

const TIMEOUT_MS = 10_000

/**
 * Fetches exchange rates from a URL that answers with JSON: local units for one US dollar by currency code, at the top
 * or under `rates` or `conversion_rates`, as the common public sources write them.
 * @throws Error with the fault of the answer in one line. It names the host only: sources want a key in the address
 */
export async function fetchExchangeRates(url: string): Promise<Record<string, number>> {
  const { host } = new URL(url)
  const answer = await callJson({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    timeout_ms: TIMEOUT_MS,
    callee: 'source of exchange rates',
    follow_redirects: true,
  })
  if (answer.outcome === 'unknown') throw new Error(answer.message)
  if (answer.status < 200 || answer.status > 299) throw new Error(`The rates at ${host} answered ${answer.status}.`)
  return readExchangeRates(answer.body, host)
}

/**
 * Reads the rates of an answer. Names that are not currency codes are ignored. @throws Error when there are no rates.
 */
export function readExchangeRates(body: unknown, source: string): Record<string, number> {
  const object = isObject(body) ? (body.rates ?? body.conversion_rates ?? body) : undefined
  if (!isObject(object)) throw new Error(`The rates at ${source} are not an object of currency codes.`)
  const rates = Object.entries(object).filter(
    (entry): entry is [string, number] => /^[A-Z]{3}$/.test(entry[0]) && typeof entry[1] === 'number' && entry[1] > 0,
  )
  if (rates.length === 0) throw new Error(`The rates at ${source} have no currency code with a number.`)
  return Object.fromEntries(rates)
}
