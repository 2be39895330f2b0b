import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { listBillConnections } from '../../connections/bill-sellers.ts'
import { isOnlyOrganization } from '../../core/access/organizations.ts'
import {
  approveDifference,
  differenceKinds,
  differenceStates,
  getDifference,
  listDifferences,
  rejectDifference,
} from '../../core/bills/differences.ts'
import { listOffers, OfferView } from '../../core/bills/offers.ts'
import { listProviderFloats } from '../../core/bills/provider-floats.ts'
import { nameServices } from '../../core/bills/service-names.ts'
import { choiceError } from '../../core/fields.ts'
import { NotFound } from '../../core/refusals.ts'
import { begin, type Reader } from '../../db/client.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { recordRequestAction } from '../audit.ts'
import { ListedDifference, ProviderFloatView } from './views.ts'

/** Offers and differences decide where each product is bought, so only managers see and decide them. */
const permission = 'manage_organization'

/** Add the routes about bill providers: our floats there, our offers, and the differences from their catalogues. */
export function addProviders(server: Server, app: App): void {
  server.get('/console/api/bill-floats', {
    config: { permission },
    schema: { response: { 200: z.object({ results: z.array(ProviderFloatView) }) } },
    handler: async (request) => ({ results: await listProviderFloats(app.db, await ownConnections(app, request)) }),
  })

  server.get('/console/api/bill-offers', {
    config: { permission },
    schema: { querystring: listQuery({}), response: { 200: listOf(OfferView) } },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const offers = await listOffers(app.db, { connections: await ownConnections(app, request) })
      const rows = offers.slice(page.offset, page.offset + page.limit)
      return answerPage(app, request, page, { rows, count: offers.length })
    },
  })
  addDifferences(server, app)
}

function addDifferences(server: Server, app: App): void {
  const url = '/console/api/bill-differences'
  const choice = <const Values extends readonly string[]>(values: Values) =>
    z.enum(values, { error: choiceError(values) }).optional()
  server.get(url, {
    config: { permission },
    schema: {
      querystring: listQuery({ state: choice(differenceStates), kind: choice(differenceKinds) }),
      response: { 200: listOf(ListedDifference) },
    },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const { state, kind } = request.query
      const filters = { state, kind, connections: await ownConnections(app, request) }
      const { rows, count } = await listDifferences(app.db, filters, page)
      return answerPage(app, request, page, { rows: await nameSuggestions(app.db, rows), count })
    },
  })

  for (const [verb, decide] of [
    ['approve', approveDifference],
    ['reject', rejectDifference],
  ] as const) {
    server.post(`${url}/:id/${verb}`, {
      config: { permission },
      schema: { params: idParams },
      handler: async (request, reply) => {
        const { id } = request.params
        const { connection, kind, name } = await getDifference(app.db, id)
        if (!(await ownConnections(app, request)).includes(connection))
          throw new NotFound(getMessage('reconciliation.no_difference', { finding: id }))
        await begin(app.db, async (tx) => {
          await decide(tx, app.clock.now(), id, `user ${request.caller.user}`)
          const details = { difference: id, connection, kind, name }
          await recordRequestAction(tx, app, request, { action: `${verb} bill difference`, details })
        })
        return reply.code(204).send()
      },
    })
  }
}

/** `electricity/ikeja_electric_prepaid` → its category and the name of the service; a product stays as it is. */
async function nameSuggestions<One extends { id: number; suggestion: string | null }>(
  db: Reader,
  rows: readonly One[],
) {
  const suggested = rows.flatMap(({ id, suggestion }) => {
    const [kind, service_type, ...product] = suggestion?.split('/') ?? []
    return kind === undefined || service_type === undefined ? [] : [{ id, kind, service_type, product }]
  })
  const named = new Map((await nameServices(db, suggested)).map((one) => [one.id, one]))
  return rows.map((row) => {
    const one = named.get(row.id)
    return { ...row, suggestion_name: one ? [one.kind, one.service_name, ...one.product] : null }
  })
}

/** The connections about which the caller decides: its own and, where it is the only organization, the operator's. */
async function ownConnections(app: App, request: FastifyRequest): Promise<string[]> {
  const { organization } = request.caller
  const operates = await isOnlyOrganization(app.db, organization)
  return listBillConnections(app).flatMap((one) =>
    one.organization === organization || (one.organization === null && operates) ? [one.slug] : [],
  )
}
