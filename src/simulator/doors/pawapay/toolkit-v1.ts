import type { FastifyInstance } from 'fastify'
import { parseJson } from '../../../lib/http/http-call.ts'
import { isObject } from '../../../lib/structured-input.ts'
import { findProvider, limitsOf } from './providers.ts'
import { KEY_ID, public_key } from './signatures.ts'
import { operationNames, operations, type PawapayWorld, statusOf } from './switches.ts'
import { countriesOf, readBalances } from './toolkit.ts'
import { v1 } from './v1.ts'

/** Add the toolkit of version 1. Some of its paths begin with the version, and are written without it too. */
export function addToolkitRoutesOfV1(server: FastifyInstance, world: PawapayWorld): void {
  server.get('/active-conf', { config: { verb: 'configuration' } }, async () => ({
    merchantId: 'SIMULATED_SHOP',
    merchantName: 'Simulated Shop',
    countries: countriesOf({}).map(({ country, providers }) => ({
      country,
      correspondents: providers.flatMap(({ code, currencies }) =>
        currencies.map((currency) => ({
          correspondent: code,
          currency,
          ownerName: 'SIMULATED SHOP',
          operationTypes: operationNames.map((name) => {
            const { min: minTransactionLimit, max: maxTransactionLimit } = limitsOf(currency)
            return { operationType: operations[name].type, minTransactionLimit, maxTransactionLimit }
          }),
        })),
      ),
    })),
  }))

  server.get('/availability', { config: { verb: 'availability' } }, async () => {
    const switches = await world.switches()
    return countriesOf({}).map(({ country, providers }) => ({
      country,
      correspondents: providers.map(({ code }) => ({
        correspondent: code,
        operationTypes: operationNames.map((name) => ({
          operationType: operations[name].type,
          status: statusOf(switches, code, name),
        })),
      })),
    }))
  })

  server.get('/public-key/http', { config: { verb: 'public keys' } }, async () => [{ id: KEY_ID, key: public_key }])

  for (const prefix of ['', '/v1']) {
    server.post(`${prefix}/predict-correspondent`, { config: { verb: 'provider' } }, async (request, reply) => {
      const body = parseJson(request.body as string)
      const found = isObject(body) && typeof body.msisdn === 'string' ? findProvider(body.msisdn) : undefined
      if (!found) return reply.code(400).send(v1.fail('INVALID_INPUT'))
      const { code, country } = found.provider
      return { country, operator: code.split('_')[0], correspondent: code, msisdn: found.digits }
    })
    server.get<{ Params: { country?: string } }>(
      `${prefix}/wallet-balances/:country?`,
      { config: { verb: 'balance' } },
      async ({ params: { country } }) => {
        const balances = await readBalances(world, country === undefined ? {} : { country })
        return { balances: balances.map((one) => ({ ...one, mno: '' })) }
      },
    )
  }
}
