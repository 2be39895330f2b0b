import type { FastifyInstance } from 'fastify'
import { parseJson } from '../../../lib/http/http-call.ts'
import { isObject } from '../../../lib/structured-input.ts'
import { findProvider, limitsOf, type Provider, providersByCountry } from './providers.ts'
import { KEY_ID, public_key } from './signatures.ts'
import {
  type OperationName,
  operationNames,
  operations,
  type PawapaySwitches,
  type PawapayWorld,
  statusOf,
} from './switches.ts'
import { failure } from './v2.ts'
import { showAmount } from './wire.ts'

interface Query {
  country?: string
  operationType?: string
}

/** Add the queries beside orders: providers, their state, limits, keys and wallets. */
export function addToolkitRoutes(server: FastifyInstance, world: PawapayWorld): void {
  server.post('/v2/predict-provider', { config: { verb: 'provider' } }, async (request, reply) => {
    const body = parseJson(request.body as string)
    const number = isObject(body) ? body.phoneNumber : undefined
    if (typeof number !== 'string') return reply.code(400).send(failure('MISSING_PARAMETER'))
    const found = findProvider(number)
    if (!found) return reply.code(400).send(failure('INVALID_PHONE_NUMBER'))
    return { country: found.provider.country, provider: found.provider.code, phoneNumber: found.digits }
  })

  server.get<{ Querystring: Query }>('/v2/availability', { config: { verb: 'availability' } }, async ({ query }) => {
    const switches = await world.switches()
    return countriesOf(query).map(({ country, providers }) => ({
      country,
      providers: providers.map(({ code }) => ({
        provider: code,
        operationTypes: operationsOf(query).map((operation) => ({
          operationType: operations[operation].type,
          status: statusOf(switches, code, operation),
        })),
      })),
    }))
  })

  server.get<{ Querystring: Query }>('/v2/active-conf', { config: { verb: 'configuration' } }, async ({ query }) => {
    const switches = await world.switches()
    const { signed_requests_only: signedRequestsOnly, signed_callbacks: signedCallbacks } = switches
    return {
      companyName: 'Simulated Shop',
      signatureConfiguration: { signedRequestsOnly, signedCallbacks },
      countries: countriesOf(query).map(({ country, providers }) => ({
        country,
        prefix: providers[0]!.calling_code,
        providers: providers.map((provider) => showProvider(provider, operationsOf(query), switches)),
      })),
    }
  })

  server.get('/v2/public-key/http', { config: { verb: 'public keys' } }, async () => [{ id: KEY_ID, key: public_key }])

  server.get<{ Querystring: Query }>('/v2/wallet-balances', { config: { verb: 'balance' } }, async ({ query }) => {
    const balances = await readBalances(world, query)
    return { balances: balances.map((one) => ({ ...one, provider: '' })) }
  })
}

/** The wallets of the account: one for each country and currency. */
export async function readBalances(world: PawapayWorld, query: Query) {
  const balances: { country: string; balance: string; currency: string }[] = []
  for (const { country, providers } of countriesOf(query))
    for (const currency of providers[0]!.currencies)
      balances.push({ country, balance: showAmount(await world.balance(country, currency)), currency })
  return balances
}

export function countriesOf({ country }: Query) {
  return providersByCountry.filter((one) => country === undefined || one.country === country)
}

function operationsOf({ operationType }: Query): OperationName[] {
  return operationNames.filter((name) => operationType === undefined || operations[name].type === operationType)
}

function showProvider(
  { code, currencies, auth_type }: Provider,
  names: readonly OperationName[],
  switches: PawapaySwitches,
) {
  const describe = (operation: OperationName, currency: string) => {
    const { min, max, decimals } = limitsOf(currency)
    const callbackUrl = switches[`${operation}_callback_url`]
    const is_list = switches.configuration_form === 'list'
    return {
      ...(is_list && { operationType: operations[operation].type }),
      ...(operation === 'deposits' && { authType: auth_type, pinPrompt: 'AUTOMATIC', pinPromptRevivable: false }),
      ...(is_list ? { minTransactionLimit: min, maxTransactionLimit: max } : { minAmount: min, maxAmount: max }),
      decimalsInAmount: decimals === 0 ? 'NONE' : 'TWO_PLACES',
      status: statusOf(switches, code, operation),
      ...(callbackUrl !== '' && { callbackUrl }),
    }
  }
  return {
    provider: code,
    nameDisplayedToCustomer: 'SIMULATED SHOP',
    currencies: currencies.map((currency) => ({
      currency,
      operationTypes:
        switches.configuration_form === 'list'
          ? names.map((name) => describe(name, currency))
          : Object.fromEntries(names.map((name) => [operations[name].type, describe(name, currency)])),
    })),
  }
}
