import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { listBillConnections } from '../../connections/bill-sellers.ts'
import { approveDifferencesAction } from '../../core/bills/actions.ts'
import { differenceKinds, differenceStates, listDifferences, ownBillConnections } from '../../core/bills/differences.ts'
import { listOffers, OfferView } from '../../core/bills/offers.ts'
import { listProviderFloats } from '../../core/bills/provider-floats.ts'
import { nameServices } from '../../core/bills/service-names.ts'
import { choice } from '../../core/fields.ts'
import type { Reader } from '../../db/client.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { requireSession } from '../guard.ts'
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
  server.get(url, {
    config: { permission },
    schema: {
      querystring: listQuery({ state: choice(differenceStates).optional(), kind: choice(differenceKinds).optional() }),
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

  server.post(`${url}/:id/approve`, {
    config: { permission },
    schema: { params: idParams },
    handler: async (request, reply) => {
      await performAction(app, request, approveDifferencesAction, {
        name: requireSession(request).name,
        input: request.params,
      })
      return reply.code(204).send()
    },
  })
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

/** Return the connections about which the caller decides. */
function ownConnections(app: App, { caller }: FastifyRequest): Promise<string[]> {
  return ownBillConnections(app.db, listBillConnections(app), caller.organization)
}
