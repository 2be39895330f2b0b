const TIMEOUT_MS = 10_000

/**
 * Reads exchange rates from a JSON address: local units for one US dollar by currency code, at the top or under `rates`
 * or `conversion_rates`, as the common public sources write them.
 * @throws Error in one line that says what was wrong with the answer.
 */
export async function fetchExchangeRates(url: string): Promise<Record<string, number>> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Error(`The rates at ${url} answered ${response.status}.`)
  return readExchangeRates(await response.json(), url)
}

/** Picks the rates out of an answer. Names that are no currency codes are passed over. */
export function readExchangeRates(body: unknown, source: string): Record<string, number> {
  const object = isObject(body) ? (body.rates ?? body.conversion_rates ?? body) : undefined
  if (!isObject(object)) throw new Error(`The rates at ${source} are not an object of currency codes.`)
  const rates = Object.entries(object).filter(
    (entry): entry is [string, number] => /^[A-Z]{3}$/.test(entry[0]) && typeof entry[1] === 'number' && entry[1] > 0,
  )
  if (rates.length === 0) throw new Error(`The rates at ${source} hold no currency code with a number.`)
  return Object.fromEntries(rates)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
