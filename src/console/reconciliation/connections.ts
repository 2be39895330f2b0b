import { Readable } from 'node:stream'
import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import type { Connection } from '../../connections/connection.ts'
import { isOnlyOrganization } from '../../core/access/organizations.ts'
import { isBuiltIn } from '../../core/connections/sandbox-networks.ts'
import { NotFound } from '../../core/refusals.ts'
import { fileHeader } from '../../http/files/file-name.ts'
import type { Server } from '../../http/server.ts'

const ConnectionChoice = z.object({
  slug: z.string(),
  name: z.string(),
  network: z.string(),
  /** True if its network is simulated, so that its statement can be downloaded here. */
  simulated: z.boolean(),
})

/** The connections whose statements an organization may compare: its own, or all where it is the only organization. */
export async function reconcilable(app: App, organization: number): Promise<Connection[]> {
  const is_only = await isOnlyOrganization(app.db, organization)
  return app.connections
    .list()
    .filter((one) => one.state !== 'removed' && (one.organization === organization || (is_only && !one.organization)))
}

/**
 * The routes for the connections whose statements may be compared, and for the statement of a simulated network. Real
 * networks give their statements on their own portals.
 */
export function addConnections(server: Server, app: App, base_url: string): void {
  const url = `${base_url}/connections`
  const isSimulated = ({ slug }: Connection) => app.simulator !== null && isBuiltIn(slug)

  addView(server, app, {
    url,
    permission: 'view',
    answer: z.object({ results: z.array(ConnectionChoice) }),
    source: 'statements',
    read: async (_, { organization }) => ({
      results: (await reconcilable(app, organization)).map((one) => ({
        slug: one.slug,
        name: one.name,
        network: one.code,
        simulated: isSimulated(one),
      })),
    }),
  })

  server.get(`${url}/:slug/statement`, {
    config: { permission: 'view' },
    schema: { params: z.object({ slug: z.string().max(100) }) },
    handler: async ({ caller: { organization }, params: { slug } }, reply) => {
      const connection = (await reconcilable(app, organization)).find((one) => one.slug === slug && isSimulated(one))
      if (!connection) throw new NotFound()
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', fileHeader(`statement-${slug}.csv`))
        .send(Readable.from(app.simulator!.statementFile({ door: connection.code }), { objectMode: false }))
    },
  })
}
