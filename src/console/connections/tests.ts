import { z } from 'zod'
import { testConnectionAction } from '../../actions/connection-actions.ts'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { callbackAddress, registeredAddresses } from '../../connections/changes.ts'
import { isGood, tryConnection } from '../../connections/operate.ts'
import { registerAddresses, withoutSecrets } from '../../connections/test-connection.ts'
import { registerCallbackAddressAction, showCallbackAddressAction } from '../../core/connections/actions.ts'
import { unsealSecrets } from '../../core/connections/connections.ts'
import { Invalid } from '../../core/refusals.ts'
import { settingFields } from '../../drivers/settings.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { addAction } from '../actor.ts'
import { getOwn, withSecrets } from './own.ts'
import { slugParams, TestResultView, viewResults } from './views.ts'

const permission = 'manage_organization'

const Results = z.object({ passed: z.boolean(), results: z.array(TestResultView) })

/** The routes that try a connection, and show or register its callback address. */
export function addTestRoutes(server: Server, app: App, url: string): void {
  addTest(server, app, `${url}/:slug/test`)
  addCallbackAddress(server, app, `${url}/:slug/callback-address`)
}

/** Try the credentials without moving money. Several at the same time would only burden the network. */
function addTest(server: Server, app: App, url: string): void {
  const running = new Set<string>()
  server.post(url, {
    config: { permission },
    schema: { params: slugParams, response: { 200: Results } },
    handler: async (request) => {
      const row = await getOwn(app, request, request.params.slug)
      const { slug } = row
      if (running.has(slug)) throw new Invalid({ non_field_errors: [getMessage('connections.being_tested')] })
      running.add(slug)
      try {
        const results = await withSecrets(() => tryConnection(app, row))
        await performAction(app, request, testConnectionAction, { input: { row, results } })
        const driver = app.providers.drivers.find(({ code }) => code === row.driver)
        return { passed: isGood(results), results: viewResults(results, driver ? settingFields(driver) : []) }
      } finally {
        running.delete(slug)
      }
    },
  })
}

const Addresses = z.object({
  address: z.string(),
  addresses: z.array(z.object({ name: z.string(), address: z.string() })),
})

function addCallbackAddress(server: Server, app: App, url: string): void {
  addAction(server, app, showCallbackAddressAction, {
    method: 'POST',
    url,
    params: slugParams,
    answer: Addresses,
    view(row) {
      const address = callbackAddress({ base_url: app.address.url, cell: app.config.CELL }, row)
      const driver = app.providers.drivers.find(({ code }) => code === row.driver)
      return { address, addresses: registeredAddresses(address, driver) }
    },
  })

  server.post(`${url}/register`, {
    config: { permission },
    schema: { params: slugParams, response: { 200: Results } },
    handler: async (request) => {
      const row = await getOwn(app, request, request.params.slug)
      const connection = app.providers.find(row.slug)
      if (!connection?.operations.setUp) throw new Invalid({ non_field_errors: [getMessage('connections.by_hand')] })
      const secrets = await withSecrets(async () => unsealSecrets(app.sealingKeys, row.sealed_secrets))
      const results = (await registerAddresses(app, connection)).map((result) => ({
        ...result,
        message: withoutSecrets(result.message, secrets),
      }))
      await performAction(app, request, registerCallbackAddressAction)
      return { passed: isGood(results), results: viewResults(results, settingFields(connection.driver)) }
    },
  })
}
