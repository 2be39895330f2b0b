import type { App } from '../app.ts'
import { networkCountries } from '../connections/connection.ts'
import { listNetworks, NetworkView, registerNetworks } from '../core/connections/registered-networks.ts'
import { NotFound } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import type { Server } from '../http/server.ts'

/** Add the mobile-money networks of this installation, with one entry for each country that a network serves. */
export function addNetworks(server: Server, app: App): void {
  const readNetworks = createNetworkReader(app)

  server.get('/api/networks', {
    config: { permission: 'view' },
    schema: {
      tags: ['Networks'],
      operationId: 'listNetworks',
      summary: 'List mobile-money networks',
      description: 'Returns one entry for each network and country served here.',
      querystring: listQuery({}),
      response: { 200: listOf(NetworkView) },
    },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const networks = await readNetworks()
      if (page.ordering.descending && request.query.ordering !== undefined) networks.reverse()
      const rows = networks.slice(page.offset, page.offset + page.limit)
      return answerPage(app, request, page, { rows, count: networks.length })
    },
  })

  server.get('/api/networks/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['Networks'],
      operationId: 'getNetwork',
      summary: 'Get one mobile-money network',
      description: 'Returns the network with its country and the pattern of its phone numbers.',
      params: idParams,
      response: { 200: NetworkView },
    },
    handler: async (request) => {
      const network = (await readNetworks()).find(({ id }) => id === request.params.id)
      if (!network) throw new NotFound()
      return network
    },
  })
}

/** The list of networks changes only with the program, so only the first read registers new networks with an id. */
function createNetworkReader(app: App): () => Promise<NetworkView[]> {
  const entries = networkCountries(app.connections.list())
  let registered: Promise<void> | undefined
  return async () => {
    registered ??= begin(app.db, (tx) => registerNetworks(tx, entries))
    await registered.catch((error: unknown) => {
      registered = undefined
      throw error
    })
    return listNetworks(app.db, entries)
  }
}
