import { currencyCountries, TEST_CURRENCY } from '../core/ledger/currencies.ts'
import type { Phone } from '../lib/phone.ts'
import { chooseConnection } from './choose.ts'
import type { Connections } from './registry.ts'

/** The name of the network that serves the number of a contact in the currency of its country, or null. */
export function networkOfContact(
  connections: Pick<Connections, 'list'>,
  organization: number,
  { number, country }: Phone,
): string | null {
  const currency = Object.keys(currencyCountries).find((code) => currencyCountries[code] === country)
  const connection = chooseConnection(connections.list(), {
    kind: 'charge',
    organization,
    phonenumber: number,
    currency: currency ?? TEST_CURRENCY,
  })
  return connection?.name ?? null
}
